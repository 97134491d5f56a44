import { type Card, defaultPrinting, type Printing } from '../domain/card.ts';
import { meantPrinting } from '../domain/printings.ts';
import { foldWords } from '../domain/text.ts';

/** What people write for printings, in folded words, and what the catalogue calls them. */
const SPELLINGS: readonly (readonly [written: RegExp, meant: string])[] = [
  [/\b(?:non|not) (?:foil|holo)\b|\bnonfoil\b|\bnonholo\b|^(?:no|false|0|regular|nf)$/, 'normal'],
  [/^(?:yes|true|1|f)$/, 'foil'],
  [/\bholo ?foil\b|\bholo\b|\bholographic\b/, 'holofoil'],
  [/\breverse(?! holofoil)(?: foil)?\b|\brev holofoil\b/, 'reverse holofoil'],
  [/\b(?:first|1st) ed(?:ition)?\b|^(?:1e|1st)$/, '1st edition'],
  [/\bunl(?:im)?\b/, 'unlimited'],
  [/\bfoil etched\b|\betched foil\b|^etched$/, 'etched foil'],
];

/** Returns a printing in folded words, spelt as the catalogue spells printings. */
export function readPrinting(text: string): string {
  let words = foldWords(text.slice(0, 60)).join(' ');
  for (const [written, meant] of SPELLINGS) words = words.replace(written, meant);
  return words;
}

/** Which of a card's printings an item means. */
export type MeantPrinting =
  | { readonly kind: 'one'; readonly printing: Printing | null }
  /** The card has none that it may be, or several. */
  | { readonly kind: 'none' | 'several'; readonly reason: string };

/** Returns the printing of a card that is wanted; the one in front where none is. */
export function choosePrinting(card: Card, given: string | undefined): MeantPrinting {
  const { printings } = card;
  const wanted = withoutUnlimited(card, given);
  if (wanted === undefined || printings.length === 0) {
    return { kind: 'one', printing: defaultPrinting(card) ?? null };
  }
  const names = printings.map(({ name }) => name);
  const same = printings.find(({ name }) => foldWords(name).join(' ') === wanted);
  const meant = same ?? printings.find(({ name }) => name === meantPrinting(wanted, names));
  if (meant) return { kind: 'one', printing: meant };
  const has = `Its printings are ${names.join(' and ')}`;
  const fitting = names.filter((name) => mayMean(wanted, foldWords(name)));
  if (fitting.length > 1) return { kind: 'several', reason: `${has}: say which one it is.` };
  return { kind: 'none', reason: `${has}, and the item says ${wanted}.` };
}

/** Where no printing is of an edition, all are unlimited. */
function withoutUnlimited({ printings }: Card, given: string | undefined): string | undefined {
  if (given === undefined || printings.some(({ name }) => /edition|limited/i.test(name))) {
    return given;
  }
  return given.replace(/ ?\bunlimited\b ?/, '') || undefined;
}

function mayMean(wanted: string, words: readonly string[]): boolean {
  if (wanted === 'foil') return words.some((word) => word.endsWith('foil'));
  return wanted.split(' ').every((word) => words.includes(word));
}
