import type { Documents } from '../documents.ts';
import type { DocId, IndexedSet } from '../fields.ts';
import type { DocFilter } from '../filters.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import type { RankBucket } from '../results.ts';
import type { Sentence } from '../sentence.ts';
import { NameCandidates } from './name-candidates.ts';
import { ScoredCards } from './scored-cards.ts';
import { type Evidence, Scorer } from './scorer.ts';
import { bitsOf, isFullNumber, readRespelt, readWords, type Words } from './words.ts';

/** The cards that fit a query of a name and other words, in rank buckets. */
export interface MixedMatches {
  readonly buckets: readonly RankBucket[];
  /** The evidence of one of the best cards. */
  readonly best: Evidence;
  readonly words: Words;
  /** Whether every word is explained, or does not describe cards. */
  readonly isComplete: boolean;
}

/** At most this many documents are scored, and fewer for queries of more words than this. */
const MAX_DOCS = 3000;
const FEW_WORDS = 16;

/** Returns the number of documents to score, which keeps long queries as fast as short ones. */
function mostDocs({ words }: Words): number {
  return (MAX_DOCS * FEW_WORDS) / Math.max(words.length, FEW_WORDS);
}

/** A name is clear if this share of it was typed and this share of the bits is explained. */
const CLEAR_COVERAGE = 0.3;
const CLEAR_SHARE = 0.6;
/** A full name with this many bits is also clear. */
const CLEAR_NAME_BITS = 6;
/** So is part of a name, a number, or a full set name with this many bits. */
const CLEAR_BITS = 8;

/** Finds cards by everything in a query. All readings of its words compete. */
export class MixedSearch {
  readonly #index: InvertedIndex;
  readonly #documents: Documents;
  readonly #candidates = new NameCandidates();
  readonly #scored: ScoredCards;

  constructor(index: InvertedIndex, documents: Documents) {
    this.#index = index;
    this.#documents = documents;
    this.#scored = new ScoredCards(documents);
  }

  /** Returns undefined if it is not clear which card or set is meant. */
  find(query: Sentence, filter: DocFilter | undefined): MixedMatches | undefined {
    const asTyped = this.#findReading(readWords(query, this.#index), query, filter);
    if (query.terms.length > MAX_WORDS_CORRECTED || !mayExplainMore(asTyped)) return asTyped;
    const respelt = readRespelt(query, this.#index);
    const corrected = this.#findReading(respelt, query, filter);
    if (!asTyped || !corrected) return asTyped ?? corrected;
    return isBetterCorrected(corrected.best, asTyped.best) ? corrected : asTyped;
  }

  #findReading(
    words: Words,
    query: Sentence,
    filter: DocFilter | undefined,
  ): MixedMatches | undefined {
    const scorer = new Scorer(words, query, this.#documents);
    const byName = this.#collect(words, this.#scoreNames(words, scorer, filter));
    if (byName?.isComplete && byName.best.nameCoverage === 1) return byName;
    const printed = [...this.#docsNumbered(words), ...this.#docsOfSets(words, scorer)];
    const byPrint = this.#collect(words, this.#scoreDocs(printed, mostDocs(words), scorer, filter));
    if (!byName || !byPrint) return byName ?? byPrint;
    return byPrint.best.score > byName.best.score ? byPrint : byName;
  }

  /** Scores the cards of the names that fit the words best. */
  #scoreNames(words: Words, scorer: Scorer, filter: DocFilter | undefined): ScoredCards {
    const scored = this.#scored.cleared();
    const most = mostDocs(words);
    let isFound = false;
    for (const name of this.#candidates.find(words, this.#index)) {
      if (scored.count > most) break;
      scorer.setName(name);
      // Once a whole name explains every word, names that cannot do so do not match.
      if (isFound && !scorer.mayExplainAll()) continue;
      for (const doc of name.docs) {
        if (filter && !filter(doc)) continue;
        const evidence = scorer.score(doc);
        scored.add(evidence);
        isFound ||= evidence.nameCoverage === 1 && isComplete(words, evidence);
      }
    }
    return scored;
  }

  /** Scores the first `most` cards, each once. Their names may differ. */
  #scoreDocs(
    docs: readonly DocId[],
    most: number,
    scorer: Scorer,
    filter: DocFilter | undefined,
  ): ScoredCards {
    const scored = this.#scored.cleared();
    for (const doc of new Set(docs)) {
      if (scored.count > most) break;
      if (!this.#documents.isLive(doc) || (filter && !filter(doc))) continue;
      scorer.setName(this.#documents.name(doc));
      scored.add(scorer.score(doc));
    }
    return scored;
  }

  /** Returns the cards of numbers that were typed with a total or letters. */
  #docsNumbered({ words }: Words): DocId[] {
    return words.flatMap(({ term }) => {
      if (!isFullNumber(term)) return [];
      const numbers = [...term.numbers.distinct];
      const ofTotal = numbers.filter(({ total }) => total === term.total);
      return (ofTotal.length > 0 ? ofTotal : numbers).flatMap(({ docs }) => docs);
    });
  }

  /** Returns the cards of sets whose full name or nickname was typed. */
  #docsOfSets(words: Words, scorer: Scorer): DocId[] {
    return this.#setsTyped(words, scorer).flatMap((set) => {
      return set.docs.filter((doc) => this.#documents.set(doc) === set);
    });
  }

  #setsTyped({ words, phrases }: Words, scorer: Scorer): IndexedSet[] {
    const { setWords } = this.#index;
    const known = words.flatMap(({ term }) => setWords.get(term.text) ?? []);
    const sets = new Set(known.flatMap(({ sets }) => (sets.length > MAX_SETS ? [] : sets)));
    const isNumbered = words.some(({ term }) => term.numbers.listed.length > 0);
    const enough = isNumbered ? ENOUGH_BESIDE_NUMBER : 1;
    const called = phrases.filter(({ phrase }) => phrase.as === 'set');
    return [
      ...[...sets].filter((set) => scorer.setCoverage(set) >= enough),
      ...called.flatMap(({ phrase }) => setWords.named(phrase.means)),
    ];
  }

  #collect(words: Words, scored: ScoredCards): MixedMatches | undefined {
    const { best } = scored;
    if (!best || !isClear(words, best)) return undefined;
    return { buckets: scored.matches(best), best, words, isComplete: isComplete(words, best) };
  }
}

/** In longer queries, words that are known as typed are not corrected. */
const MAX_WORDS_CORRECTED = 8;
/** A word of more sets than this leads to none of them. */
const MAX_SETS = 100;

/** The share of a set's name that is enough if a number was also typed. */
const ENOUGH_BESIDE_NUMBER = 0.5;

/** How much better corrected words must score, in bits. */
const CORRECTION_BITS = 1;

/** Whether correcting known words may explain words that are left over. */
function mayExplainMore(matches: MixedMatches | undefined): boolean {
  if (!matches) return true;
  const { words, best, isComplete } = matches;
  const isLeft = (i: number) => (best.explained & (1 << i)) === 0;
  return !isComplete && words.words.some((_, i) => isLeft(i) && words.isAnywhere(i));
}

/** Whether corrected words explain everything the typed words do, and score higher. */
function isBetterCorrected(corrected: Evidence, asTyped: Evidence): boolean {
  const isAsMuch = (corrected.explained & asTyped.explained) === asTyped.explained;
  return isAsMuch && corrected.score > asTyped.score + CORRECTION_BITS;
}

/** Whether a card explains every word. */
function isComplete({ words }: Words, { explained }: Evidence): boolean {
  return explained === 2 ** words.length - 1;
}

function isClear(words: Words, evidence: Evidence): boolean {
  const { nameCoverage, nameBits, numberBits, setCoverage, explainedBits } = evidence;
  const isSet = setCoverage >= (numberBits > 0 ? ENOUGH_BESIDE_NUMBER : 1);
  const isNamed = nameBits >= CLEAR_NAME_BITS;
  if (numberBits >= CLEAR_BITS) return true;
  if (explainedBits >= bitsOf(words) * CLEAR_SHARE) {
    return (nameCoverage >= CLEAR_COVERAGE && nameBits > 0) || isNamed || isSet;
  }
  if (nameBits >= CLEAR_BITS || (isSet && explainedBits >= CLEAR_BITS)) return true;
  return isNamed && nameCoverage === 1;
}
