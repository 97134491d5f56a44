import { foldWords } from './text.ts';

/** Sources call printings by other names than our catalogue: which of ours one of them means. */

/**
 * The kinds of foil, the longest names first. `any` is a foil of no particular kind; the `own`
 * ones are never taken for another, since a card may be known in one of them only, and have both.
 */
const FOILS: readonly (readonly [name: string, kind: 'any' | 'cold' | 'rainbow' | 'own'])[] = [
  ['reverse holofoil', 'own'],
  ['cold foil', 'cold'],
  ['rainbow foil', 'rainbow'],
  ['holofoil', 'any'],
  ['etched', 'own'],
  ['foil', 'any'],
];

interface ReadPrinting {
  readonly name: string;
  /** All words but those of the foil: the edition, or `normal`. */
  readonly words: readonly string[];
  readonly foil: (typeof FOILS)[number] | undefined;
}

/**
 * Which of the printings that a card has is meant by a name: the one of this name; else the only
 * one that has all its words (`1st Edition` is `1st Edition Holofoil`) and, if it names a foil,
 * that foil; else the only foil of the card, unless they are foils of different kinds (Lorcana's
 * `Holofoil` is the `Cold Foil`). The name itself when that leaves a doubt.
 */
export function meantPrinting(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const told = readPrinting(name);
  if (told.words.length === 0 && !told.foil) return name;
  const all = known.map(readPrinting);
  const fitting = all.filter(({ words }) => told.words.every((word) => words.includes(word)));
  const { foil } = told;
  const named = foil ? fitting.filter((one) => one.foil === foil) : fitting;
  if (named.length > 0) return named.length === 1 && named[0] ? named[0].name : name;
  const [only, ...others] = all.filter((one) => one.foil);
  const isOnly = only && others.length === 0 && fitting.includes(only);
  return isOnly && isAlike(told, only) ? only.name : name;
}

/** Whether two foils may be one: of two names for it, one tells no kind. */
function isAlike({ foil: a }: ReadPrinting, { foil: b }: ReadPrinting): boolean {
  const kinds = [a?.[1], b?.[1]];
  return !kinds.includes(undefined) && !kinds.includes('own') && kinds.includes('any');
}

function readPrinting(name: string): ReadPrinting {
  const words = ` ${foldWords(name).join(' ')} `;
  const foil = FOILS.find(([phrase]) => words.includes(` ${phrase} `));
  const rest = foil ? words.replace(` ${foil[0]} `, ' ') : words;
  return { name, words: rest.split(' ').filter((word) => word !== ''), foil };
}
