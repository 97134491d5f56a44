import type { FeedItem } from '../../sources/contract/feed.ts';
import { learnExternalIds, type NewExternalIds } from '../identity/external-ids.ts';
import { fillFacts } from '../identity/facts.ts';
import type { CardObservation, Finding } from '../observation.ts';
import { type WrittenObservations, writeObservations } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';

/** An item of a feed with the card of ours that it is about. */
export interface MatchedItem {
  readonly item: FeedItem;
  readonly card: {
    /** Row id. */
    readonly id: number;
    /** The row id of its set. */
    readonly set: number;
    readonly name: string;
    readonly number: string | null;
  };
  /** Why the card may not be the one that the source means. */
  readonly conflict?: Finding | undefined;
}

/** Why what an item says of a marketplace is not believed, if it is not. */
export type ShiftOf = (item: FeedItem, marketplace: string) => string | undefined;

/**
 * Writes items in one transaction. Where no conflict puts the card in doubt, it also remembers the
 * source's external id of the card, notes ids of other sources in `newIds`, and fills in facts that
 * the catalogue lacks.
 */
export async function writeItems(
  run: ImportRun,
  source: string,
  matched: readonly MatchedItem[],
  newIds: NewExternalIds,
  shiftOf: ShiftOf,
): Promise<WrittenObservations> {
  const sure = matched
    .filter(({ conflict }) => conflict === undefined)
    .map(({ item, card }) => ({ card: card.id, reference: item.card }));
  const observations = matched.flatMap((one) => observationsOf(source, one, shiftOf));
  newIds.note(sure);
  return run.store.db.transaction().execute(async (transaction) => {
    await learnExternalIds(run, transaction, source, sure);
    await fillFacts(run, transaction, sure);
    return writeObservations(run, transaction, observations);
  });
}

/** The observations of an item, as those of our card. */
export function observationsOf(
  source: string,
  { item, card, conflict }: MatchedItem,
  shiftOf?: ShiftOf,
): CardObservation[] {
  const { externalId, printings: statedPrintings } = item.card;
  return item.observations.map((reported) => {
    const shift = shiftOf?.(item, reported.marketplace);
    // The earlier days of such a feed are as doubtful, and the next one brings them again.
    const { earlierDays: _, ...newest } = reported;
    const observation = shift === undefined ? reported : newest;
    return { source, card, externalId, observation, statedPrintings, conflict, shift };
  });
}
