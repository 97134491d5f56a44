import { numberSortKey } from '../domain/collector-number.ts';
import { compareText } from '../domain/text.ts';
import type { CatalogCard } from './catalog-card.ts';

/** The cards of each set. A set is sorted at the first read after a change. */
export class SetCards {
  readonly #cardByRowId: (rowId: number) => CatalogCard | undefined;
  /** Row ids of cards, by row id of the set. */
  readonly #rowIds = new Map<number, number[]>();
  /** Row ids of the sets whose cards are sorted. */
  readonly #sorted = new Set<number>();

  constructor(cardByRowId: (rowId: number) => CatalogCard | undefined) {
    this.#cardByRowId = cardByRowId;
  }

  /** Adds a card or a newer version of it; `before` is the older version. */
  put(card: CatalogCard, before: CatalogCard | undefined): void {
    const set = card.set.rowId;
    this.#sorted.delete(set);
    if (before?.set.rowId === set) return;
    if (before) this.remove(before);
    const rowIds = this.#rowIds.get(set);
    if (rowIds) rowIds.push(card.rowId);
    else this.#rowIds.set(set, [card.rowId]);
  }

  /** Returns the number of cards in a set, by row id of the set. */
  count(set: number): number {
    return this.#rowIds.get(set)?.length ?? 0;
  }

  /** Returns the cards of a set by collector number; cards without one come last. */
  of(set: number): CatalogCard[] {
    const cards = (this.#rowIds.get(set) ?? []).flatMap((rowId) => this.#cardByRowId(rowId) ?? []);
    if (this.#sorted.has(set)) return cards;
    const sorted = byNumber(cards);
    this.#rowIds.set(
      set,
      sorted.map(({ rowId }) => rowId),
    );
    this.#sorted.add(set);
    return sorted;
  }

  /** Removes a card from its set. */
  remove({ rowId, set }: CatalogCard): void {
    const others = (this.#rowIds.get(set.rowId) ?? []).filter((other) => other !== rowId);
    this.#rowIds.set(set.rowId, others);
  }
}

function byNumber(cards: readonly CatalogCard[]): CatalogCard[] {
  const keyed = cards.map((card) => ({ card, key: numberSortKey(card.number ?? '') }));
  keyed.sort((a, b) => compareText(a.key, b.key) || compareText(a.card.id, b.card.id));
  return keyed.map(({ card }) => card);
}
