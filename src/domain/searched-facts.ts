import type { CardFacts, CardStats } from './facts.ts';
import { foldText, foldWords } from './text.ts';

/** The parts of facts that the search keeps in memory: short texts, which many cards share. */
export interface SearchedFacts {
  /** Folded words after their field: ` type:stage type:2 color:red `. */
  readonly words: string;
  /** Whole numbers after their field: ` hp:120 cost:3 `. */
  readonly numbers: string;
  readonly artist: string | null;
}

/** The fields of facts compared as words. */
export const WORD_FACT_NAMES = ['type', 'color', 'attribute', 'keyword', 'format', 'mark'] as const;
export type WordFact = (typeof WORD_FACT_NAMES)[number];

/** The values of a card by field. */
const WORD_FACTS: Readonly<Record<WordFact, (facts: CardFacts) => readonly string[]>> = {
  type: ({ supertype, types = [], subtypes = [] }) => [supertype ?? [], types, subtypes].flat(),
  color: ({ colors = [] }) => colors,
  attribute: ({ attributes = [] }) => attributes,
  keyword: ({ keywords = [] }) => keywords,
  format: ({ legalities = {} }) => {
    return Object.keys(legalities).filter((format) => legalities[format] !== 'banned');
  },
  mark: ({ regulationMark }) => [regulationMark ?? []].flat(),
};

/** The fields of facts compared as numbers. */
export const NUMBER_FACT_NAMES = [
  'hp',
  'cost',
  'power',
  'toughness',
  'defense',
  'life',
  'level',
  'loyalty',
  'lore',
  'pitch',
  'counter',
  'retreat',
  'pokedex',
] as const;
export type NumberFact = (typeof NUMBER_FACT_NAMES)[number];

export function isWordFact(field: string): field is WordFact {
  return (WORD_FACT_NAMES as readonly string[]).includes(field);
}

export function isNumberFact(field: string): field is NumberFact {
  return (NUMBER_FACT_NAMES as readonly string[]).includes(field);
}

/** Returns the part of a card's facts that the search keeps in memory. */
export function searchedFacts(facts: CardFacts): SearchedFacts {
  const words = WORD_FACT_NAMES.flatMap((field) => {
    return WORD_FACTS[field](facts).flatMap((value) =>
      spellings(value).map((word) => `${field}:${word}`),
    );
  });
  const numbers = NUMBER_FACT_NAMES.flatMap((field) => {
    const number = Number.parseInt(statOf(facts, field), 10);
    return Number.isSafeInteger(number) ? [`${field}:${number}`] : [];
  });
  return { words: spaced(words), numbers: spaced(numbers), artist: facts.artist ?? null };
}

/**
 * Whether a card has these words next to each other in a field, or as a value without its spaces.
 */
export function hasFact(words: string, field: WordFact, value: string): boolean {
  if (field === 'color' && /^[wubrg]+$/i.test(value)) {
    return [...value].every((letter) => words.includes(` color:${COLORS[letter.toLowerCase()]} `));
  }
  return words.includes(spaced(foldWords(value).map((word) => `${field}:${word}`)));
}

/** The letters of the colors, as Magic's players use them. */
const COLORS: Readonly<Record<string, string>> = {
  w: 'white',
  u: 'blue',
  b: 'black',
  r: 'red',
  g: 'green',
};

/** Reads a number on a card; null if there is none. */
export function numberFact(numbers: string, field: NumberFact): number | null {
  const at = numbers.indexOf(` ${field}:`);
  return at === -1 ? null : Number.parseInt(numbers.slice(at + field.length + 2), 10);
}

/** `Stage 2` is found as `stage 2` and as `stage2`. */
function spellings(value: string): readonly string[] {
  const known = SPELLINGS.get(value);
  if (known) return known;
  const words = foldWords(value);
  const all = words.length > 1 ? [...words, foldText(value)] : words;
  if (SPELLINGS.size < MOST_SPELLINGS) SPELLINGS.set(value, all);
  return all;
}

/** The few thousand types, colors and similar values of cards, each folded once. */
const SPELLINGS = new Map<string, readonly string[]>();
const MOST_SPELLINGS = 10_000;

function spaced(parts: readonly string[]): string {
  return parts.length === 0 ? '' : ` ${parts.join(' ')} `;
}

function statOf(facts: CardFacts, field: NumberFact): string {
  if (field === 'retreat') return String(facts.retreat?.length ?? '');
  if (field === 'pokedex') return String(facts.nationalPokedexNumbers?.[0] ?? '');
  return facts[field satisfies keyof CardStats] ?? '';
}
