import type { Conversion } from '../domain/conversion.ts';
import { formatDay } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import { foldWords } from '../domain/text.ts';
import type { DocId } from './fields.ts';
import type { DocFilter } from './filters.ts';
import type { Finder, Found } from './find.ts';
import { type ConvertedAmounts, type Understood, understoodAsName } from './lexicon/phrase.ts';
import type { Searched } from './query/evaluate.ts';
import { gameOf, isCalled, isWithoutWords, namesIn, Queries, type Query } from './query/index.ts';
import { conversionsIn } from './query/tree.ts';
import { RankBucket, type SearchQuery } from './results.ts';
import { readSentence } from './sentence.ts';
import { suggestName } from './suggest.ts';

/** A parsed query, with all conditions for cards in addition to its words. */
export interface ReadQuery {
  readonly parsed: Query;
  /** Whether the text is empty, which means all cards. */
  readonly isEmpty: boolean;
  readonly game: GameSlug | undefined;
  /** The condition for examining a card at all. */
  readonly inner: DocFilter | undefined;
  /** The condition that the cards found by the words must satisfy. */
  readonly test: DocFilter | undefined;
  /** Both conditions. */
  readonly filter: DocFilter | undefined;
}

/** Finds the cards that the words of a query mean and that satisfy its condition. */
export class ConditionalFinder {
  readonly #finder: Finder;
  readonly #searched: Searched;
  readonly #queries: Queries;

  constructor(finder: Finder, searched: Searched) {
    this.#finder = finder;
    this.#searched = searched;
    this.#queries = new Queries(searched);
  }

  /** Reads the text and the filters of a query. */
  read(query: Omit<SearchQuery, 'sort' | 'limit' | 'offset'>): ReadQuery {
    const parsed = this.#queries.read(query);
    const { condition } = parsed;
    const game = query.game ?? (condition && gameOf(condition));
    const inner = this.#searched.filters.compile(game ? { ...query, game } : query);
    const test = condition && this.#queries.compile(condition, query);
    return { parsed, isEmpty: query.q === '', game, inner, test, filter: both(inner, test) };
  }

  /**
   * Finds the cards for the words, regardless of the condition, then those that satisfy the
   * condition.
   */
  find({ parsed, isEmpty, game, inner, test, filter }: ReadQuery): Found {
    if (isEmpty || isWithoutWords(parsed)) return this.#findAll(parsed, filter);
    const found = this.#finder.find(parsed.text, inner, game);
    if (!test) return found;
    const buckets = found.buckets.map((bucket) => bucket.filter(test));
    return { ...found, buckets: buckets.filter(({ count }) => count > 0) };
  }

  /** Finds all cards that pass a filter; cards with a name in the condition come first. */
  #findAll({ condition }: Query, filter: DocFilter | undefined): Found {
    const [called, others] = [new RankBucket(0), new RankBucket(1)];
    const names = [...(condition ? namesIn(condition) : [])];
    const isFirst = (doc: DocId) => {
      const name = this.#searched.documents.name(doc);
      return names.some((text) => isCalled(name, text));
    };
    this.#queries.visitCandidates(condition, (doc) => {
      if (filter && !filter(doc)) return;
      if (names.length > 0 && isFirst(doc)) called.add(doc);
      else others.add(doc);
    });
    const buckets = [called, others].filter(({ count }) => count > 0);
    return { query: readSentence('', this.#searched.index), buckets, isComplete: true };
  }

  /** Returns the nearest name that would match. */
  suggest({ query }: Found, { filter }: ReadQuery): string | undefined {
    return suggestName(query, this.#searched.index, filter);
  }
}

function both(a: DocFilter | undefined, b: DocFilter | undefined): DocFilter | undefined {
  return a && b ? (doc) => a(doc) && b(doc) : (a ?? b);
}

/** Adds the parts of a query other than words to the reading of its words. */
export function withParts(
  words: Understood | undefined,
  { text, condition, filters, problems }: Query,
): Understood | undefined {
  if (filters.length + problems.length === 0) return words;
  const converted = condition ? conversionsIn(condition).map(convertedAmounts) : [];
  return {
    ...(words ?? understoodAsName(foldWords(text).join(' '))),
    ...(filters.length > 0 && { filters }),
    ...(converted.length > 0 && { converted }),
    ...(problems.length > 0 && { problems }),
  };
}

/** The rate that converted amounts of a query, and its day. */
function convertedAmounts({ from, to, rate, day }: Conversion): ConvertedAmounts {
  return { from, to, rate, date: formatDay(day) };
}
