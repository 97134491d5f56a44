import { cardId, clashingId, compareExternalIds } from '../../domain/ids.ts';
import type { SourceCard, SourceSet } from '../../sources/contract/snapshot.ts';

/** Assigns public ids to a source's cards (docs/adr/0004-ids-for-good.md). */

/** A card with its preferred public id, which other cards may share. */
export type FittingId = readonly [card: SourceCard, fitting: string];

/** Returns the preferred public ids of some cards of a set. */
export function fittingIds(
  { game, code }: Pick<SourceSet, 'game' | 'code'>,
  cards: readonly SourceCard[],
): FittingId[] {
  return cards.map((card) => [card, cardId(game, code, card.name, card.number)]);
}

/**
 * Returns a public id for each new card and product of a set. If several share a preferred id, the
 * oldest card gets it, or the oldest product if there is no card, unless it is `taken` by a card of
 * an older set or of an earlier import. The others get an id made from their external id, so ids do
 * not depend on the order in which a source lists its cards.
 */
export function choosePublicIds(
  fitting: readonly FittingId[],
  taken: Pick<ReadonlySet<string>, 'has'>,
): [card: SourceCard, publicId: string][] {
  const sorted = fitting.toSorted(([a], [b]) => {
    const cardsFirst = Number(a.product !== undefined) - Number(b.product !== undefined);
    return cardsFirst || compareExternalIds(a.externalId, b.externalId);
  });
  const byFittingId = Map.groupBy(sorted, ([, id]) => id);
  return [...byFittingId].flatMap(([id, alike]) =>
    alike.map(([card], index): [SourceCard, string] => {
      const isFree = index === 0 && !taken.has(id);
      return [card, isFree ? id : clashingId(id, card.externalId)];
    }),
  );
}
