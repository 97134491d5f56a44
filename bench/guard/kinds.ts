import {
  byDay,
  drifting,
  leadingDigit,
  noisy,
  partOfAnotherSet,
  partOfSiblings,
  partTimes,
  permuted,
  rounded,
  shiftedFrom,
  sorted,
} from './clever.ts';
import {
  allEqual,
  allTimes,
  anotherCard,
  dayRepeated,
  every,
  exchange,
  inventedPrinting,
  type Lasting,
  ofAnotherSet,
  printingsExchanged,
  setTo,
  shareOf,
  shifted,
  siblingCopied,
  siblingsSwapped,
  single,
  times,
} from './mistakes.ts';
import type { Kind } from './model.ts';

/**
 * The kinds of mistakes, one row each: how sources of prices really fail. To add one, add a row.
 */

const FOILS = ['Foil', 'Reverse Holofoil', 'Etched Foil', 'Rainbow Foil'];
const STILL: Lasting = 'stands still';

/** An expensive card costs at least this much, in cents. */
const EXPENSIVE = 2000;
const A_CENT = 1;
const TEN_MILLION_LESS_A_DOLLAR = 999_999_900;

const FIGURES: readonly Kind[] = [
  one('market ×100, stands still', single(STILL, times('market', 100))),
  one('market ×100, moves', single('moves', times('market', 100))),
  one('market ×10.5, stands still', single(STILL, times('market', 10.5))),
  one('market ×10.5, moves', single('moves', times('market', 10.5))),
  one('market ×10, stands still', single(STILL, times('market', 10))),
  one('market ×5, stands still', single(STILL, times('market', 5))),
  one('market ×5, moves', single('moves', times('market', 5))),
  one('market ×2.9, stands still', single(STILL, times('market', 2.9))),
  one('market ×2.9, moves', single('moves', times('market', 2.9))),
  one('market ×1.6, stands still', single(STILL, times('market', 1.6))),
  one('market ×0.92 (euros), moves', single('moves', times('market', 0.92))),
  one('market ÷5, stands still', single(STILL, times('market', 1 / 5))),
  one('market ÷10, moves', single('moves', times('market', 1 / 10))),
  one('market ÷100, stands still', single(STILL, times('market', 1 / 100))),
  one('$9,999,999', single(STILL, setTo('market', TEN_MILLION_LESS_A_DOLLAR))),
  one('$0.01 for a expensive card', single(STILL, setTo('market', A_CENT, EXPENSIVE))),
  one('all figures ×10.5, stand still', single(STILL, allTimes(10.5))),
  one('all figures ×5, move', single('moves', allTimes(5))),
  one('all figures ×2.9, move', single('moves', allTimes(2.9))),
  one("another card's price, stands still", anotherCard(STILL)),
  one("another card's price, moves", anotherCard('moves')),
];

const CONTRADICTED: readonly Kind[] = [
  contradicted('market at 0.4 of its low', single('moves', shareOf('market', 'low', 0.4))),
  contradicted('market at 1.5 of its high', single('moves', shareOf('market', 'high', 1.5))),
  contradicted('low at 1.5 of its mid', single('moves', shareOf('low', 'mid', 1.5))),
  contradicted('mid at 1.5 of its high', single('moves', shareOf('mid', 'high', 1.5))),
  contradicted('low ×1000', single(STILL, times('low', 1000))),
  contradicted('mid ×100', single(STILL, times('mid', 100))),
  contradicted('high ×1000', single(STILL, times('high', 1000))),
  contradicted('low and high exchanged', single('moves', exchange('low', 'high'))),
  contradicted('siblings swapped, 1.1 to 1.5', siblingsSwapped(1.1, 1.5)),
  contradicted('siblings swapped, 1.5 and more', siblingsSwapped(1.5, 1000)),
  contradicted("a sibling's price copied", siblingCopied('moves')),
  contradicted("a sibling's price copied, stands still", siblingCopied(STILL)),
];

const FIRST_PRICES: readonly Kind[] = [
  {
    ...first('first price 30 times its low', single(STILL, shareOf('market', 'low', 30))),
    isContradicted: true,
  },
  first('first price ×10.5', single(STILL, allTimes(10.5))),
  first("first price is another card's", anotherCard('moves')),
  {
    ...one('printing invented, ×3', inventedPrinting(FOILS, 3)),
    isFirstPrice: true,
  },
];

const SET_WIDE: readonly Kind[] = [
  set('a set ×1.15', every(allTimes(1.15))),
  set('a set ×1.3', every(allTimes(1.3))),
  set('a set ×2.5', every(allTimes(2.5))),
  set('a set ×100 (cents)', every(allTimes(100))),
  set('a set ×0.7', every(allTimes(0.7))),
  set('a set ×0.92 (euros)', every(allTimes(0.92))),
  set('a set shifted by one row', shifted),
  set("another set's prices", ofAnotherSet),
  set('all prices of a set equal', allEqual),
  set("a set's printings exchanged", printingsExchanged),
  set("a set's market and low exchanged", every(exchange('market', 'low'))),
];

const FEED_WIDE: readonly Kind[] = [
  feed('a feed ×4', every(allTimes(4))),
  feed('a feed ×1.15', every(allTimes(1.15))),
  feed('a feed ×0.92 (euros)', every(allTimes(0.92))),
  feed('a feed ×100 (cents)', every(allTimes(100))),
  feed('a feed shifted by one row', shifted),
  feed('foil and normal exchanged', printingsExchanged),
  { ...feed('a day repeated', dayRepeated), isOldNews: true },
];

/** Each day looks right next to the day before, or the noise looks like a live price. */
const CLEVER: readonly Kind[] = [
  far(
    'climbs 45 % a day',
    10,
    byDay((days) => 1.45 ** (days + 1)),
  ),
  clever(
    'climbs 45 % a day, 3 times',
    3,
    byDay((days) => 1.45 ** (days + 1)),
  ),
  clever(
    'falls 30 % a day, a third',
    3,
    byDay((days) => 0.7 ** (days + 1)),
  ),
  clever(
    'climbs 12 % a day',
    2.2,
    byDay((days) => 1.12 ** (days + 1)),
  ),
  clever(
    '×1.9 every second day',
    3,
    byDay((days) => 1.9 ** (Math.floor(days / 2) + 1)),
  ),
  clever(
    '×1.9, then ×3.6',
    3,
    byDay((days) => (days === 0 ? 1.9 : 3.6)),
  ),
  clever(
    '×3 on every second day',
    2.2,
    byDay((days) => (days % 2 === 0 ? 3 : 1)),
  ),
  clever('×2.2, stands still', 1.8, single(STILL, times('market', 2.2))),
  clever('×2.2 ±3 %', 1.8, noisy(2.2, 0.03)),
  clever('×3 ±20 %', 2, noisy(3, 0.2)),
  clever('×8 ±25 %', 3, noisy(8, 0.25)),
  clever('÷4 ±10 %', 3, noisy(1 / 4, 0.1)),
  far('yen read as dollars', 10, single('moves', times('market', 150))),
  far('a decimal comma lost', 10, single(STILL, times('market', 1000))),
  far('$9,999.99 for a cheap card', 10, single(STILL, setTo('market', 999_999))),
  clever('the last digit lost', 3, single('moves', times('market', 1 / 9.5))),
  clever('a leading digit', 2.2, single('moves', leadingDigit)),
];

/** The median of the set stands. */
const PARTS: readonly Kind[] = [
  part('40 % of a set ×1.2', partTimes(0.4, 1.2)),
  part('25 % of a set ×1.5', partTimes(0.25, 1.5)),
  part('20 % of a set ×0.79 (pounds)', partTimes(0.2, 0.79)),
  part('15 % of a set permuted', permuted(0.15)),
  part('30 % of a set permuted', permuted(0.3)),
  part('last 15 % shifted by one row', shiftedFrom(0.85)),
  part('second half shifted by one row', shiftedFrom(0.5)),
  part('half of a set from another set', partOfAnotherSet(0.5)),
  part('20 % of a set from another set', partOfAnotherSet(0.2)),
  part('a third of a set sorted by price', sorted(0.33)),
  part("20 % of a set takes siblings' prices", partOfSiblings(0.2)),
  part('a set rounded to whole dollars', rounded),
  drift('a set that drifts 4 % a day', drifting(1.04)),
  drift('a set that drifts down 4 % a day', drifting(0.96)),
];

export const KINDS: readonly Kind[] = [
  ...CLEVER,
  ...PARTS,
  ...FIGURES,
  ...CONTRADICTED,
  ...FIRST_PRICES,
  ...SET_WIDE,
  ...FEED_WIDE,
];

/** The kinds that need no figure but the market price, which real days have. */
export const MARKET_KINDS: readonly Kind[] = [
  ...CLEVER,
  ...PARTS,
  ...FIGURES.filter(({ name }) => !name.startsWith('all figures')),
  ...SET_WIDE.filter(({ name }) => !name.includes('low')),
  ...CONTRADICTED.filter(({ name }) => name.includes('sibling')),
];

/** A mistake in one price that counts once it is off by a factor. */
function clever(name: string, leastFactor: number, plant: Kind['plant']): Kind {
  return { ...one(name, plant), leastFactor, group: leastFactor < 3 ? 'double' : 'medium' };
}

function far(name: string, leastFactor: number, plant: Kind['plant']): Kind {
  return { ...one(name, plant), leastFactor, group: 'large' };
}

/** A mistake in a part of a set. */
function part(name: string, plant: Kind['plant']): Kind {
  return { ...set(name, plant), group: 'part' };
}

/** A mistake in a whole set that counts once prices are off by 15 %. */
function drift(name: string, plant: Kind['plant']): Kind {
  return { ...set(name, plant), leastFactor: 1.15 };
}

function one(name: string, plant: Kind['plant']): Kind {
  return { name, scope: 'single', plant };
}

/** A mistake that another figure or printing contradicts. */
function contradicted(name: string, plant: Kind['plant']): Kind {
  return { ...one(name, plant), isContradicted: true };
}

/** A mistake in the first price of a printing that the source has not listed before. */
function first(name: string, plant: Kind['plant']): Kind {
  return { ...one(name, plant), isFirstPrice: true, isUnlisted: true };
}

function set(name: string, plant: Kind['plant']): Kind {
  return { name, scope: 'set', plant };
}

function feed(name: string, plant: Kind['plant']): Kind {
  return { name, scope: 'feed', plant };
}
