import { foldWords } from './text.ts';

/**
 * The kinds of foil, longest names first. `any` is a foil of no particular kind. The `own` kinds
 * never stand for another kind: a card may have both although only one of them is in the catalogue.
 */
const FOILS: readonly (readonly [name: string, kind: 'any' | 'cold' | 'rainbow' | 'own'])[] = [
  ['reverse holofoil', 'own'],
  ['cold foil', 'cold'],
  ['rainbow foil', 'rainbow'],
  ['holofoil', 'any'],
  ['etched', 'own'],
  ['foil', 'any'],
];

/**
 * Whether a printing is a foil as foil rarities are. A reverse holo or an etched card is not: it is
 * a variant of a card that has another printing.
 */
export function isPlainFoil(name: string): boolean {
  return /foil/i.test(name) && !/reverse|etched/i.test(name);
}

/** A printing's name, taken apart. */
interface ParsedPrinting {
  readonly name: string;
  /** All folded words except those of the foil: the edition, or `normal`. */
  readonly words: readonly string[];
  readonly foil: (typeof FOILS)[number] | undefined;
}

/**
 * Returns the printing of a card that a source's name means: the one with this name; otherwise the
 * only one with all its words (`1st Edition` is `1st Edition Holofoil`) and, if it names a foil,
 * with that foil; otherwise the only foil of the card, unless the two are different kinds of foil
 * (Lorcana's `Holofoil` is the `Cold Foil`). Returns the name itself if that is not certain.
 */
export function meantPrinting(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const wanted = parsePrinting(name);
  if (wanted.words.length === 0 && !wanted.foil) return name;
  const all = known.map(parsePrinting);
  const fitting = all.filter(({ words }) => wanted.words.every((word) => words.includes(word)));
  const { foil } = wanted;
  const named = foil ? fitting.filter((one) => one.foil === foil) : fitting;
  if (named.length > 0) return named.length === 1 && named[0] ? named[0].name : name;
  const [only, ...others] = all.filter((one) => one.foil);
  const isOnly = only && others.length === 0 && fitting.includes(only);
  return isOnly && mayBeSameFoil(wanted, only) ? only.name : name;
}

/** Whether two foils may be the same: one of their names gives no kind. */
function mayBeSameFoil({ foil: a }: ParsedPrinting, { foil: b }: ParsedPrinting): boolean {
  const kinds = [a?.[1], b?.[1]];
  return !kinds.includes(undefined) && !kinds.includes('own') && kinds.includes('any');
}

function parsePrinting(name: string): ParsedPrinting {
  const words = ` ${foldWords(name).join(' ')} `;
  const foil = FOILS.find(([phrase]) => words.includes(` ${phrase} `));
  const rest = foil ? words.replace(` ${foil[0]} `, ' ') : words;
  return { name, words: rest.split(' ').filter((word) => word !== ''), foil };
}
