import {
  type Card,
  defaultPrinting,
  meantPrinting,
  ownPrintings,
  type Printing,
} from '../domain/card.ts';
import { foldWords } from '../domain/text.ts';
import { type Phrase, readText, type Text } from '../search/index.ts';

/** Printings as people write them, in folded words, and their names in the catalogue. */
const SPELLINGS: readonly (readonly [written: RegExp, meant: string])[] = [
  [/\b(?:non|not) (?:foil|holo)\b|\bnonfoil\b|\bnonholo\b|^(?:no|false|0|regular|nf)$/, 'normal'],
  [/^(?:yes|true|1|f)$/, 'foil'],
  [/\bholo ?foil\b|\bholo\b|\bholographic\b/, 'holofoil'],
  [/\breverse(?! holofoil)(?: foil)?\b|\brev holofoil\b/, 'reverse holofoil'],
  [/\b(?:first|1st) ed(?:ition)?\b|^(?:1e|1st)$/, '1st edition'],
  [/\bunl(?:im)?\b/, 'unlimited'],
  [/\bfoil etched\b|\betched foil\b|^etched$/, 'etched foil'],
];

/** Returns a printing in folded words, in the spelling of the catalogue. */
export function readPrinting(text: string): string {
  let words = foldWords(text.slice(0, 60)).join(' ');
  for (const [written, meant] of SPELLINGS) words = words.replace(written, meant);
  return words;
}

/** The printing of a card that an item means. */
type MeantPrinting =
  | { readonly kind: 'one'; readonly printing: Printing | null }
  /** No printing of the card fits, or several do. */
  | { readonly kind: 'none' | 'several'; readonly reason: string };

/**
 * Returns the wanted printing of a card, in the language of the catalogue. Without one, returns the
 * default printing.
 */
export function choosePrinting(card: Card, given: string | undefined): MeantPrinting {
  const printings = ownPrintings(card);
  const wanted = withoutUnlimited(printings, given);
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

/** Returns the printing of a card that words mean; undefined if it has none, or several of it. */
export function printingMeant(card: Card, words: string): Printing | undefined {
  const meant = choosePrinting(card, readPrinting(words));
  return meant.kind === 'one' ? (meant.printing ?? undefined) : undefined;
}

/** Removes "unlimited" if no printing of the card names an edition: all are then unlimited. */
function withoutUnlimited(
  printings: readonly Printing[],
  given: string | undefined,
): string | undefined {
  if (given === undefined || printings.some(({ name }) => /edition|limited/i.test(name))) {
    return given;
  }
  return given.replace(/ ?\bunlimited\b ?/, '') || undefined;
}

function mayMean(wanted: string, words: readonly string[]): boolean {
  if (wanted === 'foil') return words.some((word) => word.endsWith('foil'));
  return wanted.split(' ').every((word) => words.includes(word));
}

const PRINTING = /foil|holo|edition|limited|normal/;

/** Returns the words of a text that name a printing; undefined if none do. */
export function printingWords(text: string): string | undefined {
  return printingIn(readText(text));
}

/** Returns the printing that some programs add to a condition: `Near Mint Foil`. */
export function printingIn(text: Text): string | undefined {
  if (!text.words.some((word) => PRINTING.test(word))) return undefined;
  const phrase = longest(text, ({ as }) => as === 'printing');
  return phrase && text.wordsIn(phrase);
}

function longest({ phrases }: Text, isWanted: (phrase: Phrase) => boolean): Phrase | undefined {
  return phrases.filter(isWanted).toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
}
