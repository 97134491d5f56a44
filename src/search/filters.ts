import { type Card, type CardSet, defaultPrinting, isPriced } from '../domain/card.ts';
import { isOversizedSet, readSetName } from '../domain/card-name.ts';
import { type ConfidenceFilter, isSureEnough } from '../domain/confidence-level.ts';
import { parseDay } from '../domain/day.ts';
import type { LocalPrices } from '../domain/local-prices.ts';
import { isInRange, type PriceFilter } from '../domain/price.ts';
import { foldText, foldWords } from '../domain/text.ts';
import type { Documents } from './documents.ts';
import type { DocId, IndexedSet } from './fields.ts';
import { type PriceReader, priceReader } from './prices.ts';
import type { SetWords } from './set-words.ts';

/** Whether a document passes the filters of a query. */
export type DocFilter = (doc: DocId) => boolean;

interface FilterQuery {
  readonly game?: string;
  readonly set?: string;
  readonly rarity?: string;
  readonly price?: PriceFilter;
  readonly confidence?: ConfidenceFilter;
  readonly local?: LocalPrices;
}

/** The filters of queries: by game, set, rarity, price and confidence. */
export class Filters {
  readonly #documents: Documents;
  readonly #setWords: SetWords;
  /** The latest version of each set, by its row id. */
  readonly #sets = new Map<number, { readonly source: CardSet; readonly indexed: IndexedSet }>();
  /** The result of {@link sets}; undefined until the first use after a set was added. */
  #list: readonly CardSet[] | undefined;
  /**
   * Sets by every folded code and name that callers may use. The old name of a renamed set leads to
   * its older version, for cards that were not added again.
   */
  readonly #setsByLabel = new Map<string, Set<IndexedSet>>();
  /** All versions of each set by its setId, both unfolded and folded. */
  readonly #setsById = new Map<string, Set<IndexedSet>>();
  /** Folded rarities by the displayed rarity. */
  readonly #foldedRarities = new Map<string, string>();

  constructor(documents: Documents, setWords: SetWords) {
    this.#documents = documents;
    this.#setWords = setWords;
  }

  /** The latest version of each set. The same array is returned until a set changes. */
  get sets(): readonly CardSet[] {
    this.#list ??= [...this.#sets.values()].map(({ source }) => source);
    return this.#list;
  }

  /** Returns all versions of a set. */
  versionsOf({ id }: CardSet): ReadonlySet<IndexedSet> {
    return this.#setsById.get(id) ?? new Set();
  }

  /** The indexed set of a card that is being added. */
  setOf({ set }: Card): IndexedSet {
    const latest = this.#sets.get(set.rowId);
    return latest && isSameSet(latest.source, set) ? latest.indexed : this.#addSet(set);
  }

  /** Drops a set from {@link sets} if none of its documents is live. */
  dropUnused(set: CardSet): void {
    const versions = [...this.versionsOf(set)];
    if (versions.some(({ docs }) => docs.some((doc) => this.#documents.isLive(doc)))) return;
    this.#sets.delete(set.rowId);
    this.#list = undefined;
  }

  /** The folded rarity of a card that is being added. */
  rarityOf({ rarity }: Card): string | null {
    if (rarity === null) return null;
    const folded = this.#foldedRarities.get(rarity) ?? foldText(rarity);
    this.#foldedRarities.set(rarity, folded);
    return folded;
  }

  /** Whether any card has had this rarity. */
  hasRarity(label: string): boolean {
    const folded = foldText(label);
    return [...this.#foldedRarities.values()].includes(folded);
  }

  /** Returns a test for documents, or undefined without filters. Unknown values match nothing. */
  compile({ game, set, rarity, price, confidence, local }: FilterQuery): DocFilter | undefined {
    const all = [game, set, rarity, price, confidence];
    if (all.every((one) => one === undefined)) return undefined;
    const documents = this.#documents;
    const readPrice = priceReader(local);
    const sets = set === undefined ? undefined : (this.setsNamed(set) ?? NO_SETS);
    const foldedRarity = rarity === undefined ? undefined : foldText(rarity);
    return (doc) =>
      (game === undefined || documents.set(doc).game === game) &&
      (sets === undefined || sets.has(documents.set(doc))) &&
      (foldedRarity === undefined || documents.rarity(doc) === foldedRarity) &&
      (price === undefined || this.#hasPrice(doc, price, readPrice)) &&
      (confidence === undefined || isSureEnough(defaultPrinting(documents.card(doc)), confidence));
  }

  #hasPrice(doc: DocId, filter: PriceFilter, readPrice: PriceReader): boolean {
    const { isPriced: wanted } = filter;
    if (wanted !== undefined && isPriced(this.#documents.card(doc)) !== wanted) return false;
    return isInRange(filter, readPrice(this.#documents, doc));
  }

  /** Finds sets by setId, then by code or name, then by folded setId. */
  setsNamed(text: string): ReadonlySet<IndexedSet> | undefined {
    const folded = foldText(text);
    const byId = this.#setsById.get(text.trim().toLowerCase());
    return byId ?? this.#setsByLabel.get(folded) ?? this.#setsById.get(folded);
  }

  /** Yields all versions of all sets, some of them twice. */
  *indexedSets(): Iterable<IndexedSet> {
    for (const sets of this.#setsById.values()) yield* sets;
  }

  #addSet(set: CardSet): IndexedSet {
    const { game, code, name, releaseDate } = set;
    const releaseDay = releaseDate === null ? null : (parseDay(releaseDate) ?? null);
    const { code: leadingCode, name: bareName } = readSetName(name);
    const indexed: IndexedSet = {
      game,
      name,
      terms: foldWords(bareName),
      code: foldText(code),
      leadingCode: foldWords(leadingCode),
      isOversized: isOversizedSet(name),
      releaseDay,
      releaseYear: releaseDate === null ? null : Number(releaseDate.slice(0, 4)),
      docs: [],
    };
    this.#sets.set(set.rowId, { source: set, indexed });
    this.#list = undefined;
    this.#setWords.add(indexed);
    for (const label of [code, name, bareName]) {
      addSet(this.#setsByLabel, foldText(label), indexed);
    }
    for (const label of [set.id, foldText(set.id)]) addSet(this.#setsById, label, indexed);
    return indexed;
  }
}

const NO_SETS: ReadonlySet<IndexedSet> = new Set();

function addSet(sets: Map<string, Set<IndexedSet>>, label: string, set: IndexedSet): void {
  const labelled = sets.get(label) ?? new Set();
  sets.set(label, labelled.add(set));
}

function isSameSet(a: CardSet, b: CardSet): boolean {
  if (a === b) return true;
  const isSameId = a.id === b.id && a.game === b.game;
  return isSameId && a.code === b.code && a.name === b.name && a.releaseDate === b.releaseDate;
}
