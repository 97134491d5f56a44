import type { CardSet } from '../domain/card.ts';
import type { StoredSearchedFacts } from '../store/catalogue/facts.ts';
import type { StoredCard, StoredName } from '../store/catalogue/records.ts';
import type { CatalogCard } from './catalog-card.ts';
import type { Contents, Replacements } from './contents.ts';
import type { CardPrinting } from './printings.ts';
import type { CardExternalId, Rows } from './published.ts';

/** The rows that differ from the served contents, kept until they are applied in one tick. */
export class Changes implements Rows {
  /** New and changed cards, and all cards of changed sets, by row id. */
  readonly cards = new Map<number, CatalogCard>();
  /** Cards that are no longer there. */
  readonly removedCards: CatalogCard[] = [];
  /** The row ids of the cards that change, or whose prices change. */
  readonly affected = new Set<number>();
  readonly #contents: Contents;
  readonly #sets = new Map<number, CardSet>();
  readonly #externalIds: CardExternalId[] = [];
  readonly #names: StoredName[] = [];
  readonly #facts: StoredSearchedFacts[] = [];
  readonly #printings: CardPrinting[] = [];
  readonly #removedPrintings: number[] = [];
  #replacements: Replacements | undefined;

  /** @param contents The served contents, to which the changes will be applied. */
  constructor(contents: Contents) {
    this.#contents = contents;
  }

  putSet(set: CardSet): void {
    this.#sets.set(set.rowId, set);
    // Filters find the cards of a set by its name and code.
    for (const card of this.#contents.setCards.of(set.rowId)) this.#put(card.inSet(set));
  }

  putCard(card: StoredCard): void {
    const set = this.#sets.get(card.setRowId) ?? this.#contents.sets.get(card.setRowId);
    if (set) this.#put(this.#contents.cardOf(card, set));
  }

  putExternalId(id: CardExternalId): void {
    this.#externalIds.push(id);
  }

  putName(name: StoredName): void {
    this.#names.push(name);
  }

  putFacts(facts: StoredSearchedFacts): void {
    this.#facts.push(facts);
  }

  putPrinting(printing: CardPrinting): void {
    this.#printings.push(printing);
    this.affected.add(printing.cardRowId);
  }

  removeCard(card: CatalogCard): void {
    this.cards.delete(card.rowId);
    this.removedCards.push(card);
    this.affected.add(card.rowId);
  }

  /** Removes a printing of a card, both by row id. */
  removePrinting(rowId: number, card: number): void {
    this.#removedPrintings.push(rowId);
    this.affected.add(card);
  }

  /** Replaces all external ids, names, facts and newest figures. */
  replace(replacements: Replacements): void {
    this.#replacements = replacements;
  }

  /** Applies all changes to the contents. */
  apply(): void {
    if (this.#replacements) this.#contents.replace(this.#replacements);
    for (const card of this.removedCards) this.#contents.remove(card);
    for (const rowId of this.#removedPrintings) this.#contents.removePrinting(rowId);
    for (const set of this.#sets.values()) this.#contents.putSet(set);
    for (const card of this.cards.values()) this.#contents.put(card);
    for (const id of this.#externalIds) this.#contents.putExternalId(id);
    for (const name of this.#names) this.#contents.putName(name);
    for (const facts of this.#facts) this.#contents.putFacts(facts);
    for (const printing of this.#printings) this.#contents.putPrinting(printing);
  }

  #put(card: CatalogCard): void {
    this.cards.set(card.rowId, card);
    this.affected.add(card.rowId);
  }
}
