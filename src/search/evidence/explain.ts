import type { LanguageCode } from '../../domain/languages.ts';
import type { Documents } from '../documents.ts';
import type { DocId, Name } from '../fields.ts';
import type { ReadAs, Reading, Understood } from '../lexicon/phrase.ts';
import { matchTerm } from '../matcher.ts';
import type { Sentence } from '../sentence.ts';
import { type Certainties, Scorer } from './scorer.ts';
import { bitsOf, PREFIX, WEIGHTS, type WordPhrase, type Words } from './words.ts';

/** How a word of the query was read. */
interface Place {
  readonly typed: string;
  readonly as: ReadAs;
  /** The phrase that it belongs to, if it was read as part of one. */
  readonly phrase?: WordPhrase;
  readonly isCorrected: boolean;
}

/**
 * Explains how a query was read for a card. If there are several wordings, uses the one that fits
 * best.
 */
export class Explainer {
  readonly #queries: readonly QueryExplainer[];

  constructor(queries: readonly QueryExplainer[]) {
    this.#queries = queries;
  }

  /** Returns the readings of a query for one card, in the order of the query. */
  readings(doc: DocId): readonly Reading[] {
    return this.#explaining(doc)?.readings(doc) ?? [];
  }

  /** Returns how a query was read for a card; undefined if all of it is the card's name. */
  understood(doc: DocId): Understood | undefined {
    return this.#explaining(doc)?.understood(doc);
  }

  /** Returns the language that words of the query were read as, for a card. */
  language(doc: DocId): LanguageCode | undefined {
    return this.#explaining(doc)?.language(doc);
  }

  #explaining(doc: DocId): QueryExplainer | undefined {
    const [first, ...others] = this.#queries;
    return others.reduce((a, b) => (a && a.share(doc) >= b.share(doc) ? a : b), first);
  }
}

/** Explains how the words of one query were read for a card. */
export class QueryExplainer {
  readonly #query: Sentence;
  readonly #words: Words;
  readonly #documents: Documents;
  readonly #scorer: Scorer;

  constructor(query: Sentence, words: Words, documents: Documents) {
    this.#query = query;
    this.#words = words;
    this.#documents = documents;
    this.#scorer = new Scorer(words, query, documents);
  }

  /** Returns the share of the words' bits that a card explains, from 0 to 1. */
  share(doc: DocId): number {
    this.#scorer.setName(this.#documents.name(doc));
    return this.#scorer.score(doc).explainedBits / bitsOf(this.#words);
  }

  readings(doc: DocId): Reading[] {
    const runs: Place[][] = [];
    for (const place of this.#places(doc)) {
      const last = runs.at(-1)?.at(-1);
      const continues = place && last && place.as === last.as && place.phrase === last.phrase;
      if (continues) runs.at(-1)?.push(place);
      else runs.push(place ? [place] : []);
    }
    return runs.filter((run) => run.length > 0).map((run) => this.#readingOf(run, doc));
  }

  understood(doc: DocId): Understood | undefined {
    const places = this.#askedPlaces(doc);
    if (places.every((place) => place?.as === 'name')) return undefined;
    const wordsAs = (as: ReadAs) => {
      const typed = places.flatMap((place) => (place?.as === as ? [place.typed] : []));
      return typed.length > 0 ? typed.join(' ') : null;
    };
    return {
      name: wordsAs('name'),
      set: wordsAs('set'),
      number: wordsAs('number'),
      rarity: wordsAs('rarity'),
      printing: wordsAs('printing'),
      treatment: wordsAs('treatment'),
      year: wordsAs('year'),
      language: wordsAs('language'),
      game: wordsAs('game'),
      condition: wordsAs('condition'),
      grade: wordsAs('grade'),
      ignored: places.flatMap((place, i) => {
        return place && place.as !== 'noise' ? [] : [this.#typedAt(i)];
      }),
    };
  }

  language(doc: DocId): LanguageCode | undefined {
    const asLanguage = this.#askedPlaces(doc).find((place) => place?.as === 'language');
    return asLanguage?.phrase?.phrase.language;
  }

  /** Returns how each typed word was read. A language is asked for even if the card has another. */
  #askedPlaces(doc: DocId): (Place | undefined)[] {
    const { sequence, terms } = this.#query;
    return this.#places(doc).map((place, i) => {
      const word = sequence[i] ?? -1;
      const phrase = this.#words.phrases.find(({ phrase: { language }, words }) => {
        return language !== undefined && words.includes(word);
      });
      if (place || !phrase) return place;
      return { typed: terms[word]?.typed ?? '', as: 'language', phrase, isCorrected: false };
    });
  }

  /** Returns how each typed word was read, in order; undefined for unexplained words. */
  #places(doc: DocId): (Place | undefined)[] {
    const name = this.#documents.name(doc);
    this.#scorer.setName(name);
    const certainties = this.#scorer.certainties(doc);
    const seen = new Set<number>();
    return this.#query.sequence.map((word) => {
      const isAgain = seen.has(word);
      seen.add(word);
      return this.#placeOf(word, certainties, isAgain) ?? this.#placeInName(word, name);
    });
  }

  /** Returns the place of a word in the name that is too short to be read as unfinished. */
  #placeInName(word: number, name: Name): Place | undefined {
    const term = this.#query.terms[word];
    if (!term || !matchTerm(term, name)) return undefined;
    return { typed: term.typed, as: 'name', isCorrected: false };
  }

  #placeOf(word: number, certainties: Certainties, isAgain: boolean): Place | undefined {
    const { term } = this.#words.words[word] ?? {};
    if (!term) return undefined;
    const inName = certainties.inName[word] ?? 0;
    const inSet = certainties.inSet[word] ?? 0;
    const readings: [number, Omit<Place, 'typed'>][] = [
      [isAgain && inSet > 0 ? 0 : inName, { as: 'name', isCorrected: isCorrected(inName) }],
      [certainties.isNumber(word) ? WEIGHTS.number : 0, { as: 'number', isCorrected: false }],
      [inSet * WEIGHTS.set, { as: 'set', isCorrected: isCorrected(inSet) }],
    ];
    for (const phrase of certainties.phrases) {
      if (!phrase.words.includes(word)) continue;
      // A phrase of several words is rarely typed by chance.
      const surety = WEIGHTS.phrase + 0.3 * (phrase.words.length - 1);
      readings.push([surety, { as: phrase.phrase.as, phrase, isCorrected: false }]);
    }
    const [surest, place] = readings.reduce((a, b) => (b[0] > a[0] ? b : a));
    return surest > 0 ? { typed: term.typed, ...place } : undefined;
  }

  #readingOf(run: readonly Place[], doc: DocId): Reading {
    const [{ as, phrase }] = run as [Place];
    return {
      words: run.map(({ typed }) => typed).join(' '),
      as,
      means: phrase?.phrase.means ?? this.#meaningOf(as, doc),
      isCorrected: run.some((place) => place.isCorrected),
    };
  }

  #meaningOf(as: ReadAs, doc: DocId): string {
    const { name, number, set } = this.#documents.card(doc);
    if (as === 'number') return number ?? '';
    return as === 'set' ? set.name : name;
  }

  #typedAt(place: number): string {
    return this.#query.terms[this.#query.sequence[place] ?? -1]?.typed ?? '';
  }
}

/** Whether a certainty belongs to a corrected word. */
function isCorrected(certainty: number): boolean {
  return certainty > 0 && certainty < UNFINISHED;
}

const UNFINISHED = 0.75;

/**
 * Returns a query, folded, in the spelling of a card that it finds. Returns undefined if the card
 * and its set spell no word differently. `words` is undefined if all words are part of the name.
 */
export function respell(
  { terms, sequence }: Sentence,
  words: Words | undefined,
  doc: DocId,
  documents: Documents,
): string | undefined {
  const ofCard = [...documents.name(doc).terms, ...documents.set(doc).terms];
  const respelt = terms.map(({ text, corrections }, word) => {
    if (ofCard.some((term) => term.startsWith(text))) return undefined;
    return ofCard.find((term) => {
      return corrections.has(term) || (words && isCorrection(words, word, term));
    });
  });
  if (respelt.every((term) => term === undefined)) return undefined;
  return sequence.map((i) => respelt[i] ?? terms[i]?.typed).join(' ');
}

/** Whether a word can only mean a term as a correction. */
function isCorrection({ inNames, inSets }: Words, word: number, term: string): boolean {
  const hits = [...(inNames.of(term) ?? []), ...(inSets.of(term) ?? [])].filter((hit) => {
    return hit.word === word;
  });
  return hits.length > 0 && hits.every(({ certainty }) => certainty < PREFIX);
}
