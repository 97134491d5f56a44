import { MatchingNumbers } from '../collector-numbers.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import type { Phrase } from '../lexicon/index.ts';
import { misreadLetters } from '../misread.ts';
import type { QueryTerm, Sentence } from '../sentence.ts';
import type { SetWord } from '../set-words.ts';
import type { Correction } from '../spelling.ts';
import type { Term } from '../vocabulary.ts';
import { type Hit, Hits } from './hits.ts';

/*
 * The information of a word is counted in bits: a word that occurs in one name in 2^k has k bits.
 * Other engines call this the inverse document frequency.
 */

/** A word of a query, with all its possible readings. */
export interface Word {
  readonly term: QueryTerm;
  /** Its information, in bits. */
  readonly bits: number;
  /** The number of times it was typed. */
  readonly count: number;
  /** The weight of its best reading other than as a name; 0 if there is none. */
  readonly besideName: number;
}

/** Names that contain a term that a word may mean. */
export interface Lead {
  readonly word: number;
  readonly certainty: number;
  readonly nameIds: Uint32Array;
}

/** A phrase of the query. */
export interface WordPhrase {
  readonly phrase: Phrase;
  /** The indexes of its words. */
  readonly words: readonly number[];
}

/** The words of a query, each once. Other parts of the search refer to them by their index. */
export interface Words {
  readonly words: readonly Word[];
  readonly phrases: readonly WordPhrase[];
  /** By the terms of names. */
  readonly inNames: Hits;
  /** By the words of sets. */
  readonly inSets: Hits;
  readonly leads: readonly Lead[];
  /** Whether a word is in any name of a card or set, in any spelling. */
  isAnywhere(word: number): boolean;
}

/** The weights of readings. A name weighs most. */
export const WEIGHTS = {
  name: 1,
  number: 1,
  game: 0.9,
  noise: 0.9,
  set: 0.85,
  phrase: 0.8,
  variant: 0.79,
} as const;

/** The certainty that a word means a term, by how the term was found. */
const WHOLE = 1;
export const PREFIX = 0.8;
const ONE_EDIT = 0.7;
const TWO_EDITS = 0.6;

/** Later words are ignored. */
const MAX_WORDS = 31;

/** The limits of a word's bits. */
const MAX_BITS = 10;
const MIN_BITS = 0.3;
/** The bits of a word that is not in the catalogue. */
const UNKNOWN_BITS = 6;
/** The bits of a number, and of one with a total or letters, which few cards have. */
const NUMBER_BITS = 6;
const FULL_NUMBER_BITS = 12;
/** Smaller catalogues count as having this many names and sets. */
const FEWEST_NAMES = 8192;
const FEWEST_SETS = 512;
/** The most bits of a word that is part of a phrase. */
const PHRASE_BITS = 3.5;
/** The bits of a word in a set's nickname: as many as for a word of its name. */
const SET_PHRASE_BITS = 8;

/** Shorter words, and words that begin more terms, are not read as unfinished. */
const MIN_PREFIX = 3;
const MAX_PREFIX_TERMS = 200;

/** Compounds in more names are ignored. */
const MAX_COMPOUND_NAMES = 1000;

/** At most this many words are corrected. Each takes 0.1 ms. */
const MAX_CORRECTED = 8;

/** Numerals of editions, and the words in the names of sets. */
const ORDINALS: Readonly<Record<string, string>> = {
  '4th': 'fourth',
  '5th': 'fifth',
  '6th': 'sixth',
  '7th': 'seventh',
  '8th': 'eighth',
  '9th': 'ninth',
  '10th': 'tenth',
};

const DIGIT = /\d/;
const DIGITS = /^\d+$/;
const LETTERS = /\p{L}{2}/u;

/** Caches the readings of sentences as typed. */
const READ = new WeakMap<Sentence, Words>();

/** Reads the words of a sentence. Corrects only unknown words. */
export function readWords(sentence: Sentence, index: InvertedIndex): Words {
  const words = READ.get(sentence) ?? new WordReader(sentence, index, false);
  READ.set(sentence, words);
  return words;
}

/** Reads the words of a sentence. Also corrects words that are known as typed. */
export function readRespelt(sentence: Sentence, index: InvertedIndex): Words {
  return new WordReader(sentence, index, true);
}

/** Reads a query that is the name of a set. Its words have no other reading. */
export function readAsSetName({ terms }: Sentence): Words {
  const inSets = new Hits();
  const words = terms.slice(0, MAX_WORDS).map((typed, word) => {
    inSets.add(typed.text, { word, certainty: WHOLE });
    const term = { ...typed, numbers: NO_NUMBERS, compounds: [], infix: undefined };
    return { term, bits: 1, count: 1, besideName: WEIGHTS.set };
  });
  return { words, phrases: [], inNames: new Hits(), inSets, leads: [], isAnywhere: () => true };
}

const NO_NUMBERS = new MatchingNumbers([]);

/** Returns the information of all words of a query, in bits. */
export function bitsOf({ words }: Words): number {
  return words.reduce((sum, { bits }) => sum + bits, 0);
}

function phrasesOf({ respeltPhrases, sequence }: Sentence): WordPhrase[] {
  return respeltPhrases.map((phrase) => ({
    phrase,
    words: sequence.slice(phrase.from, phrase.to).filter((i) => i < MAX_WORDS),
  }));
}

class WordReader implements Words {
  readonly words: Word[] = [];
  readonly phrases: readonly WordPhrase[];
  readonly inNames = new Hits();
  readonly inSets = new Hits();
  readonly leads: Lead[] = [];
  readonly #query: Sentence;
  readonly #index: InvertedIndex;
  readonly #isCorrecting: boolean;
  #corrected = 0;

  constructor(query: Sentence, index: InvertedIndex, isCorrecting: boolean) {
    this.#query = query;
    this.#index = index;
    this.#isCorrecting = isCorrecting;
    this.phrases = phrasesOf(query);
    for (let i = 0; i < query.terms.length && i < MAX_WORDS; i++) this.#read(i);
  }

  /** Reads the query's term at index `i`, which becomes the word at index `i`. */
  #read(i: number): void {
    const { terms, sequence } = this.#query;
    const term = terms[i] as QueryTerm;
    const name = this.#index.terms.get(term.text);
    const set = this.#index.setWords.get(term.text);
    const ordinal = this.#index.setWords.get(ORDINALS[term.text] ?? '');
    const phrases = this.phrases.filter(({ words }) => words.includes(i));
    const isPhrase = phrases.length > 0;
    const isNumber = term.numbers.listed.length > 0;
    if (name) this.#addTerm(name, { word: i, certainty: WHOLE });
    if (set) this.inSets.add(set.text, { word: i, certainty: WHOLE });
    if (ordinal) this.inSets.add(ordinal.text, { word: i, certainty: WHOLE });
    const isKnown = name || set || ordinal || isPhrase || isNumber;
    if (!isKnown || i === sequence.at(-1)) this.#readPrefix(term, i);
    if (!isKnown || this.#isCorrecting) this.#correct(term, i);
    this.#readAcrossTerms(term, i);
    this.words.push({
      term,
      bits: this.#bitsOf(term, name, set ?? ordinal, phrases),
      count: sequence.reduce((count, other) => (other === i ? count + 1 : count), 0),
      besideName: Math.max(
        isNumber ? WEIGHTS.number : 0,
        this.inSets.has(i) ? WEIGHTS.set : 0,
        isPhrase ? WEIGHTS.phrase : 0,
      ),
    });
  }

  isAnywhere(word: number): boolean {
    return this.inNames.has(word) || this.inSets.has(word);
  }

  #readPrefix({ text, prefix }: QueryTerm, i: number): void {
    if (text.length < MIN_PREFIX || DIGIT.test(text)) return;
    const hit = { word: i, certainty: PREFIX };
    if (prefix.count <= MAX_PREFIX_TERMS) {
      for (const term of prefix.toArray()) this.inNames.add(term.text, hit);
      const asTyped = prefix.exact(text)?.postings.count ?? 0;
      this.leads.push({ ...hit, nameIds: prefix.postings.nameIds.subarray(asTyped) });
    }
    for (const word of this.#index.setWords.withPrefix(text)) this.inSets.add(word.text, hit);
  }

  #correct({ text: typed }: QueryTerm, i: number): void {
    if (this.#corrected === MAX_CORRECTED || !LETTERS.test(typed)) return;
    this.#corrected++;
    const text = misreadLetters(typed);
    const misread = text === typed ? undefined : this.#index.terms.get(text);
    if (misread) this.#addTerm(misread, { word: i, certainty: ONE_EDIT });
    const { spellings } = this.#query;
    for (const correction of spellings.inNames(text))
      this.#addTerm(correction.term, correctedHit(i, correction));
    for (const correction of spellings.inSets(text)) {
      this.inSets.add(correction.term.text, correctedHit(i, correction));
    }
  }

  /** Reads a word as several terms, as half of a term, or as part of a Japanese term. */
  #readAcrossTerms({ compounds, infix }: QueryTerm, i: number): void {
    for (const { names, isWhole } of compounds) {
      if (names.length > MAX_COMPOUND_NAMES) continue;
      const nameIds = Uint32Array.from(names, ({ nameId }) => nameId);
      this.leads.push({ word: i, certainty: isWhole ? WHOLE : PREFIX, nameIds });
    }
    if (infix) this.leads.push({ word: i, certainty: PREFIX, nameIds: infix.postings.nameIds });
  }

  #addTerm(term: Term, hit: Hit): void {
    this.inNames.add(term.text, hit);
    this.leads.push({ ...hit, nameIds: term.postings.nameIds });
  }

  #bitsOf(
    { text, total, numbers }: QueryTerm,
    name: Term | undefined,
    set: SetWord | undefined,
    phrases: readonly WordPhrase[],
  ): number {
    if (isFullNumber({ text, total, numbers })) return FULL_NUMBER_BITS;
    if (!name && !set && numbers.listed.length > 0) return NUMBER_BITS;
    if (phrases.some(({ phrase }) => phrase.as === 'set')) return SET_PHRASE_BITS;
    if (!name && !set) return phrases.length === 0 ? UNKNOWN_BITS : PHRASE_BITS;
    const { usedNameCount, setWords } = this.#index;
    const ofName = name ? this.#index.countPostings(name) : 0;
    const ofNames = ofName / Math.max(usedNameCount, FEWEST_NAMES);
    const ofSets = (set?.sets.length ?? 0) / Math.max(setWords.setCount, FEWEST_SETS);
    const share = Math.max(ofNames, ofSets);
    const mostAsNumber = DIGITS.test(text) ? NUMBER_BITS : MAX_BITS;
    const most = phrases.length > 0 ? PHRASE_BITS : mostAsNumber;
    return Math.min(most, Math.max(MIN_BITS, -Math.log2(share)));
  }
}

/** Whether a word is a collector number with a total or letters, which few cards have. */
export function isFullNumber({
  text,
  total,
  numbers,
}: Pick<QueryTerm, 'text' | 'total' | 'numbers'>): boolean {
  return numbers.listed.length > 0 && (total !== '' || /\p{L}/u.test(text));
}

function correctedHit(word: number, { edits }: Correction<{ text: string }>): Hit {
  return { word, certainty: edits === 1 ? ONE_EDIT : TWO_EDITS };
}
