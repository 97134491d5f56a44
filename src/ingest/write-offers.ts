import type { Offer } from '../sources/offer.ts';
import { fillFacts } from './facts.ts';
import type { Finding } from './guard.ts';
import { learnKeys, type NewIds } from './keys.ts';
import { type QuoteRun, type TakenQuotes, type ToldQuote, takeQuotes } from './quotes.ts';

/** Writes offers: all of a batch in one transaction, or nothing. */

/** An offer of a card of ours. */
export interface MatchedOffer {
  readonly offer: Offer;
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
  run: QuoteRun,
  source: string,
  matched: readonly MatchedOffer[],
  ids: NewIds,
): Promise<TakenQuotes> {
  const sure = matched
    .filter(({ conflict }) => conflict === undefined)
    .map(({ offer, card }) => ({ card: card.id, reference: offer.card }));
  const told = matched.flatMap((one) => toldQuotes(source, one));
  ids.note(sure);
  return run.store.db.transaction().execute(async (transaction) => {
    await learnKeys(run.store, transaction, source, sure);
    await fillFacts(run, transaction, sure);
    return takeQuotes(run, transaction, told);
  });
}

function toldQuotes(source: string, { offer, card, conflict }: MatchedOffer): ToldQuote[] {
  const { key, printings: statedPrintings } = offer.card;
  return offer.quotes.map((quote) => ({ source, card, key, quote, statedPrintings, conflict }));
}
