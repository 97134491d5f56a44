import { isJapanese } from '../domain/text.ts';
import { MatchingNumbers } from './collector-numbers.ts';
import {
  type Compound,
  findCompound,
  isLiveCompound,
  type KnownCompounds,
  splitTerm,
} from './compounds.ts';
import { type DocId, hasLiveDocs, initialBit } from './fields.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { correctPhraseWord, findPhrases, type Phrase } from './lexicon/index.ts';
import type { SetWord } from './set-words.ts';
import type { Correction } from './spelling.ts';
import { Text } from './text.ts';
import { type Token, tokensOf } from './tokens.ts';
import type { Term, TermRange } from './vocabulary.ts';

/** Words written together, and their count. */
export interface JoinedWords {
  readonly text: string;
  readonly termCount: number;
}

/** A word of a query with everything in the index that it may mean. */
export interface QueryTerm {
  readonly text: string;
  /** As typed, in lower case: `4/102` of the text `4102`. */
  readonly typed: string;
  /** The {@link initialBit} of the text. */
  readonly initial: number;
  /** The terms of names that are the word or begin with it. */
  readonly prefix: TermRange;
  /** For a Japanese word, the suffixes of terms that are the word or begin with it. */
  readonly infix: TermRange | undefined;
  /** Whether a live document matches it as typed. Otherwise {@link Sentence.corrected} applies. */
  readonly isKnown: boolean;
  /** The word as several terms run together, or as the second half of a term that was split. */
  readonly compounds: readonly Compound[];
  /** The terms that it may misspell, by their text. Empty if it is known. */
  readonly corrections: ReadonlyMap<string, Correction<Term>>;
  /** The collector numbers that it may mean. */
  readonly numbers: MatchingNumbers;
  /** The total typed after a slash: `102` of `4/102`. Empty if there is none. */
  readonly total: string;
  /** The documents with this code: their set's, or the one in front of their number. */
  readonly codeDocs: readonly DocId[];
}

const DIGIT = /\d/;

/** The corrections of a term that was not corrected. */
const NO_CORRECTIONS: QueryTerm['corrections'] = new Map();

/**
 * A typed query, read once into terms, phrases and spellings. Names, evidence, rewritings and
 * `understood` all build on this reading. The constructor gets the terms looked up. Phrases and
 * spellings are computed on first use.
 */
export class Sentence {
  /** Each term once. */
  readonly terms: readonly QueryTerm[];
  /** Indexes into `terms`, one for each typed word. */
  readonly sequence: readonly number[];
  /** The words in the order typed, with their phrases. */
  readonly text: Text;
  /** All words in the order typed. */
  readonly phrase: JoinedWords;
  readonly spellings: Spellings;
  readonly #index: InvertedIndex;

  constructor(
    typed: readonly QueryTerm[],
    text: Text,
    index: InvertedIndex,
    spellings = new Spellings(index),
  ) {
    this.terms = [...new Set(typed)];
    this.sequence = typed.map((term) => this.terms.indexOf(term));
    this.text = text;
    this.phrase = { text: text.words.join(''), termCount: typed.length };
    this.spellings = spellings;
    this.#index = index;
  }

  /** The phrases after correcting words that are in no name, set or number. */
  get respeltPhrases(): readonly Phrase[] {
    const { words, phrases } = this.text;
    const respelt = this.sequence.map((i) => {
      const { text = '', prefix, numbers } = this.terms[i] ?? {};
      const isTerm = prefix?.exact(text) || (numbers?.listed.length ?? 0) > 0;
      return isTerm || this.#index.setWords.get(text) ? text : correctPhraseWord(text);
    });
    return respelt.every((text, i) => text === words[i]) ? phrases : findPhrases(respelt);
  }

  /** Returns the sentence with corrections for its unknown words. */
  corrected(): Sentence {
    if (this.terms.every(({ isKnown }) => isKnown)) return this;
    const terms = this.terms.map((term) => {
      return term.isKnown ? term : correctTerm(term, this.spellings);
    });
    const typed = this.sequence.map((i) => terms[i] as QueryTerm);
    return new Sentence(typed, this.text, this.#index, this.spellings);
  }
}

/** Corrects each word of a sentence only once, because correction is the slowest step. */
class Spellings {
  readonly #index: InvertedIndex;
  readonly #inNames = new Map<string, readonly Correction<Term>[]>();
  readonly #inSets = new Map<string, readonly Correction<SetWord>[]>();
  readonly #compounds: KnownCompounds = new Map();

  constructor(index: InvertedIndex) {
    this.#index = index;
  }

  /** Returns the compound that a word may be. Its last term may be unfinished. */
  compound(word: string): Compound | undefined {
    return findCompound(this.#index, word, false, this.#compounds);
  }

  /** Returns the terms of names that a word may misspell. */
  inNames(word: string): readonly Correction<Term>[] {
    return memoized(this.#inNames, word, () => this.#index.spelling.corrections(word));
  }

  /** Returns the words of sets that a word may misspell. */
  inSets(word: string): readonly Correction<SetWord>[] {
    return memoized(this.#inSets, word, () => this.#index.setWords.spelling.corrections(word));
  }
}

/**
 * Reads a query and looks up its words as typed. Punctuation alone gives no terms. Each word of a
 * text that was read before is looked up by itself.
 */
export function readSentence(q: string | Text, index: InvertedIndex): Sentence {
  const tokens = tokensOf(q, index);
  const parser = new TermParser(index);
  const typed = tokens.map((token, i) => parser.parse(token, tokens[i - 1]));
  const text = typeof q === 'string' ? new Text(tokens.map((token) => token.text)) : q;
  return new Sentence(typed, text, index);
}

/** Turns tokens into terms. Looks up repeated tokens and repeated pairs only once. */
class TermParser {
  readonly #index: InvertedIndex;
  readonly #terms = new Map<string, QueryTerm>();

  constructor(index: InvertedIndex) {
    this.#index = index;
  }

  /** Returns the term of a token that follows another. */
  parse(token: Token, previous: Token | undefined): QueryTerm {
    if (!previous) return this.#parseAlone(token);
    return memoized(this.#terms, `${keyOf(previous)} ${keyOf(token)}`, () =>
      afterTerm(this.#parseAlone(previous), this.#parseAlone(token), this.#index),
    );
  }

  #parseAlone(token: Token): QueryTerm {
    return memoized(this.#terms, keyOf(token), () => lookUp(token, this.#index));
  }
}

function keyOf({ number, total }: Token): string {
  return `${number}/${total}`;
}

function memoized<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** Looks a token up as it was typed. */
function lookUp(token: Token, index: InvertedIndex): QueryTerm {
  const { text, typed, total } = token;
  const numbers = index.findNumbers(token.number);
  const prefix = index.terms.withPrefix(text);
  const infix = isJapanese(text) ? index.suffixes.withPrefix(text) : undefined;
  const compound = findCompound(index, text, true);
  const compounds = compound && isLiveCompound(compound) ? [compound] : [];
  const isKnown =
    prefix.postings.some(hasLiveDocs) ||
    infix?.postings.some(hasLiveDocs) ||
    compounds.length > 0 ||
    numbers.listed.length > 0 ||
    index.isLiveCode(text);
  return {
    text,
    typed,
    initial: initialBit(text),
    isKnown,
    prefix,
    infix,
    compounds,
    corrections: NO_CORRECTIONS,
    numbers,
    total,
    codeDocs: index.docsWithCode(text),
  };
}

/** Adds to an unknown term its corrections and the unfinished compound that it may be. */
function correctTerm(term: QueryTerm, spellings: Spellings): QueryTerm {
  const compound = spellings.compound(term.text);
  const corrections = spellings.inNames(term.text);
  return {
    ...term,
    compounds: compound ? [compound] : [],
    corrections: new Map(corrections.map((correction) => [correction.term.text, correction])),
  };
}

/**
 * Returns a term that may be the second half of a word typed as two. It then also means the whole
 * word. Only the second half does, so another word at the end never adds matches.
 */
function afterTerm(previous: QueryTerm, term: QueryTerm, index: InvertedIndex): QueryTerm {
  if (DIGIT.test(previous.text)) return term;
  if (DIGIT.test(term.text)) return afterCode(previous, term, index);
  const { terms } = index;
  const text = previous.text + term.text;
  const whole = terms.get(text);
  if (whole && !isAnyNameWithBoth(terms.get(previous.text), terms.get(term.text))) {
    return withCompound(term, splitTerm(text, true, whole.postings));
  }
  if (term.isKnown) return term;
  const unfinished = splitTerm(text, false, terms.withPrefix(text).postings);
  return isLiveCompound(unfinished) ? withCompound(term, unfinished) : term;
}

/** Reads `swsh 39` as the number `SWSH039`, unless a set SWSH has a card 39. */
function afterCode(code: QueryTerm, term: QueryTerm, index: InvertedIndex): QueryTerm {
  if (index.isAnyNumbered(code.codeDocs, term.numbers)) return term;
  const numbers = index.findNumbers(code.text + term.text).listed;
  if (numbers.length === 0) return term;
  return {
    ...term,
    isKnown: true,
    numbers: new MatchingNumbers([...term.numbers.listed, ...numbers]),
  };
}

function withCompound(term: QueryTerm, compound: Compound): QueryTerm {
  return { ...term, isKnown: true, compounds: [...term.compounds, compound] };
}

/** Whether a name has both terms. They are then two words, even if they also form one. */
function isAnyNameWithBoth(a: Term | undefined, b: Term | undefined): boolean {
  if (!a || !b) return false;
  const [fewer, more] = a.postings.count < b.postings.count ? [a, b] : [b, a];
  return fewer.postings.some(({ terms }) => terms.includes(more.text));
}
