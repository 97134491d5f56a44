import type { FeedItem } from '../../sources/contract/feed.ts';
import { learnExternalIds, type NewExternalIds } from '../identity/external-ids.ts';
import { fillFacts } from '../identity/facts.ts';
import {
  type CardObservation,
  type PriceRun,
  type WrittenObservations,
  writeObservations,
} from '../pricing/pipeline.ts';
import type { Finding } from '../validation/index.ts';

/** Writes offers: all of a batch in one transaction, or nothing. */

/** An offer of a card of ours. */
export interface MatchedOffer {
  readonly offer: FeedItem;
  readonly card: {
    /** Row id. */
    readonly id: number;
    readonly name: string;
    readonly number: string | null;
  };
  /** Why the card may not be the one that the source means. */
  readonly conflict?: Finding | undefined;
}

/**
 * Takes in what is offered of cards. Of those that are surely meant the source's ids are
 * remembered, those of others noted in `ids`, and what the catalogue does not know of them is
 * filled in.
 */
export async function writeOffers(
  run: PriceRun,
  source: string,
  matched: readonly MatchedOffer[],
  ids: NewExternalIds,
): Promise<WrittenObservations> {
  const sure = matched
    .filter(({ conflict }) => conflict === undefined)
    .map(({ offer, card }) => ({ card: card.id, reference: offer.card }));
  const told = matched.flatMap((one) => toldQuotes(source, one));
  ids.note(sure);
  return run.store.db.transaction().execute(async (transaction) => {
    await learnExternalIds(run.store, transaction, source, sure);
    await fillFacts(run, transaction, sure);
    return writeObservations(run, transaction, told);
  });
}

function toldQuotes(source: string, { offer, card, conflict }: MatchedOffer): CardObservation[] {
  const { externalId, printings: statedPrintings } = offer.card;
  return offer.observations.map((observation) => ({
    source,
    card,
    externalId,
    observation,
    statedPrintings,
    conflict,
  }));
}
