import type { Card } from '../domain/card.ts';
import { compacted, readCollectorNumber } from '../domain/collector-number.ts';
import { rulesOf } from '../domain/games.ts';
import { variantWords, withoutPrintings } from '../domain/naming/comparable-name.ts';
import { codesOf } from '../domain/naming/set-names.ts';
import { foldText, foldWords, withoutZeros } from '../domain/text.ts';
import type { Judged } from './judge.ts';
import { haveSameTotal } from './numbers.ts';
import { choosePrinting } from './printing.ts';
import type { Wanted } from './wanted.ts';

/** The cards that remain after narrowing, and the steps that decided. */
export interface Narrowed {
  readonly fits: readonly Judged[];
  /** The steps that removed cards. */
  readonly decidedBy: readonly Step['name'][];
}

interface Step {
  readonly name:
    | 'name'
    | 'number'
    | 'total'
    | 'rarity'
    | 'home set'
    | 'variant'
    | 'plain'
    | 'printing'
    | 'year';
  /** Whether the item means this card rather than the cards that the step does not prefer. */
  readonly prefers: (wanted: Wanted, one: Judged, all: readonly Judged[]) => boolean;
}

/** The steps in order. A step that prefers no card keeps all of them. */
const STEPS: readonly Step[] = [
  { name: 'name', prefers: hasWholeName },
  { name: 'number', prefers: ({ number }, { card }) => areOneNumber(number, card.number) },
  { name: 'total', prefers: ({ number }, { card }) => haveSameTotal(number ?? '', card.number) },
  { name: 'rarity', prefers: ({ item }, { card }) => isRarity(item.rarity, card.rarity) },
  { name: 'home set', prefers: (wanted, one) => !wanted.sets && isAtHome(wanted, one) },
  { name: 'variant', prefers: hasGivenVariants },
  { name: 'plain', prefers: isPlain },
  { name: 'printing', prefers: hasPrinting },
  { name: 'year', prefers: ({ item }, { card }) => isOfYear(item.year, card.set.releaseDate) },
];

/** Narrows cards to the most likely ones for the item. */
export function narrow(wanted: Wanted, all: readonly Judged[]): Narrowed {
  let fits = all;
  const decidedBy: Step['name'][] = [];
  for (const { name, prefers } of STEPS) {
    if (fits.length < 2) break;
    const preferred = fits.filter((one) => prefers(wanted, one, fits));
    if (preferred.length === 0 || preferred.length === fits.length) continue;
    fits = preferred;
    decidedBy.push(name);
  }
  return { fits, decidedBy };
}

/** Needs a set or a number. Without one, `Dodge` may be another game's `Dodge!`. */
function hasWholeName(_: Wanted, one: Judged): boolean {
  return one.name === 'whole' && (one.isSetConfirmed || one.isNumberConfirmed);
}

/** Prefers `MRD-122` to `MRD-EN122`, which is the card in another language. */
function areOneNumber(given: string | undefined, own: string | null): boolean {
  if (given === undefined || own === null) return false;
  if (given === own) return true;
  return compacted(readCollectorNumber(given)) === compacted(readCollectorNumber(own));
}

function isRarity(given: string | undefined, own: string | null): boolean {
  return given !== undefined && own !== null && foldText(given) === foldText(own);
}

/**
 * Whether a card is in the set that its number belongs to. `OP06-118` belongs to OP-06, not to a
 * set of reprints. `125/197` does not belong to a set that mixes cards of other sets.
 */
function isAtHome({ number }: Wanted, { card }: Judged): boolean {
  if (number === undefined) return false;
  const { set } = card;
  const rules = rulesOf(set.game);
  if (rules.codeInNumber) {
    const [first = '', ...others] = readCollectorNumber(number).words.map(withoutZeros);
    return codesOf(set).some((code) => (others.length > 0 ? code === first : isFront(code, first)));
  }
  return !rules.mixedSets?.test(foldWords(set.name).join(' '));
}

function isFront(code: string, number: string): boolean {
  return code !== '' && number.startsWith(code) && /^\d/.test(number.slice(code.length));
}

function hasGivenVariants(wanted: Wanted, { card, parts }: Judged): boolean {
  const given = variantWords(withoutPrintings(wanted.nameIn(card.set.game).variants));
  return given !== '' && given === variantWords(parts.variants);
}

/** A name without a variant means the plain card, if all cards are from one set. */
function isPlain(wanted: Wanted, { card, parts }: Judged, all: readonly Judged[]): boolean {
  if (withoutPrintings(wanted.nameIn(card.set.game).variants).length > 0) return false;
  return parts.variants.length === 0 && all.every((one) => one.card.set.rowId === card.set.rowId);
}

/** Prefers cards with the printing. If there are none, prefers cards with several similar ones. */
function hasPrinting({ printing }: Wanted, { card }: Judged, all: readonly Judged[]): boolean {
  if (printing === undefined) return false;
  const kindOf = (one: Card) => {
    return one.printings.length === 0 ? 'none' : choosePrinting(one, printing).kind;
  };
  const isExact = all.some((one) => kindOf(one.card) === 'one');
  return kindOf(card) === (isExact ? 'one' : 'several');
}

function isOfYear(year: number | undefined, releaseDate: string | null): boolean {
  return year !== undefined && releaseDate?.startsWith(String(year)) === true;
}
