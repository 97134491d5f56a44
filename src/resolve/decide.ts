import {
  type Card,
  hasAmount,
  isOwnLanguage,
  type Printing,
  printingInLanguageOf,
  printingsIn,
} from '../domain/card.ts';
import { noPriceIn } from '../domain/copy.ts';
import { type LanguageCode, withoutLanguage } from '../domain/languages.ts';
import { foldText } from '../domain/text.ts';
import type { Candidate, Resolution, Undecided } from './item.ts';
import type { Judged } from './judge.ts';
import { type Narrowed, narrow } from './narrow.ts';
import { haveSameTotal } from './numbers.ts';
import { choosePrinting } from './printing.ts';
import type { Wanted } from './wanted.ts';

/** Decides which of the judged cards an item means: one, several or none. */
export function decide(wanted: Wanted, judged: readonly Judged[], unexplained = 0): Resolution {
  const decided = decideCard(wanted, judged, unexplained);
  if (decided.status === 'matched') return decided;
  const { copy, language } = wanted;
  return { ...decided, copy, ...(language && { language }) };
}

function decideCard(wanted: Wanted, judged: readonly Judged[], unexplained: number): Resolution {
  // With an external id, only its card may match, and only if nothing contradicts it.
  const ofId = judged.filter(({ isIdConfirmed }) => isIdConfirmed);
  const possible = (ofId.length > 0 ? ofId : judged).filter(({ contradictions }) => {
    return contradictions.length === 0;
  });
  if (possible.length === 0) return noneFits(wanted, judged);
  const narrowed = narrow(wanted, possible);
  const [one, ...others] = narrowed.fits;
  if (!one || others.length > 0) return severalFit(wanted, narrowed.fits);
  const doubt = doubtOf(wanted, one);
  if (doubt !== undefined) {
    const answer = undecided('ambiguous', [{ card: one.card, reasons: [doubt] }], [doubt]);
    return { ...answer, isMisspelt: one.name === 'similar' };
  }
  return match(wanted, one, narrowed, unexplained);
}

/** Shorter names are parts of many names in other games: `Ash`. */
const LONGEST_SHORT_NAME = 4;

/** Returns why the only card that fits is doubtful; undefined if it is certain. */
function doubtOf(wanted: Wanted, one: Judged): string | undefined {
  if (one.name === 'none' && !one.isIdConfirmed) {
    return 'The item gives no name that confirms the card.';
  }
  const isPlaced = one.isIdConfirmed || (one.isNumberConfirmed && isInOneSet(wanted, one));
  if (one.name === 'similar' && !isPlaced) {
    return `Its name is only similar to ${wanted.name}: give its set and number.`;
  }
  const isAlone = !isPlaced && !one.isSetConfirmed && !one.isNumberConfirmed && !wanted.game;
  if (one.name === 'part' && isAlone) {
    return `${wanted.name} is only a part of ${one.card.name}: give its game, set or number.`;
  }
  if (isAlone && foldText(wanted.name).length <= LONGEST_SHORT_NAME) {
    return `${wanted.name} alone may mean many cards: give its game, set or number.`;
  }
  return undefined;
}

/** Whether the item gives the set by name, by letters in the number, or by the total. */
function isInOneSet({ number = '' }: Wanted, { card, isSetConfirmed }: Judged): boolean {
  return isSetConfirmed || /[A-Za-z]/.test(number) || haveSameTotal(number, card.number);
}

function match(
  wanted: Wanted,
  one: Judged,
  { decidedBy }: Narrowed,
  unexplained: number,
): Resolution {
  const { card } = one;
  const meant = choosePrinting(card, wanted.printing);
  if (meant.kind !== 'one') {
    return undecided('ambiguous', [{ card, reasons: [meant.reason] }], [meant.reason]);
  }
  const { language } = wanted;
  const isOwn = language === undefined || isOwnLanguage(card, language);
  const printing = isOwn ? meant.printing : translated(card, meant.printing, wanted, language);
  const unknown = isOwn || (printing && hasAmount(printing)) ? [] : [noPriceIn(language)];
  return {
    status: 'matched',
    card,
    printing,
    ...(language && { language }),
    quantity: wanted.item.quantity ?? 1,
    copy: isOwn ? wanted.copy : { ...wanted.copy, language },
    confidence: confidenceOf(wanted, one, decidedBy, unexplained),
    reasons: [
      ...confirmations(wanted, one),
      ...decidedBy.map((step) => DECISIONS[step]),
      ...unknown,
    ],
  };
}

/** Returns the translation of a printing; without a given printing, any one in that language. */
function translated(
  card: Card,
  plain: Printing | null,
  { printing: given }: Wanted,
  language: LanguageCode,
): Printing | null {
  if (given === undefined) return printingInLanguageOf(card, language) ?? null;
  const same = printingsIn(card, language).find(
    ({ name }) => withoutLanguage(name) === plain?.name,
  );
  return same ?? null;
}

/** The displayed reason for each step of narrowing. */
const DECISIONS: Readonly<Record<Narrowed['decidedBy'][number], string>> = {
  name: 'It has the whole name; others have only a part of it.',
  number: 'Its number matches exactly; the numbers of the others have a language in them.',
  total: 'Its set has the number of cards that the item gives.',
  rarity: 'It has the rarity that the item gives.',
  'home set': 'Its number is of its own set; the others are in sets that reprint it.',
  variant: 'It is the variant that the item gives.',
  plain: 'The item names no variant, and this is the card without one.',
  printing: 'It has the printing that the item gives.',
  year: 'Its set is of the year that the item gives.',
};

function confirmations(wanted: Wanted, one: Judged): string[] {
  const { card } = one;
  const reasons: string[] = [];
  if (one.isIdConfirmed) reasons.push("The external id is this card's.");
  if (one.isSetConfirmed && one.isNumberConfirmed) {
    reasons.push(`The set ${wanted.sets?.given} and the number ${wanted.number} are this card's.`);
  } else if (one.isSetConfirmed) reasons.push(`The set ${wanted.sets?.given} is this card's.`);
  else if (one.isNumberConfirmed) reasons.push(`The number ${wanted.number} is this card's.`);
  const named = NAME_REASONS[one.name](card, wanted);
  if (named !== undefined) reasons.push(named);
  return reasons;
}

const NAME_REASONS = {
  whole: () => 'The name is the same.',
  part: (card: Card) => `The name is a part of ${card.name}.`,
  similar: (card: Card, { name }: Wanted) => `${name} is ${card.name} but for a few letters.`,
  other: () => undefined,
  none: () => undefined,
} satisfies Record<Judged['name'], (card: Card, wanted: Wanted) => string | undefined>;

function severalFit(wanted: Wanted, fits: readonly Judged[]): Undecided {
  const candidates = fits.map(({ card, name }) => {
    const similar = name === 'similar' ? [NAME_REASONS.similar(card, wanted)] : [];
    return { card, reasons: [...similar, describe(card)] };
  });
  const cards = fits.map(({ card }) => card);
  const reason = whatDecides(cards, wanted.number !== undefined);
  const isMisspelt = fits.every(({ name }) => name === 'similar');
  return { ...undecided('ambiguous', candidates, [reason]), isMisspelt };
}

function describe({ set, number, rarity }: Card): string {
  const parts = [set.name, number === null ? '' : `number ${number}`, rarity ?? ''];
  return `It is in ${parts.filter(Boolean).join(', ')}.`;
}

/** Returns how the remaining cards differ. */
function whatDecides(cards: readonly Card[], hasNumber: boolean): string {
  const sets = countOf(cards, ({ set }) => set.rowId);
  if (sets > 1) return `It is in ${sets} sets: give the set${hasNumber ? '' : ' or the number'}.`;
  const numbers = countOf(cards, ({ number }) => number);
  if (numbers > 1) return `The set has ${numbers} numbers of it: give the number.`;
  const rarities = countOf(cards, ({ rarity }) => rarity);
  if (rarities > 1) return `It exists in ${rarities} rarities: give the rarity.`;
  const names = countOf(cards, ({ name }) => name);
  if (names > 1) return `There are ${names} variants of it: give the words in brackets.`;
  return `${cards.length} cards fit this description: give an external id.`;
}

function countOf<T>(cards: readonly Card[], fieldOf: (card: Card) => T): number {
  return new Set(cards.map(fieldOf)).size;
}

function noneFits(wanted: Wanted, judged: readonly Judged[]): Undecided {
  const nearest = judged.toSorted((a, b) => weightOf(a) - weightOf(b));
  const candidates = nearest.map(({ card, contradictions }) => ({ card, reasons: contradictions }));
  const disputed = judged.some((one) => one.isIdConfirmed);
  if (disputed) {
    const reasons = ['The rest of the item contradicts the card of the external id.'];
    return undecided('ambiguous', candidates, reasons);
  }
  return undecided('unknown', candidates, [whyNone(wanted, judged)]);
}

/** Returns the distance of a card. Cards with other names are farther than all others. */
function weightOf({ name, contradictions }: Judged): number {
  return contradictions.length + (name === 'other' || name === 'none' ? 10 : 0);
}

function whyNone({ name, sets }: Wanted, judged: readonly Judged[]): string {
  if (sets && sets.sets.length === 0) return `No set ${sets.given} is known.`;
  const isNamed = judged.some((one) => one.name === 'whole' || one.name === 'part');
  if (!isNamed) return `No card ${name} is known${sets ? ` in ${sets.given}` : ''}.`;
  return 'No card of this name has the set, the number and the variant that the item gives.';
}

/** Returns an answer without a match. */
export function undecided(
  status: Undecided['status'],
  candidates: readonly Candidate[],
  reasons: readonly string[],
): Undecided {
  return { status, candidates, candidateCount: candidates.length, reasons };
}

/** The confidence by how a card was identified. */
const BASES = {
  'id and name': 1,
  'set, number and name': 0.99,
  id: 0.97,
  'number and name': 0.94,
  'set and name': 0.93,
  name: 0.9,
} as const;

/** Factors that reduce the confidence. */
const DOUBTS = {
  similarName: 0.85,
  partOfName: 0.92,
  partOfSetName: 0.92,
  homeSet: 0.95,
  plain: 0.9,
  unexplainedWord: 0.96,
} as const;

/** Returns the confidence from 0 to 1, in hundredths: the basis times each doubt. */
function confidenceOf(
  wanted: Wanted,
  one: Judged,
  decidedBy: Narrowed['decidedBy'],
  unexplained: number,
): number {
  let confidence: number = BASES[basisOf(one)];
  if (one.name === 'similar') confidence *= DOUBTS.similarName;
  if (one.name === 'part') confidence *= DOUBTS.partOfName;
  if (wanted.sets?.isPartial) confidence *= DOUBTS.partOfSetName;
  if (decidedBy.includes('home set')) confidence *= DOUBTS.homeSet;
  if (decidedBy.includes('plain')) confidence *= DOUBTS.plain;
  confidence *= DOUBTS.unexplainedWord ** unexplained;
  return Math.round(100 * confidence) / 100;
}

function basisOf(one: Judged): keyof typeof BASES {
  if (one.isIdConfirmed) return one.name === 'none' ? 'id' : 'id and name';
  if (one.isNumberConfirmed) {
    return one.isSetConfirmed ? 'set, number and name' : 'number and name';
  }
  return one.isSetConfirmed ? 'set and name' : 'name';
}
