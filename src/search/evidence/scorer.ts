import { DocFacts, type Documents } from '../documents.ts';
import {
  type DocId,
  type IndexedNumber,
  type IndexedSet,
  type Name,
  plainPart,
} from '../fields.ts';
import type { QueryTerm, Sentence } from '../sentence.ts';
import { keepSurest } from './hits.ts';
import { type SetEvidence, SetReader } from './set-reader.ts';
import { PREFIX, WEIGHTS, type Word, type WordPhrase, type Words } from './words.ts';

/** How well one card fits the words of a query. */
export interface Evidence {
  readonly doc: DocId;
  /** How well the card fits the query as a whole, in bits. */
  readonly score: number;
  /** The words that the card explains, as a bit mask. */
  readonly explained: number;
  /** The information of these words, in bits. */
  readonly explainedBits: number;
  /** The share of the name that was typed, from 0 to 1. */
  readonly nameCoverage: number;
  /** The information of the words in the name, in bits. */
  readonly nameBits: number;
  /** The words in the name, as a bit mask. */
  readonly inName: number;
  /** The information of the words that are its number, in bits. */
  readonly numberBits: number;
  /** The share of the set's name that was typed in addition to the card's name, from 0 to 1. */
  readonly setCoverage: number;
}

/** The bonus for a full name, in bits. Part of a name gets part of it. */
const NAME_BITS = 4;
/** The bonus for a full name with its words adjacent and in order. */
const ORDER_BITS = 1;
/** The bonus for a phrase that agrees with a card, even if its words have other readings. */
const AGREEMENT_BITS = 0.5;

/** The weight of a number with a total other than the typed one. */
const OTHER_TOTAL = 0.7;

/** The certainty of each reading of each word, for one card. */
export interface Certainties {
  readonly inName: Float32Array;
  readonly inSet: Float32Array;
  isNumber(word: number): boolean;
  /** The phrases that agree with the card, and the phrases that do not describe cards. */
  readonly phrases: readonly WordPhrase[];
}

/** The evidence that a scorer fills in again for each card. */
type Scratch = { -readonly [Field in keyof Evidence]: Evidence[Field] };

function noEvidence(): Scratch {
  return {
    doc: 0 as DocId,
    score: 0,
    explained: 0,
    explainedBits: 0,
    nameCoverage: 0,
    nameBits: 0,
    inName: 0,
    numberBits: 0,
    setCoverage: 0,
  };
}

/** Scores how well cards explain the words of a query. */
export class Scorer {
  readonly #words: Words;
  readonly #query: Sentence;
  readonly #documents: Documents;
  readonly #facts: DocFacts;
  /** The weights of phrases that do not describe cards, by word. */
  readonly #always: Float32Array;
  readonly #sets: SetReader;
  /** The words that may be several terms of a name, or a part of one. */
  readonly #acrossTerms: readonly number[];
  #name: Name | undefined;
  /** The certainty that each word is in the current name. */
  readonly #inName: Float32Array;
  /** The weight of each word by the phrases that agree with the current card. */
  readonly #byPhrase: Float32Array;
  /** Whether a phrase of the query names the current card's set. */
  #isSetCalled = false;
  /** The bonus for the phrases that agree with the current card, in bits. */
  #agreedBits = 0;
  #nameCoverage = 0;
  #nameBits = 0;
  readonly #evidence = noEvidence();
  /** The words that may be numbers. */
  readonly #numbered: readonly QueryTerm[];
  /** The evidence for the cards of {@link #nameScored} that are supported only by their name. */
  readonly #nameEvidence = noEvidence();
  #nameScored: Name | undefined;

  constructor(words: Words, query: Sentence, documents: Documents) {
    const count = words.words.length;
    this.#words = words;
    this.#query = query;
    this.#documents = documents;
    this.#facts = new DocFacts(documents, 0 as DocId);
    this.#always = new Float32Array(count);
    this.#inName = new Float32Array(count);
    this.#byPhrase = new Float32Array(count);
    this.#sets = new SetReader(words);
    this.#numbered = words.words.flatMap(({ term }) =>
      term.numbers.listed.length > 0 ? term : [],
    );
    this.#acrossTerms = words.words.flatMap(({ term: { compounds, infix } }, i) => {
      return compounds.length > 0 || infix ? [i] : [];
    });
    for (const { phrase, words: own } of words.phrases) {
      if (phrase.fits) continue;
      // The number of a grade is not a collector number.
      const weight = phrase.as === 'grade' && own.length > 1 ? WEIGHTS.number : WEIGHTS.noise;
      for (const i of own) this.#always[i] = Math.max(weight, this.#always[i] as number);
    }
  }

  /** Sets the name of the cards that are scored next. */
  setName(name: Name): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#inName.fill(0);
    const plain = plainPart(name);
    let typed = 0;
    for (let i = 0; i < name.terms.length; i++) {
      const hits = this.#words.inNames.of(name.terms[i] as string);
      if (!hits) continue;
      if (i < plain.termCount) typed += keepSurest(this.#inName, hits, WEIGHTS.name);
      else keepSurest(this.#inName, hits, WEIGHTS.variant);
    }
    this.#readAcrossTerms(name);
    // A name made only of signs (`-`) has no terms.
    this.#nameCoverage = Math.min(1, typed / Math.max(1, plain.termCount));
    const isInOrder = this.#nameCoverage === 1 && this.#query.phrase.text.includes(plain.folded);
    this.#nameBits = NAME_BITS * this.#nameCoverage + (isInOrder ? ORDER_BITS : 0);
  }

  /** Whether cards of the current name may explain every word. */
  mayExplainAll(): boolean {
    const { words } = this.#words;
    const inName = this.#inName;
    for (let i = 0; i < words.length; i++) {
      if ((words[i] as Word).besideName === 0 && inName[i] === 0) return false;
    }
    return true;
  }

  /** Scores a card of the current name. The result is valid until the next card is scored. */
  score(doc: DocId): Evidence {
    const number = this.#numbered.length === 0 ? undefined : this.#documents.number(doc);
    const set = this.#sets.read(this.#documents.set(doc));
    if (set.isSilent && !this.#isNumbered(number)) return this.#scoreName(doc, number, set);
    this.#evidence.doc = doc;
    this.#readPhrases(doc, set.phrases);
    this.#addUp(this.#evidence, number, set);
    return this.#evidence;
  }

  /** Scores a card that is supported only by its name: once for all such cards of the name. */
  #scoreName(doc: DocId, number: IndexedNumber | undefined, set: SetEvidence): Evidence {
    if (this.#nameScored !== this.#name) {
      this.#nameScored = this.#name;
      this.#readPhrases(doc, set.phrases);
      this.#addUp(this.#nameEvidence, number, set);
    }
    this.#nameEvidence.doc = doc;
    return this.#nameEvidence;
  }

  #isNumbered(number: IndexedNumber | undefined): boolean {
    if (number === undefined) return false;
    for (const { numbers } of this.#numbered) if (numbers.has(number)) return true;
    return false;
  }

  /** Adds up the evidence of all words. Reads fields once: it runs for thousands of cards. */
  #addUp(evidence: Scratch, number: IndexedNumber | undefined, set: SetEvidence): void {
    const { words } = this.#words;
    const { certainties } = set;
    const [names, byPhrase, always] = [this.#inName, this.#byPhrase, this.#always];
    let score = this.#nameBits + this.#agreedBits;
    let [explained, explainedBits, inName, nameBits, numberBits] = [0, 0, 0, 0, 0];
    let isInSet = false;
    for (let i = 0; i < words.length; i++) {
      const { bits, count, term } = words[i] as Word;
      const byName = names[i] as number;
      const bySet = (certainties[i] as number) * WEIGHTS.set;
      const byNumber = weightOfNumber(term, number);
      const besideSet = Math.max(byName, byPhrase[i] as number, byNumber);
      const best = Math.max(bySet, besideSet);
      if (best === 0) continue;
      const isInBoth = count > 1 && bySet > 0;
      isInSet ||= bySet > besideSet || isInBoth;
      if (byNumber >= best) numberBits += bits;
      // The name explains the word at least as well as any other part.
      if (byName >= best && (always[i] as number) < best) {
        nameBits += bits;
        inName |= 1 << i;
      }
      score += (isInBoth ? bySet + besideSet : best) * bits;
      explainedBits += bits;
      explained |= 1 << i;
    }
    if (isInSet) score += set.bits;
    evidence.score = score;
    evidence.explained = explained;
    evidence.explainedBits = explainedBits;
    evidence.nameCoverage = this.#nameCoverage;
    evidence.nameBits = nameBits;
    evidence.inName = inName;
    evidence.numberBits = numberBits;
    evidence.setCoverage = this.#isSetCalled ? 1 : Number(isInSet) * set.coverage;
  }

  /** Returns the certainties of all readings for a card of the current name. */
  certainties(doc: DocId): Certainties {
    const number = this.#documents.number(doc);
    this.#facts.doc = doc;
    return {
      inName: this.#inName,
      inSet: this.#sets.read(this.#documents.set(doc)).certainties,
      isNumber: (word) => this.#words.words[word]?.term.numbers.has(number) === true,
      phrases: this.#words.phrases.filter(({ phrase }) => phrase.fits?.(this.#facts) ?? true),
    };
  }

  /** Returns the share of a set's name that was typed, from 0 to 1. */
  setCoverage(set: IndexedSet): number {
    return this.#sets.read(set).coverage;
  }

  #readAcrossTerms(name: Name): void {
    for (const i of this.#acrossTerms) {
      const { compounds, infix, text } = (this.#words.words[i] as Word).term;
      const compound = compounds.find(({ isIn }) => isIn(name));
      if (compound) {
        this.#inName[i] = 1;
        if (compound.isSplit) this.#inName[this.#wordBefore(i)] = 1;
      } else if (infix && name.folded.includes(text)) this.#inName[i] ||= PREFIX;
    }
  }

  /** The index of the word that stands before another. */
  #wordBefore(word: number): number {
    const { sequence } = this.#query;
    return sequence[sequence.indexOf(word) - 1] ?? word;
  }

  /** Compares a card with phrases. */
  #readPhrases(doc: DocId, phrases: readonly WordPhrase[]): void {
    this.#agreedBits = 0;
    if (this.#words.phrases.length === 0) return;
    this.#byPhrase.set(this.#always);
    this.#facts.doc = doc;
    this.#isSetCalled = false;
    for (const { phrase, words } of phrases) {
      if (!phrase.fits?.(this.#facts)) continue;
      this.#agreedBits += AGREEMENT_BITS;
      if (phrase.as === 'set') this.#isSetCalled = true;
      const weight = phrase.isFilter ? WEIGHTS.game : WEIGHTS.phrase;
      for (const i of words) this.#byPhrase[i] = Math.max(weight, this.#byPhrase[i] as number);
    }
  }
}

/** Returns the weight of a word as the number of a card. */
function weightOfNumber({ numbers, total }: QueryTerm, number: IndexedNumber | undefined): number {
  if (number === undefined || !numbers.has(number)) return 0;
  return total === '' || total === number.total ? WEIGHTS.number : OTHER_TOTAL;
}
