import { cardId, clashingId, compareExternalIds } from '../../domain/ids.ts';
import type { SourceCard, SourceSet } from '../../sources/contract/snapshot.ts';

/** Which of a source's cards get which public ids (docs/adr/0004-ids-for-good.md). */

type CodedSet = Pick<SourceSet, 'game' | 'code'>;

/** Returns the public ids that fit some cards of a set, each once. */
export function fittingIds(set: CodedSet, cards: readonly SourceCard[]): string[] {
  return [...new Set(cards.map((card) => fittingId(set, card)))];
}

/**
 * Returns a public id for each new card of a set. Of the cards that one id fits the oldest gets it,
 * unless it is `taken` by a card of an older set or of an earlier import. The others get an id of
 * their own external id, so that ids do not depend on the order in which a source lists its cards.
 */
export function choosePublicIds(
  set: CodedSet,
  cards: readonly SourceCard[],
  taken: Pick<ReadonlySet<string>, 'has'>,
): [card: SourceCard, publicId: string][] {
  const sorted = cards.toSorted((a, b) => compareExternalIds(a.externalId, b.externalId));
  const byFittingId = Map.groupBy(sorted, (card) => fittingId(set, card));
  return [...byFittingId].flatMap(([id, alike]) =>
    alike.map((card, index): [SourceCard, string] => {
      const isFree = index === 0 && !taken.has(id);
      return [card, isFree ? id : clashingId(id, card.externalId)];
    }),
  );
}

function fittingId({ game, code }: CodedSet, { name, number }: SourceCard): string {
  return cardId(game, code, name, number);
}
