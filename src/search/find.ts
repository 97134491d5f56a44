import type { Documents } from './documents.ts';
import { Explainer } from './evidence/explain.ts';
import { type MixedMatches, MixedSearch } from './evidence/search.ts';
import { readWords, type Words } from './evidence/words.ts';
import type { DocId, Name } from './fields.ts';
import type { DocFilter } from './filters.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { findPhrases } from './lexicon/index.ts';
import { findMatches, matchTerm } from './matcher.ts';
import { correctQuery, type ParsedQuery, parseQuery, type QueryTerm } from './query.ts';
import { isExactMatch, isWholeMatch } from './ranking.ts';
import { RankBucket } from './results.ts';

/** The cards that a query means. */
export interface Found {
  readonly query: ParsedQuery;
  /** Best first; no card is in two of them. */
  readonly buckets: readonly RankBucket[];
  /** How the words were read; undefined when every word is a part of the name. */
  readonly words?: Words | undefined;
}

/**
 * Finds cards by names, numbers and codes that all words of a query match; where that leaves words
 * over, or another reading is as good, by all that its words say.
 */
export class Finder {
  readonly #index: InvertedIndex;
  readonly #documents: Documents;
  readonly #mixed: MixedSearch;

  constructor(index: InvertedIndex, documents: Documents) {
    this.#index = index;
    this.#documents = documents;
    this.#mixed = new MixedSearch(index, documents);
  }

  find(q: string, filter: DocFilter | undefined): Found {
    const typed = parseQuery(q, this.#index);
    if (typed.terms.length === 0) return { query: typed, buckets: [] };
    const isMixed = this.#isSurelyMixed(typed);
    const query = isMixed ? typed : correctQuery(typed, this.#index);
    const buckets = isMixed ? [] : findMatches(query, this.#index, this.#documents, filter);
    const mixed = this.#isDecisive(query, buckets) ? undefined : this.#mixed.find(query, filter);
    if (mixed) return this.#merge(query, buckets, mixed);
    return { query, buckets, words: this.#wordsBesideName(query, buckets) };
  }

  /** Tells which words were read as what, for the cards that were found. */
  explainer({ query, words = readWords(query, this.#index, false) }: Found): Explainer {
    return new Explainer(query, words, this.#documents);
  }

  /** The words of a query when the best match does not have all of them in its name. */
  #wordsBesideName(query: ParsedQuery, [best]: readonly RankBucket[]): Words | undefined {
    const [doc] = best?.unsorted() ?? [];
    if (doc === undefined) return undefined;
    const name = this.#documents.name(doc);
    const isName = query.terms.every((term) => matchTerm(term, name));
    return isName ? undefined : readWords(query, this.#index, false);
  }

  /** Whether a word that no name, number or code has is something else, so that it is right. */
  #isSurelyMixed({ terms, sequence }: ParsedQuery): boolean {
    if (terms.length < 2 || terms.every(({ isKnown }) => isKnown)) return false;
    const phrases = findPhrases(sequence.map((i) => terms[i]?.text ?? ''));
    const inPhrases = new Set(phrases.flatMap(({ from, to }) => sequence.slice(from, to)));
    return terms.some(({ isKnown, text }, i) => {
      return !isKnown && (inPhrases.has(i) || this.#index.setWords.get(text) !== undefined);
    });
  }

  /** Whether cards that match every word are surely meant: other readings need not be compared. */
  #isDecisive({ terms, sequence }: ParsedQuery, [best]: readonly RankBucket[]): boolean {
    if (!best) return false;
    if (sequence.length === 1 || isExactMatch(best.rank)) return true;
    if (!isWholeMatch(best.rank) || sequence.length > terms.length) return false;
    const [doc] = best.unsorted();
    if (doc === undefined) return false;
    const name = this.#documents.name(doc);
    const phrases = findPhrases(sequence.map((i) => terms[i]?.text ?? ''));
    return phrases.length === 0 && terms.every((term) => isInPlainName(term, name));
  }

  /** Puts the matches first that fit better; the others come after them. */
  #merge(query: ParsedQuery, strict: readonly RankBucket[], mixed: MixedMatches): Found {
    const { words } = mixed;
    if (strict.length === 0) return { query, buckets: mixed.buckets, words };
    if (!mixed.isComplete) {
      return { query, buckets: strict, words: this.#wordsBesideName(query, strict) };
    }
    const isStrictBest = [...(strict[0]?.unsorted() ?? [])].includes(mixed.best.doc);
    const [first, second] = isStrictBest ? [strict, mixed.buckets] : [mixed.buckets, strict];
    return { query, buckets: [...first, ...without(second, first)], words };
  }
}

/** Whether a word is in a name outside of its brackets, or is a number or a code. */
function isInPlainName(term: QueryTerm, name: Name): boolean {
  if (term.numbers.listed.length > 0 || term.codeDocs.length > 0) return true;
  const [plain] = name.aliases;
  const isVariant = plain !== undefined && name.folded.startsWith(plain.folded);
  const terms = isVariant ? name.terms.slice(0, plain.termCount) : name.terms;
  return !isVariant || terms.some((text) => text.startsWith(term.text));
}

/** The buckets without the documents of others. */
function without(buckets: readonly RankBucket[], others: readonly RankBucket[]): RankBucket[] {
  const known = new Set<DocId>(others.flatMap((bucket) => [...bucket.unsorted()]));
  return buckets.flatMap((bucket) => {
    const rest = new RankBucket(bucket.rank);
    for (const doc of bucket.unsorted()) if (!known.has(doc)) rest.add(doc);
    return rest.count > 0 ? [rest] : [];
  });
}
