import type { Documents } from '../documents.ts';
import {
  type DocId,
  type IndexedNumber,
  type IndexedSet,
  type Name,
  plainPart,
} from '../fields.ts';
import type { Facts } from '../lexicon/index.ts';
import type { QueryTerm, Sentence } from '../sentence.ts';
import { type Hit, PREFIX, WEIGHTS, type Word, type WordPhrase, type Words } from './words.ts';

/** What the words of a query say about one card. */
export interface Evidence {
  readonly doc: DocId;
  /** How well the card fits the query as a whole, in bits. */
  readonly score: number;
  /** The words that the card explains, as bits of a number. */
  readonly explained: number;
  /** What these words say, in bits. */
  readonly explainedBits: number;
  /** The share of the name that was typed, from 0 to 1. */
  readonly nameCoverage: number;
  /** What the words that are in the name say, in bits. */
  readonly nameBits: number;
  /** The words that are in the name, as bits of a number. */
  readonly inName: number;
  /** What the words that are its number say, in bits. */
  readonly numberBits: number;
  /** The share of the set's name that was typed beside the card's name, from 0 to 1. */
  readonly setCoverage: number;
}

/** What it counts that a name was typed in full, in bits; a part of it counts for a part. */
const NAME_BITS = 4;
/** What it counts that the words of a name stand side by side in its order. */
const ORDER_BITS = 1;
/** What it counts that a set's name was typed in full; a part of it counts for a part. */
const SET_BITS = 1.5;
/** What it counts that a phrase agrees with a card, even if its words are explained otherwise. */
const AGREEMENT_BITS = 0.5;

/** A number with another total than the one typed. */
const OTHER_TOTAL = 0.7;

/** How sure it is that each word is what it may be read as, for one card. */
export interface Certainties {
  readonly inName: Float32Array;
  readonly inSet: Float32Array;
  isNumber(word: number): boolean;
  /** The phrases that agree with the card, and those that say nothing of any. */
  readonly phrases: readonly WordPhrase[];
}

/** What the words say of a set, for each word and as a whole. */
interface SetEvidence {
  readonly certainties: Float32Array;
  /** The share of the name that was typed; 1 as well for the code. */
  readonly coverage: number;
  /** What that counts, in bits. */
  readonly bits: number;
}

/** Scores cards by how well they explain the words of a query. */
export class Scorer {
  readonly #words: Words;
  readonly #query: Sentence;
  readonly #documents: Documents;
  readonly #facts: DocFacts;
  /** What phrases that say nothing of a card count for, by word. */
  readonly #always: Float32Array;
  readonly #sets = new Map<IndexedSet, SetEvidence>();
  /** How sure it is that each word is in the current name. */
  readonly #inName: Float32Array;
  /** What each word counts for by the phrases that agree with the current card. */
  readonly #byPhrase: Float32Array;
  /** Whether the query calls the current card's set by a name that is not printed. */
  #isSetCalled = false;
  #nameCoverage = 0;
  #nameBits = 0;

  constructor(words: Words, query: Sentence, documents: Documents) {
    const count = words.words.length;
    this.#words = words;
    this.#query = query;
    this.#documents = documents;
    this.#facts = new DocFacts(documents);
    this.#always = new Float32Array(count);
    this.#inName = new Float32Array(count);
    this.#byPhrase = new Float32Array(count);
    for (const { phrase, words: own } of words.phrases) {
      if (phrase.fits) continue;
      // The number of a grade is no collector number.
      const weight = phrase.as === 'grade' && own.length > 1 ? WEIGHTS.number : WEIGHTS.noise;
      for (const i of own) this.#always[i] = Math.max(weight, this.#always[i] as number);
    }
  }

  /** Sets the name of the cards that are scored next. */
  setName(name: Name): void {
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
    // A name of signs alone (`-`) has no terms.
    this.#nameCoverage = Math.min(1, typed / Math.max(1, plain.termCount));
    const isInOrder = this.#nameCoverage === 1 && this.#query.phrase.text.includes(plain.folded);
    this.#nameBits = NAME_BITS * this.#nameCoverage + (isInOrder ? ORDER_BITS : 0);
  }

  /** Whether cards of the current name may explain every word. */
  mayExplainAll(): boolean {
    const { words } = this.#words;
    return words.every(({ besideName }, i) => besideName > 0 || (this.#inName[i] as number) > 0);
  }

  /** Scores a card of the current name. */
  score(doc: DocId): Evidence {
    const { words } = this.#words;
    const number = this.#documents.number(doc);
    const set = this.#setEvidence(this.#documents.set(doc));
    const nameCoverage = this.#nameCoverage;
    let score = this.#nameBits + this.#readPhrases(doc);
    let [explained, explainedBits, inName, nameBits, numberBits] = [0, 0, 0, 0, 0];
    let isInSet = false;
    for (let i = 0; i < words.length; i++) {
      const { bits, count, term } = words[i] as Word;
      const bySet = (set.certainties[i] as number) * WEIGHTS.set;
      const byNumber = weightOfNumber(term, number);
      const besideSet = Math.max(this.#besideSet(i), byNumber);
      const best = Math.max(bySet, besideSet);
      if (best === 0) continue;
      const isInBoth = count > 1 && bySet > 0;
      isInSet ||= bySet > besideSet || isInBoth;
      if (byNumber >= best) numberBits += bits;
      if (this.#isName(i, best)) {
        nameBits += bits;
        inName |= 1 << i;
      }
      score += (isInBoth ? bySet + besideSet : best) * bits;
      explainedBits += bits;
      explained |= 1 << i;
    }
    if (isInSet) score += set.bits;
    const setCoverage = this.#isSetCalled ? 1 : Number(isInSet) * set.coverage;
    return {
      doc,
      score,
      explained,
      explainedBits,
      nameCoverage,
      inName,
      nameBits,
      numberBits,
      setCoverage,
    };
  }

  /** Whether the name explains a word at least as well as anything else. */
  #isName(word: number, best: number): boolean {
    return (this.#inName[word] as number) >= best && (this.#always[word] as number) < best;
  }

  /** What a word counts for by the name and by phrases. */
  #besideSet(word: number): number {
    return Math.max(this.#inName[word] as number, this.#byPhrase[word] as number);
  }

  /** Tells how sure each reading is for a card of the current name. */
  certainties(doc: DocId): Certainties {
    const number = this.#documents.number(doc);
    this.#facts.doc = doc;
    return {
      inName: this.#inName,
      inSet: this.#setEvidence(this.#documents.set(doc)).certainties,
      isNumber: (word) => this.#words.words[word]?.term.numbers.has(number) === true,
      phrases: this.#words.phrases.filter(({ phrase }) => phrase.fits?.(this.#facts) ?? true),
    };
  }

  /** The share of a set's name that was typed, from 0 to 1. */
  setCoverage(set: IndexedSet): number {
    return this.#setEvidence(set).coverage;
  }

  #readAcrossTerms(name: Name): void {
    const { words } = this.#words;
    for (let i = 0; i < words.length; i++) {
      const { compounds, infix, text } = (words[i] as Word).term;
      if (compounds.length === 0 && !infix) continue;
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

  /** Compares a card with all phrases; returns what it counts that they agree. */
  #readPhrases(doc: DocId): number {
    this.#byPhrase.set(this.#always);
    this.#facts.doc = doc;
    this.#isSetCalled = false;
    let bits = 0;
    for (const { phrase, words } of this.#words.phrases) {
      if (!phrase.fits?.(this.#facts)) continue;
      bits += AGREEMENT_BITS;
      if (phrase.as === 'set') this.#isSetCalled = true;
      const weight = phrase.isFilter ? WEIGHTS.game : WEIGHTS.phrase;
      for (const i of words) this.#byPhrase[i] = Math.max(weight, this.#byPhrase[i] as number);
    }
    return bits;
  }

  #setEvidence(set: IndexedSet): SetEvidence {
    const known = this.#sets.get(set);
    if (known) return known;
    const certainties = new Float32Array(this.#words.words.length);
    let typed = 0;
    for (const term of set.terms) {
      const hits = this.#words.inSets.of(term);
      if (hits) typed += keepSurest(certainties, hits, 1);
    }
    for (const word of set.leadingCode)
      keepSurest(certainties, this.#words.inSets.of(word) ?? [], 1);
    const byCode = this.#words.inSets.of(set.code);
    const isCode = byCode !== undefined && keepSurest(certainties, byCode, 1) === 1;
    const share = typed / Math.max(1, set.terms.length);
    // A code may as well be a word of a name (`ex`), so it counts no more than it says.
    const evidence = { certainties, coverage: isCode ? 1 : share, bits: SET_BITS * share };
    this.#sets.set(set, evidence);
    return evidence;
  }
}

/** What a word counts for as the number of a card. */
function weightOfNumber({ numbers, total }: QueryTerm, number: IndexedNumber): number {
  if (!numbers.has(number)) return 0;
  return total === '' || total === number.total ? WEIGHTS.number : OTHER_TOTAL;
}

/** Keeps for each word that was hit how sure it is at most; returns the surest of these hits. */
function keepSurest(certainties: Float32Array, hits: readonly Hit[], weight: number): number {
  let surest = 0;
  for (const { word, certainty } of hits) {
    const weighted = certainty * weight;
    if (weighted > (certainties[word] as number)) certainties[word] = weighted;
    if (certainty > surest) surest = certainty;
  }
  return surest;
}

/** What phrases are compared with, of one document after the other. */
class DocFacts implements Facts {
  readonly #documents: Documents;
  #doc = 0 as DocId;
  #printings: readonly string[] | undefined;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  set doc(doc: DocId) {
    this.#doc = doc;
    this.#printings = undefined;
  }

  get game() {
    return this.#documents.set(this.#doc).game;
  }

  get rarity() {
    return this.#documents.rarity(this.#doc);
  }

  get printings() {
    this.#printings ??= this.#documents.card(this.#doc).printings.map(({ name }) => name);
    return this.#printings;
  }

  get nameTerms() {
    return this.#documents.name(this.#doc).terms;
  }

  get setTerms() {
    return this.#documents.set(this.#doc).terms;
  }

  get setCode() {
    return this.#documents.set(this.#doc).code;
  }

  get releaseYear() {
    return this.#documents.set(this.#doc).releaseYear;
  }

  get number() {
    return this.#documents.number(this.#doc).text;
  }
}
