import type { Kind } from './kind.ts';
import {
  allEqual,
  dayRepeated,
  every,
  ofAnotherSet,
  printingsExchanged,
  shifted,
} from './mass-mistakes.ts';
import {
  allTimes,
  anotherCard,
  exchange,
  inventedPrinting,
  type Lasting,
  setTo,
  shareOf,
  siblingCopied,
  siblingsSwapped,
  single,
  times,
} from './mistakes.ts';

/**
 * The kinds of mistakes, a row each: how sources of prices really fail. To add a kind, add a row;
 * the functions are in `mistakes.ts` and `mass-mistakes.ts`.
 */

const TCGCSV = ['magic', 'pokemon', 'lorcana', 'beside scryfall'];
const MARKETS = [...TCGCSV, 'scryfall', 'archive'];
const LISTINGS = ['pokemon'];
const GRADES = ['pricecharting'];
const CONDITIONS = ['justtcg'];
const SETS = ['magic', 'pokemon', 'scryfall'];
const FOILS = ['Foil', 'Reverse Holofoil', 'Etched Foil', 'Rainbow Foil'];
const STILL: Lasting = 'stands still';

/** A dear card costs at least this much, in cents. */
const DEAR = 2000;
const A_CENT = 1;
const TEN_MILLION_LESS_A_DOLLAR = 999_999_900;

const FIGURES: readonly Kind[] = [
  one('market ×100, stands still', MARKETS, single(STILL, times('market', 100))),
  one('market ×100, moves', MARKETS, single('moves', times('market', 100))),
  one('market ×10.5, stands still', MARKETS, single(STILL, times('market', 10.5))),
  one('market ×10.5, moves', MARKETS, single('moves', times('market', 10.5))),
  one('market ×10, stands still', MARKETS, single(STILL, times('market', 10))),
  one('market ×5, stands still', MARKETS, single(STILL, times('market', 5))),
  one('market ×5, moves', MARKETS, single('moves', times('market', 5))),
  one('market ×2.9, stands still', MARKETS, single(STILL, times('market', 2.9))),
  one('market ×2.9, moves', MARKETS, single('moves', times('market', 2.9))),
  one('market ×1.6, stands still', MARKETS, single(STILL, times('market', 1.6))),
  one('market ×0.92 (euros), moves', MARKETS, single('moves', times('market', 0.92))),
  one('market ÷5, stands still', MARKETS, single(STILL, times('market', 1 / 5))),
  one('market ÷10, moves', MARKETS, single('moves', times('market', 1 / 10))),
  one('market ÷100, stands still', MARKETS, single(STILL, times('market', 1 / 100))),
  one('$9,999,999', MARKETS, single(STILL, setTo('market', TEN_MILLION_LESS_A_DOLLAR))),
  one('$0.01 for a dear card', MARKETS, single(STILL, setTo('market', A_CENT, DEAR))),
  one('all figures ×10.5, stand still', LISTINGS, single(STILL, allTimes(10.5))),
  one('all figures ×5, move', LISTINGS, single('moves', allTimes(5))),
  one('all figures ×2.9, move', LISTINGS, single('moves', allTimes(2.9))),
  one("another card's price, stands still", MARKETS, anotherCard(STILL)),
  one("another card's price, moves", MARKETS, anotherCard('moves')),
];

const CONTRADICTED: readonly Kind[] = [
  told('market at 0.4 of its low', LISTINGS, single('moves', shareOf('market', 'low', 0.4))),
  told('market at 1.5 of its high', LISTINGS, single('moves', shareOf('market', 'high', 1.5))),
  told('low at 1.5 of its mid', LISTINGS, single('moves', shareOf('low', 'mid', 1.5))),
  told('mid at 1.5 of its high', LISTINGS, single('moves', shareOf('mid', 'high', 1.5))),
  told('low ×1000', LISTINGS, single(STILL, times('low', 1000))),
  told('mid ×100', LISTINGS, single(STILL, times('mid', 100))),
  told('high ×1000', LISTINGS, single(STILL, times('high', 1000))),
  told('low and high exchanged', LISTINGS, single('moves', exchange('low', 'high'))),
  told('siblings swapped, 1.1 to 1.5', TCGCSV, siblingsSwapped(1.1, 1.5)),
  told('siblings swapped, 1.5 and more', [...TCGCSV, 'scryfall'], siblingsSwapped(1.5, 1000)),
  told("a sibling's price copied", [...TCGCSV, 'scryfall'], siblingCopied('moves')),
  told("a sibling's price copied, stands still", TCGCSV, siblingCopied(STILL)),
  told('a finish that the source does not list', ['scryfall'], inventedPrinting(FOILS, 3)),
];

const FIRST_PRICES: readonly Kind[] = [
  {
    ...first('first price 30 times its low', LISTINGS, single(STILL, shareOf('market', 'low', 30))),
    isContradicted: true,
  },
  first('first price ×10.5', ['magic', 'pokemon'], single(STILL, allTimes(10.5))),
  first("first price is another card's", ['magic', 'pokemon'], anotherCard('moves')),
  {
    ...one('printing invented, ×3', ['magic', 'pokemon'], inventedPrinting(FOILS, 3)),
    isFirstPrice: true,
  },
];

const CONDITION_PRICES: readonly Kind[] = [
  told(
    'damaged at 3 times near mint',
    CONDITIONS,
    single('moves', shareOf('damaged', 'near_mint', 3)),
  ),
  told(
    "near mint at the damaged's price",
    CONDITIONS,
    single('moves', shareOf('near_mint', 'damaged', 1)),
  ),
  told(
    'near mint and damaged exchanged',
    CONDITIONS,
    single('moves', exchange('near_mint', 'damaged')),
  ),
  one('near mint ×10.5', [...CONDITIONS, 'quotes'], single(STILL, times('near_mint', 10.5))),
  one('near mint ×100', [...CONDITIONS, 'quotes'], single(STILL, times('near_mint', 100))),
  one('near mint ×2.9', ['quotes'], single('moves', times('near_mint', 2.9))),
  one('all conditions ×5, move', CONDITIONS, single('moves', allTimes(5))),
];

const GRADED_PRICES: readonly Kind[] = [
  told('the raw price as PSA 10', GRADES, single('moves', shareOf('psa_10', 'market', 1))),
  told('the PSA 10 price as raw', GRADES, single('moves', shareOf('market', 'psa_10', 1))),
  told('PSA 9 at 1.5 of PSA 10', GRADES, single('moves', shareOf('psa_9', 'psa_10', 1.5))),
  told('PSA 9 and PSA 10 exchanged', GRADES, single('moves', exchange('psa_9', 'psa_10'))),
  one('PSA 10 ×10.5', GRADES, single(STILL, times('psa_10', 10.5))),
  one('PSA 10 ×2.9, moves', GRADES, single('moves', times('psa_10', 2.9))),
  one("another card's prices, graded and raw", GRADES, anotherCard('moves')),
];

const SET_WIDE: readonly Kind[] = [
  set('a set ×1.15', SETS, every(allTimes(1.15))),
  set('a set ×1.3', SETS, every(allTimes(1.3))),
  set('a set ×2.5', SETS, every(allTimes(2.5))),
  set('a set ×100 (cents)', SETS, every(allTimes(100))),
  set('a set ×0.7', SETS, every(allTimes(0.7))),
  set('a set ×0.92 (euros)', SETS, every(allTimes(0.92))),
  set('a set shifted by one row', SETS, shifted),
  set("another set's prices", SETS, ofAnotherSet),
  set('all prices of a set equal', SETS, allEqual),
  set("a set's printings exchanged", SETS, printingsExchanged),
  set("a set's market and low exchanged", LISTINGS, every(exchange('market', 'low'))),
];

const FEED_WIDE: readonly Kind[] = [
  feed('a feed ×4', ['scryfall'], every(allTimes(4))),
  feed('a feed ×1.15', ['scryfall'], every(allTimes(1.15))),
  feed('a feed ×0.92 (euros)', ['scryfall', 'magic', 'beside scryfall'], every(allTimes(0.92))),
  feed('a feed ×100 (cents)', ['magic'], every(allTimes(100))),
  feed('a feed shifted by one row', ['scryfall', 'magic'], shifted),
  feed('foil and normal exchanged', ['scryfall'], printingsExchanged),
  { ...feed('a day repeated', ['magic', 'pokemon'], dayRepeated), isOldNews: true },
];

export const KINDS: readonly Kind[] = [
  ...FIGURES,
  ...CONTRADICTED,
  ...FIRST_PRICES,
  ...CONDITION_PRICES,
  ...GRADED_PRICES,
  ...SET_WIDE,
  ...FEED_WIDE,
];

function one(name: string, worlds: readonly string[], plant: Kind['plant']): Kind {
  return { name, scope: 'single', worlds, plant };
}

/** A mistake that something beside it contradicts. */
function told(name: string, worlds: readonly string[], plant: Kind['plant']): Kind {
  return { ...one(name, worlds, plant), isContradicted: true };
}

/** A mistake in the first price of a printing that the source has not listed before. */
function first(name: string, worlds: readonly string[], plant: Kind['plant']): Kind {
  return { ...one(name, worlds, plant), isFirstPrice: true, isUnlisted: true };
}

function set(name: string, worlds: readonly string[], plant: Kind['plant']): Kind {
  return { name, scope: 'set', worlds, plant };
}

function feed(name: string, worlds: readonly string[], plant: Kind['plant']): Kind {
  return { name, scope: 'feed', worlds, plant };
}
