/**
 * Makes misspellings that are words of other names, or prefixes of them. A card is drawn for each,
 * and a word of its name gets one edit (4 to 7 letters), or one or two (8 or more), until the
 * misspelt word is a term of some name or begins one, but does not begin the right word. Names are
 * of one game, so that no other card of the name can be meant.
 */

import type { Card } from '../../src/domain/card.ts';
import { readSetName } from '../../src/domain/card-name.ts';
import { compareText, foldText, foldWords } from '../../src/domain/text.ts';
import { Draw } from './draw.ts';
import { type KnownQuery, plainName } from './queries.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Returns a word with one edit: a letter added, left out or replaced, or two neighbours swapped.
 */
export function misspell(word: string, draw: Draw): string {
  const edited = edit(word, draw);
  return edited === word ? misspell(word, draw) : edited;
}

/** May leave the word as it is, as swapping two equal letters does. */
function edit(word: string, draw: Draw): string {
  const at = draw.below(word.length);
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  return draw.pick([
    () => before + draw.pick(LETTERS) + letter + after,
    () => before + after,
    () => before + draw.pick(LETTERS) + after,
    () => before + after.charAt(0) + letter + after.slice(1),
  ])();
}

const EDITS_TRIED = 400;

/** Letters of a misspelt word: fewer are the beginning of too many. */
const SHORTEST = 4;

/** Makes 200 misspelt queries of the cards, the same for the same seed. */
export function makeMisspellings(cards: readonly Card[], seed: number): KnownQuery[] {
  const maker = new Maker(cards, new Draw(seed, 'misspellings'));
  return [
    ...maker.make('misspelt name', 100, (words) => maker.name(words)),
    ...maker.make('misspelt word and another of the name', 50, (words) => maker.twoWords(words)),
    ...maker.make('misspelt name and a word of the set', 50, (words, card) => {
      return maker.withSet(words, card);
    }),
  ];
}

/** Makes 60 misspelt names of one word, the hardest: nothing else speaks for the meant name. */
export function makeMisspeltWords(cards: readonly Card[], seed: number): KnownQuery[] {
  const maker = new Maker(cards, new Draw(seed, 'misspelt words'));
  return maker.make('misspelt name of one word', 60, (words) => {
    return words.length === 1 ? maker.name(words) : undefined;
  });
}

/** Returns a misspelt query for a name of these words; undefined if there is none. */
type Type = (words: readonly string[], card: Card) => string | undefined;

class Maker {
  readonly #draw: Draw;
  readonly #cards: readonly Card[];
  readonly #terms: readonly string[];
  readonly #names: ReadonlySet<string>;
  /** The folded names that have a term. */
  readonly #namesByTerm = new Map<string, Set<string>>();

  constructor(cards: readonly Card[], draw: Draw) {
    this.#draw = draw;
    this.#names = new Set(cards.map(({ name }) => foldText(plainName(name))));
    for (const { name } of cards) {
      const words = foldWords(plainName(name));
      for (const word of words) {
        const names = this.#namesByTerm.get(word) ?? new Set();
        this.#namesByTerm.set(word, names.add(words.join('')));
      }
    }
    this.#terms = [...this.#namesByTerm.keys()].sort(compareText);
    this.#cards = onePerName(cards);
  }

  make(kind: string, count: number, type: Type): KnownQuery[] {
    return this.#draw.collect(this.#cards, count, (card) => {
      const name = plainName(card.name);
      const q = type(foldWords(name), card);
      return q === undefined ? undefined : { kind, q, game: card.set.game, name };
    });
  }

  /** The whole name of another card does not look like a misspelling. */
  name(words: readonly string[]): string | undefined {
    const typed = this.#misspellOneOf(words);
    return typed === undefined || this.#names.has(typed.join('')) ? undefined : typed.join(' ');
  }

  twoWords(words: readonly string[]): string | undefined {
    if (words.length < 3) return undefined;
    const at = this.#draw.below(words.length - 1);
    const pair = words.slice(at, at + 2);
    // Two words mean a name if no other has both; `the` and `of` are not what people type.
    if (pair.some((word) => word.length < 4) || this.#namesWith(pair) > 1) return undefined;
    return this.#misspellOneOf(pair)?.join(' ');
  }

  withSet(words: readonly string[], { set }: Card): string | undefined {
    const setWords = foldWords(readSetName(set.name).name).filter((word) => word.length >= 4);
    if (words.length > 3 || setWords.length === 0) return undefined;
    const typed = this.name(words);
    return typed === undefined ? undefined : `${typed} ${this.#draw.pick(setWords)}`;
  }

  #misspellOneOf(words: readonly string[]): string[] | undefined {
    const at = this.#draw.below(words.length);
    const misspelt = this.#misspell(words[at] ?? '');
    return misspelt === undefined ? undefined : words.with(at, misspelt);
  }

  /** Edits a word until the result is a term or begins one; undefined where no edit does. */
  #misspell(word: string): string | undefined {
    if (!/^[a-z]{4,}$/.test(word)) return undefined;
    const edits = word.length >= 8 && this.#draw.chance(0.5) ? 2 : 1;
    for (let tries = 0; tries < EDITS_TRIED; tries++) {
      let typed = word;
      for (let edit = 0; edit < edits; edit++) typed = misspell(typed, this.#draw);
      if (typed.length >= SHORTEST && !word.startsWith(typed) && this.#beginsTerm(typed))
        return typed;
    }
    return undefined;
  }

  #beginsTerm(text: string): boolean {
    let [low, high] = [0, this.#terms.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareText(this.#terms[middle] ?? '', text) < 0) low = middle + 1;
      else high = middle;
    }
    return this.#terms[low]?.startsWith(text) ?? false;
  }

  #namesWith([one = '', other = '']: readonly string[]): number {
    const names = this.#namesByTerm.get(one) ?? new Set();
    return names.intersection(this.#namesByTerm.get(other) ?? new Set()).size;
  }
}

/** One card of each name that only one game has. */
function onePerName(cards: readonly Card[]): Card[] {
  const byName = Map.groupBy(cards, ({ name }) => foldText(plainName(name)));
  return [...byName.values()].flatMap((same) => {
    const games = new Set(same.map(({ set }) => set.game));
    return games.size === 1 ? same.slice(0, 1) : [];
  });
}
