import { foldWords } from '../../domain/text.ts';

/** The words of products: turns names and queries into comparable terms. */

/** Common spellings of product words, folded, with their replacements. */
const ABBREVIATIONS: readonly (readonly [written: string, words: string])[] = [
  ['pcetb', 'pokemoncenter elite trainer box'],
  ['etb', 'elite trainer box'],
  ['bb', 'booster box'],
  ['bp', 'booster pack'],
  ['cbb', 'collector booster box'],
  ['dbb', 'draft booster box'],
  ['pbb', 'play booster box'],
  ['sbb', 'set booster box'],
  ['upc', 'ultra premium collection'],
  ['spc', 'super premium collection'],
  ['bnb', 'build battle'],
  ['b and b', 'build battle'],
  ['b b box', 'build battle box'],
  ['booster display', 'booster box'],
  ['precon', 'deck'],
  ['preconstructed deck', 'deck'],
  ['pokemon center', 'pokemoncenter'],
  ['pokemon centre', 'pokemoncenter'],
  ['pc', 'pokemoncenter'],
  ['code card', 'codecard'],
  ['ptcgo code', 'codecard'],
  ['ptcgl code', 'codecard'],
  ['tcg live code', 'codecard'],
  ['online code', 'codecard'],
  ['1st ed', '1st edition'],
  ['first edition', '1st edition'],
  ['first ed', '1st edition'],
  ['unl', 'unlimited'],
  ['intl', 'international'],
  ['one', '1'],
  ['single', '1'],
  ['two', '2'],
  ['three', '3'],
  ['pk', 'pack'],
  ['coll', 'collection'],
  ['box set', 'box'],
];

/** Words that apply to no product, or to all of them. */
const NOISE: ReadonlySet<string> = new Set(
  `a an and the of for with w in on by to at from x tcg ccg trading card game sealed factory brand new
   unopened authentic genuine official nib bnib misb mint condition nm english eng en us usa seller
   ship shipping fast free hand loose lot preorder presale pokemon magic mtg gathering yugioh lorcana
   disney`.split(/\s+/),
);

/** Returns the terms of a text, in order, without words that distinguish no product. */
export function termsOf(text: string): string[] {
  const words = foldWords(text).flatMap(apart).map(singular);
  return expand(words).filter((word) => !NOISE.has(word));
}

/** Splits `3pack` and `3pk`. */
function apart(word: string): string[] {
  const [, count, rest] = /^(\d+)(packs?|pk)$/.exec(word) ?? [];
  return count === undefined || rest === undefined ? [word] : [count, rest];
}

function singular(word: string): string {
  if (word === 'boxes') return 'box';
  return /^\p{L}{3,}[^s]s$/u.test(word) || word === 'etbs' || word === 'bbs' || word === 'upcs'
    ? word.slice(0, -1)
    : word;
}

const ABBREVIATED = new Map(
  ABBREVIATIONS.map(([written, words]) => [written, words.split(' ')] as const),
);

const LONGEST = Math.max(...ABBREVIATIONS.map(([written]) => written.split(' ').length));

/** Expands abbreviations, the longest first. */
function expand(words: readonly string[]): string[] {
  const expanded: string[] = [];
  for (let at = 0; at < words.length; ) {
    const length = lengthOfAbbreviation(words, at);
    const written = words.slice(at, at + Math.max(1, length));
    expanded.push(...(ABBREVIATED.get(written.join(' ')) ?? written));
    at += written.length;
  }
  return expanded;
}

function lengthOfAbbreviation(words: readonly string[], at: number): number {
  for (let length = LONGEST; length > 0; length--) {
    const written = words.slice(at, at + length);
    if (written.length === length && ABBREVIATED.has(written.join(' '))) return length;
  }
  return 0;
}

/** Terms that occur only in names of products, alone or together. */
const SAID = [
  'booster (?:box|pack|bundle|case|display)',
  '(?:collector|draft|play|set|jumpstart) booster',
  'elite trainer',
  'booster',
  'bundle',
  'blister',
  'tin',
  'display',
  'codecard',
  '(?:theme|starter|structure|battle|commander|challenge|champion|league battle) deck',
  'deck box',
  'premium collection',
  'build battle',
  '(?:trainer|prerelease|league) kit',
  '(?:fat|prize) pack',
  '(?:gift|collection|collector|ex|gx|v|vmax|vstar|challenge|battle|trainer) box',
  '(?:figure|pin|poster|sticker|box|binder) collection',
  'sleeve',
  'playmat',
];

const SAYS = new RegExp(`\\b(?:${SAID.join('|')})\\b|\\b(?:pack|box|case|kit|chest)$`);

/** A part of every word in {@link SAID}, or of its replacement. Most queries contain none. */
const MAY_SAY =
  /boost|elite|etb|bundle|blister|tin|display|code|deck|premium|battle|kit|pack|box|coll|sleeve|mat|case|chest|precon|bb|bp|upc|spc|b.{0,5}b/i;

/** Whether the words of a text show that it means a product, not a card. */
export function saysProduct(text: string): boolean {
  if (!MAY_SAY.test(text)) return false;
  const words = termsOf(text).join(' ');
  return SAYS.test(words) || /\bprecons?\b/i.test(text);
}
