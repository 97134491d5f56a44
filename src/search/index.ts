import type { Card, CardSet, Printing } from '../domain/card.ts';
import { countFacets, type FacetCounts, type Faceted } from '../domain/facets.ts';
import type { GameSlug } from '../domain/games.ts';
import { type LanguageCode, languageInName } from '../domain/languages.ts';
import { foldText } from '../domain/text.ts';
import { append } from '../lib/append.ts';
import { ALIASES, type Alias, AliasTable, parseAliases } from './aliases.ts';
import { ConditionalFinder, withParts } from './conditional-finder.ts';
import { Documents } from './documents.ts';
import { FactColumns } from './fact-columns.ts';
import type { DocId, Fields, IndexedSet } from './fields.ts';
import { Filters } from './filters.ts';
import { Finder, type Found } from './find.ts';
import { ForeignNames } from './foreign-names.ts';
import { InvertedIndex } from './inverted-index.ts';
import type { AskedCopy, FilterPart, Reading, Understood } from './lexicon/phrase.ts';
import { Lookup } from './lookup.ts';
import { findMatches } from './matcher.ts';
import { priceReader } from './prices.ts';
import {
  type CachedResults,
  ResultCache,
  Results,
  SEARCH_SORTS,
  type SearchQuery,
  type SearchSort,
} from './results.ts';
import { SAVED_INDEX, type SavedIndex } from './saved/format.ts';
import { restoreIndex } from './saved/restore.ts';
import { saveIndex } from './saved/save.ts';
import { readSentence } from './sentence.ts';
import type { Text } from './text.ts';
import { Translator } from './translator.ts';

export { FactColumns } from './fact-columns.ts';
export { type ForeignName, ForeignNames } from './foreign-names.ts';
export type { Facts, Phrase, Span } from './lexicon/index.ts';
export { readGame, readTable, required } from './lexicon/table.ts';
export type { Lookup } from './lookup.ts';
export { areSimilar, isSimilarName, misreadDigits, misreadLetters } from './misread.ts';
export { type FoundProduct, type FoundProducts, ProductIndex } from './products/index.ts';
export { saysProduct, termsOf } from './products/words.ts';
export { findLink, readFileName } from './query/links.ts';
export { type FieldTest, type LuceneFields, parseLucene, QueryFault } from './query/lucene.ts';
export { compileLucene, isRecord, type Scalar, valuesAt } from './query/lucene-matcher.ts';
export { joinTrees, type Tree } from './query/tree.ts';
export { overlap, readText, Text } from './text.ts';
export { namesInOtherLanguages, translateForeign } from './translations/index.ts';
export type { Translation } from './translator.ts';
export {
  type Alias,
  type AskedCopy,
  type FilterPart,
  parseAliases,
  type Reading,
  SAVED_INDEX,
  type SavedIndex,
  SEARCH_SORTS,
  type SearchQuery,
  type SearchSort,
  type Understood,
};

export interface SearchResult {
  readonly cards: readonly Card[];
  /** The number of matching cards on all pages. */
  readonly total: number;
  /** The nearest name that would match; present only if nothing matches. */
  readonly suggestion?: string;
  /** The query in the spelling of its best match; present only when a word was misspelt. */
  readonly corrected?: string;
  /** How the query was read; present only when it was more than a name. */
  readonly understood?: Understood;
  /** The language whose prices the query asks for; absent if it names none. */
  readonly language?: LanguageCode;
  /** The facets that the query asks for. */
  readonly facets?: FacetCounts;
  /** How the words were read for each card; present only when the query asks for it. */
  readonly readings?: readonly (readonly Reading[])[];
}

/** A page of printings with their cards. */
export interface PrintingPage {
  readonly printings: readonly { readonly card: Card; readonly printing: Printing | undefined }[];
  readonly total: number;
}

export interface SearchOptions {
  /** The operator's own aliases, added to the built-in ones. */
  readonly aliases?: readonly Alias[];
  /** Returns the card with a public id, or with an external id such as `tcgplayer:85637`. */
  readonly cardWithId?: (id: string) => Card | undefined;
}

/** A newer version of a live document, which replaces it at the next commit. */
interface Replacement {
  readonly doc: DocId;
  readonly card: Card;
  readonly fields: Fields;
}

/**
 * Finds cards by what collectors type. The index is in memory. docs/search.md describes how it
 * works, and docs/glossary.md#search defines the terms.
 */
export class SearchIndex {
  readonly #documents = new Documents();
  readonly #inverted = new InvertedIndex(this.#documents);
  readonly #filters = new Filters(this.#documents, this.#inverted.setWords);
  readonly #finder: Finder;
  readonly #conditional: ConditionalFinder;
  readonly #cache = new ResultCache();
  /** The live documents by the row id of their card. An array, because row ids have few gaps. */
  readonly #live: (DocId | undefined)[] = [];
  readonly #lookup: Lookup;
  #foreignNames = new ForeignNames();
  #facts = new FactColumns();
  /** Translates names in other languages. */
  readonly translator = new Translator(
    () => this.#foreignNames,
    (rowId) => this.#liveCard(rowId),
  );
  #staged: DocId[] = [];
  /** Newer versions that keep their doc id, because the same terms find them. */
  #replacements: Replacement[] = [];
  /** The row ids of live cards for which a newer version is staged. */
  #superseded = new Set<number>();
  #removed: Card[] = [];
  #version = 0;

  constructor({ aliases = [], cardWithId }: SearchOptions = {}) {
    const table = new AliasTable([...ALIASES, ...aliases]);
    this.#finder = new Finder(this.#inverted, this.#documents, table, this.translator);
    const docWithId = (id: string) => this.#live[cardWithId?.(id)?.rowId ?? -1];
    const searched = {
      documents: this.#documents,
      index: this.#inverted,
      filters: this.#filters,
      docWithId,
      facts: () => this.#facts,
    };
    this.#conditional = new ConditionalFinder(this.#finder, searched);
    this.#lookup = new Lookup(searched, this.#live);
  }

  /**
   * Stages a card, or a newer version of the card with the same row id. Until {@link commit},
   * searches still see the older version, if there is one.
   */
  add(card: Card): void {
    const fields = this.#fieldsOf(card);
    const live = this.#live[card.rowId];
    if (live !== undefined && !this.#superseded.has(card.rowId)) {
      const isSameId = this.#documents.card(live).id === card.id;
      if (isSameId && this.#documents.hasSameTerms(live, fields)) {
        this.#replacements.push({ doc: live, card, fields });
        return;
      }
      this.#superseded.add(card.rowId);
    }
    const doc = this.#documents.add(card, fields);
    this.#inverted.addDocument(doc);
    this.#staged.push(doc);
  }

  /** Stages the removal of a card. Until {@link commit}, searches still see it. */
  remove(card: Card): void {
    this.#removed.push(card);
  }

  /** Increases with each commit that changes the result of {@link save}. */
  get version(): number {
    return this.#version;
  }

  /**
   * Returns the columns from which {@link restore} rebuilds the index, in steps of about a
   * millisecond. Discard the result if {@link version} changed before the last step.
   */
  save(): Generator<undefined, SavedIndex> {
    const docs = this.#live.filter((doc) => doc !== undefined);
    return saveIndex(this.#documents, this.#inverted, docs);
  }

  /**
   * Fills an empty index with saved columns. Returns the cards that the caller must still add: new
   * ones, and cards whose texts have changed. `cards` has all cards by row id.
   *
   * @throws Error if the columns do not fit the cards; the index then stays empty.
   */
  restore(saved: SavedIndex, cards: readonly (Card | undefined)[]): Card[] {
    const parts = { documents: this.#documents, inverted: this.#inverted, filters: this.#filters };
    const others = restoreIndex(parts, saved, cards);
    for (const [doc, rowId] of saved.docRowIds.entries()) this.#live[rowId] = doc as DocId;
    return others;
  }

  /** Makes all staged cards visible to searches at once. */
  commit(): void {
    this.#inverted.commit();
    this.#documents.commit();
    if (this.#staged.length + this.#removed.length > 0) this.#version++;
    for (const card of this.#removed) this.#removeCard(card);
    for (const { doc, card, fields } of this.#replacements) {
      this.#inverted.replaceDocument(doc, card, fields);
      this.updatePrice(card);
    }
    for (const doc of this.#staged) this.#makeLive(doc);
    for (const doc of this.#staged) this.updatePrice(this.#documents.card(doc));
    this.#removed = [];
    this.#staged = [];
    this.#replacements = [];
    this.#superseded = new Set();
  }

  /** Updates the prices and printings of a committed card. Nothing else may have changed. */
  updatePrice(card: Card): void {
    const doc = this.#live[card.rowId];
    if (doc !== undefined) this.#documents.setPrinted(doc, card);
  }

  /** Returns one page of the matches of a query. */
  search(query: SearchQuery): SearchResult {
    // Later pages show the same results as the first page, even after a commit.
    const cached = query.offset > 0 ? this.#cache.get(query) : undefined;
    return cached ? this.#page(cached, query) : this.#execute(query);
  }

  /**
   * Returns one page of the printings of all matches, each card's plainest first. A card without
   * printings counts as one. An empty text means all cards.
   */
  searchPrintings(query: SearchQuery): PrintingPage {
    const cached = query.offset > 0 ? this.#cache.get(query) : undefined;
    const { results } = cached ?? this.#run(query).cached;
    const places = results.printings(query.offset, query.limit);
    const printings = places.flatMap(({ doc, place }) => {
      const card = this.#documents.card(this.#newestVersion(doc));
      const printing = card.printings[place];
      return printing || place === 0 ? { card, printing } : [];
    });
    return { printings, total: results.printingTotal };
  }

  /** Returns only the best matches of a text. Caches nothing for later pages. */
  best({ text, game, limit }: { text: Text; game?: GameSlug; limit: number }): Card[] {
    const found = this.#finder.find(text, this.#filters.compile(game ? { game } : {}), game);
    const docs = new Results(found.buckets, 'relevance', this.#documents).page(0, limit);
    return docs.map((doc) => this.#documents.card(doc));
  }

  /** Returns distinct names for a search box, best first, without variants in brackets. */
  autocomplete(query: { q: string; game?: GameSlug; limit: number }): string[] {
    const names = new Map<string, string>();
    const { parsed, filter } = this.#conditional.read(query);
    const sentence = readSentence(parsed.text, this.#inverted).corrected();
    const buckets = findMatches(sentence, this.#inverted, this.#documents, filter);
    for (const doc of new Results(buckets, 'relevance', this.#documents)) {
      if (names.size === query.limit) break;
      const { plain } = this.#documents.name(doc);
      const folded = foldText(plain);
      if (!names.has(folded)) names.set(folded, plain);
    }
    return [...names.values()];
  }

  /** The names of cards in other languages. They take effect at once. */
  get foreignNames(): ForeignNames {
    return this.#foreignNames;
  }

  /** The search's data on the facts of cards. They take effect at once. */
  get facts(): FactColumns {
    return this.#facts;
  }

  /** Replaces all names in other languages and all facts. */
  replaceDetails(names: ForeignNames, facts: FactColumns): void {
    this.#foreignNames = names;
    this.#facts = facts;
  }

  #liveCard(rowId: number): Card | undefined {
    const doc = this.#live[rowId];
    return doc === undefined ? undefined : this.#documents.card(doc);
  }

  #fieldsOf(card: Card): Fields {
    const set = this.#filters.setOf(card);
    return {
      name: this.#inverted.addName(card.name),
      number: this.#inverted.numbers.add(card.number ?? '', set.code),
      set,
      rarity: this.#filters.rarityOf(card),
    };
  }

  #execute(query: SearchQuery): SearchResult {
    const { cached, found, asked } = this.#run(query);
    const isNone = cached.results.total === 0;
    const suggestion = isNone ? this.#conditional.suggest(found, asked) : undefined;
    return {
      ...this.#page(cached, query, found),
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  }

  /** Runs a search, and caches its results if they have more pages. */
  #run(query: SearchQuery) {
    const asked = this.#conditional.read(query);
    const { parsed } = asked;
    const found = this.#conditional.find(asked);
    const sort = query.sort === 'relevance' ? (parsed.sort ?? query.sort) : query.sort;
    const results = new Results(found.buckets, sort, this.#documents, query.local);
    const [best] = results.page(0, 1);
    const read = best === undefined ? {} : this.#readWords(found, best);
    const inName = best === undefined ? undefined : this.#languageInName(found, best);
    const language = parsed.language ?? read.language ?? inName;
    const understood = withParts(read.understood, parsed);
    const corrected = best === undefined ? undefined : this.#finder.respell(found, best);
    // Do not cache the looked-up words: they take a hundred times as much memory.
    const cached = { results, understood, corrected, language };
    if (!query.pick && results.total > query.limit) this.#cache.set(query, cached);
    return { cached, found, asked };
  }

  /** Returns the language of the best match, if its name gives one that the query also names. */
  #languageInName({ query }: Found, best: DocId): LanguageCode | undefined {
    const said = languageInName(this.#documents.card(best).name);
    if (said === undefined) return undefined;
    return query.text.phrases.find(({ language }) => language === said)?.language;
  }

  /** Returns how the words were read for their best match, if it needs more than its name. */
  #readWords(found: Found, best: DocId): { understood?: Understood; language?: LanguageCode } {
    if (found.words === undefined) return {};
    const explainer = this.#finder.explainer(found);
    const understood = explainer.understood(best);
    if (!understood) return {};
    const language = understood.language === null ? undefined : explainer.language(best);
    return { understood, ...(language && { language }) };
  }

  /** Returns a page. `found` is the result of a search that just ran, absent for later pages. */
  #page(cached: CachedResults, query: SearchQuery, found?: Found): SearchResult {
    const { results, understood, corrected, language } = cached;
    const docs = this.#docsOnPage(results, query).map((doc) => this.#newestVersion(doc));
    return {
      cards: docs.map((doc) => this.#documents.card(doc)),
      total: results.total,
      ...(corrected !== undefined && { corrected }),
      ...(understood && { understood }),
      ...(language && { language }),
      ...(query.facets && { facets: countFacets(query.facets, this.#faceted(results, query)) }),
      ...(query.explain && { readings: this.#explain(docs, query, found) }),
    };
  }

  #docsOnPage(results: Results, { pick, offset, limit }: SearchQuery): readonly DocId[] {
    if (!pick) return results.page(offset, limit);
    return pick(this.#cardsOf(results)).flatMap(({ rowId }) => this.#live[rowId] ?? []);
  }

  /**
   * Returns the counted parts of matches, in no particular order. Reads only the card of the first
   * match with a set or rarity, because cards are scattered over memory.
   */
  #faceted(results: Results, { local }: SearchQuery): Faceted[] {
    const [documents, price] = [this.#documents, priceReader(local)];
    const sets = new Map<IndexedSet, CardSet>();
    const rarities = new Map<string | null, string | null>();
    const faceted: Faceted[] = [];
    results.visit((doc) => {
      const [indexed, folded] = [documents.set(doc), documents.rarity(doc)];
      const set = sets.get(indexed) ?? documents.card(doc).set;
      const rarity = rarities.get(folded) ?? documents.card(doc).rarity;
      sets.set(indexed, set);
      rarities.set(folded, rarity);
      const printings = documents.printings(doc);
      faceted.push({ set, rarity, printings, market: price(documents, doc) });
    });
    return faceted;
  }

  *#cardsOf(docs: Iterable<DocId>): Generator<Card> {
    for (const doc of docs) yield this.#documents.card(doc);
  }

  /** Returns how the words were read for each document. Searches again if `found` is absent. */
  #explain(
    docs: readonly DocId[],
    query: SearchQuery,
    found = this.#conditional.find(this.#conditional.read(query)),
  ) {
    const explainer = this.#finder.explainer(found);
    return docs.map((doc) => explainer.readings(doc));
  }

  /** Returns the live version of a document from cached results, which may be an older one. */
  #newestVersion(doc: DocId): DocId {
    return this.#live[this.#documents.card(doc).rowId] ?? doc;
  }

  #makeLive(doc: DocId): void {
    const { rowId } = this.#documents.card(doc);
    const older = this.#live[rowId];
    if (older !== undefined) this.#remove(older);
    const name = this.#documents.name(doc);
    this.#inverted.reviveName(name);
    name.docs = append(name.docs, doc);
    this.#documents.setLive(doc, true);
    this.#live[rowId] = doc;
  }

  #removeCard({ rowId, set }: Card): void {
    const doc = this.#live[rowId];
    if (doc === undefined) return;
    this.#remove(doc);
    this.#live[rowId] = undefined;
    this.#filters.dropUnused(set);
    // Later pages would still show the card.
    this.#cache.clear();
  }

  #remove(doc: DocId): void {
    const name = this.#documents.name(doc);
    name.docs = name.docs.filter((other) => other !== doc);
    if (name.docs.length === 0) this.#inverted.retireName(name);
    this.#documents.setLive(doc, false);
  }

  /** Finds cards by exact names and numbers. */
  get lookup(): Lookup {
    return this.#lookup;
  }

  /** The sets of all cards. The same array is returned until a set is added or changes. */
  get sets(): readonly CardSet[] {
    return this.#filters.sets;
  }
}
