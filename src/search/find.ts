import type { GameSlug } from '../domain/games.ts';
import { isJapanese } from '../domain/text.ts';
import type { AliasTable } from './aliases.ts';
import type { Documents } from './documents.ts';
import { Explainer, QueryExplainer, respell } from './evidence/explain.ts';
import { type MixedMatches, MixedSearch } from './evidence/search.ts';
import { findNamedSets, type NamedSets } from './evidence/set-name.ts';
import { readRespelt, readWords, type Words } from './evidence/words.ts';
import { type DocId, type Name, plainPart } from './fields.ts';
import type { DocFilter } from './filters.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { findMatches, matchTerm } from './matcher.ts';
import { hasWholeWords, isExactMatch, isWholeMatch } from './ranking.ts';
import { RankBucket } from './results.ts';
import { type Rewriting, rewriteAliases, translateNames, translateSpecies } from './rewrite.ts';
import { type QueryTerm, readSentence, type Sentence } from './sentence.ts';
import type { Text } from './text.ts';
import type { Translator } from './translator.ts';

/** A query in some wording, with its reading. */
interface ReadQuery {
  readonly query: Sentence;
  /** Undefined if every word is part of the name. */
  readonly words?: Words | undefined;
}

/** The cards that a query means. */
export interface Found extends ReadQuery {
  /** Best first. No card is in two buckets. */
  readonly buckets: readonly RankBucket[];
  /** Rewritings of the query that found some of the cards. */
  readonly inOtherWords?: readonly ReadQuery[];
  /** Whether the best match explains every word. */
  readonly isComplete: boolean;
}

/**
 * Finds cards whose name, number and codes match all words of a query. If words are left over, or
 * another reading fits as well, also scores cards by all meanings of the words.
 */
export class Finder {
  readonly #index: InvertedIndex;
  readonly #documents: Documents;
  readonly #aliases: AliasTable;
  readonly #translator: Translator;
  readonly #mixed: MixedSearch;

  constructor(
    index: InvertedIndex,
    documents: Documents,
    aliases: AliasTable,
    translator: Translator,
  ) {
    this.#index = index;
    this.#translator = translator;
    this.#documents = documents;
    this.#aliases = aliases;
    this.#mixed = new MixedSearch(index, documents);
  }

  /** Finds the cards that a text means. `game` is the game of the filter, if it has one. */
  find(q: string | Text, filter: DocFilter | undefined, game: GameSlug | undefined): Found {
    const typed = readSentence(q, this.#index);
    if (typed.terms.length === 0) return { query: typed, buckets: [], isComplete: false };
    const sets = findNamedSets(typed, this.#index, this.#documents, filter);
    const asTyped = this.#findAsTyped(typed, filter);
    const found = sets ? withNamedSets(asTyped, sets) : asTyped;
    const isFound = found.buckets.length > 0;
    const rewritings = [
      ...rewriteAliases(typed, this.#aliases, this.#index),
      ...translateSpecies(typed, this.#index, game),
      ...translateNames(typed, this.#index, this.#translator, isFound),
    ];
    return rewritings.length === 0 ? found : this.#withRewritings(found, rewritings, filter);
  }

  #findAsTyped(typed: Sentence, filter: DocFilter | undefined): Found {
    const isMixed = this.#isSurelyMixed(typed);
    const query = isMixed ? typed : typed.corrected();
    const buckets = isMixed ? [] : findMatches(query, this.#index, this.#documents, filter);
    if (typed.sequence.length === 1 && buckets.length > 0) {
      return this.#withNearNames(this.#asFound(query, buckets), filter);
    }
    const mixed = this.#isDecisive(query, buckets) ? undefined : this.#mixed.find(query, filter);
    return mixed ? this.#merge(query, buckets, mixed) : this.#asFound(query, buckets);
  }

  /** Adds the cards found by rewritings, if they explain as much of the query. */
  #withRewritings(
    asTyped: Found,
    rewritings: readonly Rewriting[],
    filter: DocFilter | undefined,
  ): Found {
    const possible = rewritings.filter(({ isAlias, isBetter }) => {
      return !isAlias || isBetter || !asTyped.isComplete;
    });
    const rewritten = possible.map((rewriting) => ({
      found: this.#findRewritten(rewriting, filter),
      ...rewriting,
    }));
    const fitting = rewritten.filter(({ found, isAlias }) => {
      return found.isComplete || !(asTyped.isComplete || isAlias);
    });
    const typed = { found: asTyped, isBetter: false, isLast: false };
    const all = [typed, ...fitting]
      .filter(({ found }) => found.buckets.length > 0)
      .map(({ found, isBetter, isLast }) => {
        return { found, quality: isLast ? QUALITIES.last : qualityOf(found, isBetter) };
      })
      .sort((a, b) => a.quality - b.quality);
    const [first] = all;
    if (!first) return asTyped;
    const others = all.slice(1).filter(({ found }) => found.isComplete || !first.found.isComplete);
    const buckets = others.reduce<readonly RankBucket[]>((sofar, { found, quality }) => {
      const isAsGood = quality === first.quality && quality !== QUALITIES.better;
      return isAsGood ? besides(sofar, found.buckets) : joined(sofar, found.buckets);
    }, first.found.buckets);
    return { ...first.found, buckets, inOtherWords: others.map(({ found }) => found) };
  }

  #findRewritten({ q, game }: Rewriting, filter: DocFilter | undefined): Found {
    const isOfGame = (doc: DocId) => this.#documents.set(doc).game === game;
    const both = game ? (doc: DocId) => isOfGame(doc) && (!filter || filter(doc)) : filter;
    return this.#findAsTyped(readSentence(q, this.#index), both);
  }

  /** Returns an explainer, which reports how the query was read for each found card. */
  explainer(found: Found): Explainer {
    const queries = [found, ...(found.inOtherWords ?? [])];
    return new Explainer(
      queries.map(({ query, words = readWords(query, this.#index) }) => {
        return new QueryExplainer(query, words, this.#documents);
      }),
    );
  }

  /** Returns the query in the spelling of a card; undefined if it was typed that way. */
  respell({ query, words }: Found, doc: DocId): string | undefined {
    return respell(query, words, doc, this.#documents);
  }

  /**
   * Adds names for a query of one word that is, or begins, a name but may misspell another. They
   * come after names with the whole word, and before names it begins unless these are more.
   */
  #withNearNames(found: Found, filter: DocFilter | undefined): Found {
    const { query, buckets } = found;
    const [best] = buckets;
    const [term] = query.terms;
    const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
    if (!best || !term || isExactMatch(best.rank) || count > MAX_FEW) return found;
    if (isJapanese(term.text)) return found;
    const near = new RankBucket();
    for (const doc of this.#nearNames(term)) if (!filter || filter(doc)) near.add(doc);
    if (near.count === 0 || term.corrections.size > 0) return found;
    const whole = buckets.filter(({ rank }) => hasWholeWords(rank));
    const begun = buckets.filter(({ rank }) => !hasWholeWords(rank));
    const begunCount = begun.reduce((sum, bucket) => sum + bucket.count, 0);
    const [first, second] = near.count >= begunCount ? [[near], begun] : [begun, [near]];
    const words = readRespelt(query, this.#index);
    return {
      ...found,
      buckets: joined(joined(whole, first), second),
      inOtherWords: [{ query, words }],
    };
  }

  /** Yields the documents whose name is one edit away from a word. */
  *#nearNames({ text }: QueryTerm): Iterable<DocId> {
    for (const { term, edits } of this.#index.spelling.corrections(text)) {
      if (edits !== 1) continue;
      const called = term.postings.filter(({ folded }) => folded === term.text);
      for (const { docs } of called) yield* docs;
    }
  }

  #asFound(query: Sentence, buckets: readonly RankBucket[]): Found {
    const words = this.#wordsBesideName(query, buckets);
    return { query, buckets, words, isComplete: buckets.length > 0 };
  }

  /** Returns the words of a query if the best match does not have all of them in its name. */
  #wordsBesideName(query: Sentence, [best]: readonly RankBucket[]): Words | undefined {
    const [doc] = best?.unsorted() ?? [];
    if (doc === undefined) return undefined;
    const name = this.#documents.name(doc);
    const isName = query.terms.every((term) => matchTerm(term, name));
    return isName ? undefined : readWords(query, this.#index);
  }

  /** Whether a word that is in no name, number or code is a phrase or a set's word. */
  #isSurelyMixed(query: Sentence): boolean {
    const { terms, sequence } = query;
    if (terms.length < 2 || terms.every(({ isKnown }) => isKnown)) return false;
    const inPhrases = new Set(
      query.text.phrases.flatMap(({ from, to }) => sequence.slice(from, to)),
    );
    return terms.some(({ isKnown, text }, i) => {
      return !isKnown && (inPhrases.has(i) || this.#index.setWords.get(text) !== undefined);
    });
  }

  /** Whether the matches of every word are certain, which makes other readings unnecessary. */
  #isDecisive(query: Sentence, buckets: readonly RankBucket[]): boolean {
    const [best] = buckets;
    if (!best) return false;
    if (isExactMatch(best.rank)) return true;
    return this.#isNameAlone(query, buckets) && query.text.phrases.length === 0;
  }

  /** Whether a query consists of whole words of the best name, each typed once. */
  #isNameAlone({ terms, sequence }: Sentence, [best]: readonly RankBucket[]): boolean {
    if (!best || !isWholeMatch(best.rank) || sequence.length > terms.length) return false;
    const [doc] = best.unsorted();
    if (doc === undefined) return false;
    const name = this.#documents.name(doc);
    return terms.every((term) => isInPlainName(term, name));
  }

  /** Joins both lists, the better-fitting matches first. */
  #merge(query: Sentence, strict: readonly RankBucket[], mixed: MixedMatches): Found {
    const { words, isComplete } = mixed;
    if (strict.length === 0) return { query, buckets: mixed.buckets, words, isComplete };
    if (!isComplete) return this.#asFound(query, strict);
    if (!this.#isNameAlone(query, strict)) {
      return { query, buckets: joined(mixed.buckets, strict), words, isComplete };
    }
    const buckets = joined(strict, mixed.buckets);
    return { ...this.#asFound(query, strict), buckets, inOtherWords: [{ query, words }] };
  }
}

/**
 * Reads a query as the name of a set. Cards with all its words in their names also match. They come
 * first if one has exactly this name, or if they outnumber the set's cards.
 */
function withNamedSets(found: Found, { bucket, words }: NamedSets): Found {
  const asSet: Found = { query: found.query, buckets: [bucket], words, isComplete: true };
  const [best] = found.buckets;
  if (!best || found.words) return asSet;
  const count = found.buckets.reduce((sum, { count }) => sum + count, 0);
  const isName = isExactMatch(best.rank) || count > bucket.count;
  const [first, second] = isName ? [found, asSet] : [asSet, found];
  const inOtherWords = [...(first.inOtherWords ?? []), second, ...(second.inOtherWords ?? [])];
  return { ...first, buckets: joined(first.buckets, second.buckets), inOtherWords };
}

/** How well a wording of a query fits, best first. */
const QUALITIES = { exact: 0, better: 1, complete: 2, incomplete: 3, last: 4 } as const;

function qualityOf({ words, buckets, isComplete }: Found, isBetter: boolean): number {
  const [best] = buckets;
  if (isBetter) return QUALITIES.better;
  if (!words && best && isExactMatch(best.rank)) return QUALITIES.exact;
  return isComplete ? QUALITIES.complete : QUALITIES.incomplete;
}

/** A word that matches more documents than this does not count as a misspelling. */
const MAX_FEW = 200;

/** Whether a word is in a name outside of its brackets, or is a number or a code. */
function isInPlainName(term: QueryTerm, name: Name): boolean {
  if (term.numbers.listed.length > 0 || term.codeDocs.length > 0) return true;
  const { termCount } = plainPart(name);
  if (termCount === name.terms.length) return true;
  return name.terms.slice(0, termCount).some((text) => text.startsWith(term.text));
}

/** Returns the buckets of the first list, then those of the second without its documents. */
function joined(first: readonly RankBucket[], second: readonly RankBucket[]): RankBucket[] {
  return [...first, ...without(second, first)];
}

/** Joins two equally good lists of buckets. Their best matches become one bucket. */
function besides(a: readonly RankBucket[], b: readonly RankBucket[]): RankBucket[] {
  const others = without(b, a);
  const best = [a[0], others[0]].filter((bucket) => bucket !== undefined);
  return [RankBucket.merged(best), ...a.slice(1), ...others.slice(1)];
}

/** Returns the buckets without the documents of `others`. */
function without(buckets: readonly RankBucket[], others: readonly RankBucket[]): RankBucket[] {
  const known = new Set<DocId>(others.flatMap((bucket) => [...bucket.unsorted()]));
  return buckets.flatMap((bucket) => {
    const rest = new RankBucket(bucket.rank);
    for (const doc of bucket.unsorted()) if (!known.has(doc)) rest.add(doc);
    return rest.count > 0 ? [rest] : [];
  });
}
