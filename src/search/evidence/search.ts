import type { Documents } from '../documents.ts';
import type { DocId, IndexedSet } from '../fields.ts';
import type { DocFilter } from '../filters.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import type { ParsedQuery } from '../query.ts';
import { RankBucket } from '../results.ts';
import { NameCandidates } from './name-candidates.ts';
import { type Evidence, Scorer } from './scorer.ts';
import { Spellings } from './spellings.ts';
import { readWords, type Words } from './words.ts';

/** The cards that fit a query as a mixture of a name and other things, in rank buckets. */
export interface MixedMatches {
  readonly buckets: readonly RankBucket[];
  /** The evidence of one of the best cards. */
  readonly best: Evidence;
  readonly words: Words;
  /** Whether every word is explained, or says nothing of a card. */
  readonly isComplete: boolean;
}

/** At most this many documents are scored. */
const MAX_DOCS = 3000;

/** Cards of which the words say as much as of the best, but for this, match as well (bits). */
const TOLERANCE = 0.01;

/** A name is clear when this share of it was typed, and of what the words say is explained. */
const CLEAR_COVERAGE = 0.3;
const CLEAR_SHARE = 0.6;
/** A name typed in full is clear as well when it says this many bits. */
const CLEAR_NAME_BITS = 6;
/** A part of a name, or the whole name of a set, that says this many bits is as clear. */
const CLEAR_BITS = 8;

/** Scores closer than this are equal (bits). */
const SCORE_STEP = 0.125;

/** Finds cards by all that a query says of them: all readings of its words compete. */
export class MixedSearch {
  readonly #index: InvertedIndex;
  readonly #documents: Documents;
  readonly #candidates = new NameCandidates();

  constructor(index: InvertedIndex, documents: Documents) {
    this.#index = index;
    this.#documents = documents;
  }

  /** Returns undefined when it is not clear which card, or which set, is meant. */
  find(query: ParsedQuery, filter: DocFilter | undefined): MixedMatches | undefined {
    const spellings = new Spellings(this.#index);
    const asTyped = this.#findReading(readWords(query, this.#index, spellings), query, filter);
    if (query.terms.length > MAX_WORDS_CORRECTED || !mayExplainMore(asTyped)) return asTyped;
    const respelt = readWords(query, this.#index, spellings, true);
    const corrected = this.#findReading(respelt, query, filter);
    if (!asTyped || !corrected) return asTyped ?? corrected;
    return isBetterCorrected(corrected.best, asTyped.best) ? corrected : asTyped;
  }

  #findReading(
    words: Words,
    query: ParsedQuery,
    filter: DocFilter | undefined,
  ): MixedMatches | undefined {
    const scorer = new Scorer(words, query, this.#documents);
    const byName = this.#collect(words, this.#scoreNames(words, scorer, filter));
    if (byName?.isComplete) return byName;
    const bySet = this.#collect(words, this.#scoreSets(words, scorer, filter));
    if (!byName || !bySet) return byName ?? bySet;
    return bySet.best.score > byName.best.score ? bySet : byName;
  }

  /** Scores the cards of the names of which the words say most. */
  #scoreNames(words: Words, scorer: Scorer, filter: DocFilter | undefined): Evidence[] {
    const scored: Evidence[] = [];
    for (const name of this.#candidates.find(words, this.#index)) {
      if (scored.length > MAX_DOCS) break;
      scorer.setName(name);
      for (const doc of name.docs) {
        if (!filter || filter(doc)) scored.push(scorer.score(doc));
      }
    }
    return scored;
  }

  /** Scores the cards of the sets that were typed in full. */
  #scoreSets(words: Words, scorer: Scorer, filter: DocFilter | undefined): Evidence[] {
    const scored: Evidence[] = [];
    for (const set of this.#setsTyped(words, scorer)) {
      for (const doc of set.docs) {
        if (scored.length > MAX_DOCS) return scored;
        const isOfSet = this.#documents.isLive(doc) && this.#documents.set(doc) === set;
        if (!isOfSet || (filter && !filter(doc))) continue;
        scorer.setName(this.#documents.name(doc));
        scored.push(scorer.score(doc));
      }
    }
    return scored;
  }

  #setsTyped({ words }: Words, scorer: Scorer): IndexedSet[] {
    const known = words.flatMap(({ term }) => this.#index.setWords.get(term.text) ?? []);
    const sets = new Set(known.flatMap(({ sets }) => (sets.length > MAX_SETS ? [] : sets)));
    return [...sets].filter((set) => scorer.setCoverage(set) >= 1);
  }

  #collect(words: Words, scored: readonly Evidence[]): MixedMatches | undefined {
    const best = this.#bestOf(scored);
    if (!best || !isClear(words, best)) return undefined;
    const buckets = new Map<number, RankBucket>();
    for (const { doc, score, explained } of scored) {
      const isAsMuch = (explained & best.explained) === best.explained;
      if (!isAsMuch && score < best.score) continue;
      addTo(buckets, Math.round(score / SCORE_STEP), doc);
    }
    const ordered = [...buckets].sort(([a], [b]) => b - a).map(([, bucket]) => bucket);
    const isComplete = best.explainedBits >= bitsOf(words) - TOLERANCE;
    return { buckets: ordered, best, words, isComplete };
  }

  /** The first of the best in the order of public ids, whichever was added first. */
  #bestOf(scored: readonly Evidence[]): Evidence | undefined {
    let best: Evidence | undefined;
    for (const evidence of scored) {
      if (!best || evidence.score > best.score) best = evidence;
      else if (evidence.score === best.score && this.#isBefore(evidence, best)) best = evidence;
    }
    return best;
  }

  #isBefore(a: Evidence, b: Evidence): boolean {
    return this.#documents.idOrdinal(a.doc) < this.#documents.idOrdinal(b.doc);
  }
}

/** Words of longer queries are not corrected when they are right as typed. */
const MAX_WORDS_CORRECTED = 8;
/** A word of more sets than this does not lead to any of them. */
const MAX_SETS = 100;

/** How much better corrected words must be (bits). */
const CORRECTION_BITS = 1;

/** Whether other spellings of the words that are right as typed may explain those that are left. */
function mayExplainMore(matches: MixedMatches | undefined): boolean {
  if (!matches) return true;
  const { words, best, isComplete } = matches;
  const isLeft = (i: number) => (best.explained & (1 << i)) === 0;
  return !isComplete && words.words.some((_, i) => isLeft(i) && words.isAnywhere(i));
}

/** Whether other spellings explain more, and all that the words explain as they were typed. */
function isBetterCorrected(corrected: Evidence, asTyped: Evidence): boolean {
  const isAsMuch = (corrected.explained & asTyped.explained) === asTyped.explained;
  return isAsMuch && corrected.score > asTyped.score + CORRECTION_BITS;
}

function bitsOf({ words }: Words): number {
  return words.reduce((sum, { bits }) => sum + bits, 0);
}

function isClear(words: Words, evidence: Evidence): boolean {
  const { nameCoverage, nameBits, setCoverage, explainedBits } = evidence;
  const isSet = setCoverage >= 1;
  const isNamed = nameBits >= CLEAR_NAME_BITS;
  if (explainedBits >= bitsOf(words) * CLEAR_SHARE) {
    return nameCoverage >= CLEAR_COVERAGE || isNamed || isSet;
  }
  if (nameBits >= CLEAR_BITS || (isSet && explainedBits >= CLEAR_BITS)) return true;
  return isNamed && nameCoverage === 1;
}

function addTo(buckets: Map<number, RankBucket>, rank: number, doc: DocId): void {
  const bucket = buckets.get(rank) ?? new RankBucket();
  bucket.add(doc);
  buckets.set(rank, bucket);
}
