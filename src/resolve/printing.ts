import {
  type Card,
  defaultPrinting,
  meantPrinting,
  ownPrintings,
  type Printing,
} from '../domain/card.ts';
import type { Condition } from '../domain/price.ts';
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

/** Only this many characters of a condition or a grade are read. */
const LONGEST = 60;

/** Reads an item's condition or grade. Programs also write grades and printings as conditions. */
export function readState(text: string | undefined): Text {
  return readText((text ?? '').slice(0, LONGEST));
}

/** Abbreviations that mean a condition only in a column of conditions. */
const IN_COLUMNS: ReadonlyMap<string, Condition> = new Map([
  ['m', 'near_mint'],
  ['mt', 'near_mint'],
  ['ex', 'lightly_played'],
  ['good', 'moderately_played'],
  ['played', 'heavily_played'],
  ['pl', 'heavily_played'],
  ['po', 'damaged'],
  ['d', 'damaged'],
]);

/** Returns the condition that a text means; null if there is none or it is not known. */
export function conditionIn(text: Text): Condition | null {
  const alone = IN_COLUMNS.get(text.words.join(''));
  return alone ?? longest(text, ({ condition }) => condition !== undefined)?.condition ?? null;
}

const PRINTING = /foil|holo|edition|limited|normal/;

/** Returns the printing that some programs add to a condition: `Near Mint Foil`. */
export function printingIn(text: Text): string | undefined {
  if (!text.words.some((word) => PRINTING.test(word))) return undefined;
  const phrase = longest(text, ({ as }) => as === 'printing');
  return phrase && text.wordsIn(phrase);
}

/** Returns the grade that a text means, as its company writes it: `PSA 10`; null if none. */
export function gradeIn(text: Text): string | null {
  const phrase = longest(text, ({ grade }) => grade?.company != null && grade.number !== null);
  return phrase?.means ?? null;
}

function longest({ phrases }: Text, isWanted: (phrase: Phrase) => boolean): Phrase | undefined {
  return phrases.filter(isWanted).toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
}
