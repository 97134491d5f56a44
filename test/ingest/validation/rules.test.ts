import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ValidationRule } from '../../../src/domain/quarantined.ts';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { judgeBatch } from '../../../src/ingest/validation/judge.ts';
import { moment, type Reported, resolved } from '../../support/resolved.ts';

const CONTEXT = { limits: DEFAULT_LIMITS, now: moment('2026-01-28T21:00:00Z') };

/** Returns for each observation why it goes into quarantine; null where it is accepted. */
function judge(reported: readonly Reported[]): (string | null)[] {
  const batch = reported.map(resolved);
  const found = judgeBatch(batch, CONTEXT);
  return batch.map((one) => found.get(one)?.rule ?? null);
}

const FINISHES = ['Normal', 'Holofoil', 'Reverse Holofoil'];
const normal = { printing: 'Normal', known: FINISHES };
const holo = { printing: 'Holofoil', known: FINISHES };
const reverse = { printing: 'Reverse Holofoil', known: FINISHES };

/** Mistakes as price services make them, and why each price goes into quarantine. */
const PLANTED: Readonly<Record<string, readonly (Reported & { reason: string | null })[]>> = {
  'a jumbo card priced as the card': [{ was: 4.1, is: 24.99, reason: 'price-jump' }],
  'a booster box priced as the card': [{ was: 12, is: 189.95, reason: 'price-jump' }],
  'the card priced as its code card': [{ was: 38.5, is: 0.05, reason: 'price-jump' }],
  'an alternate art priced as the base card': [{ was: 310, is: 1.25, reason: 'price-jump' }],
  'a base card priced as its alternate art': [{ was: 1.25, is: 310, reason: 'price-jump' }],
  'a promo priced as the dearest of its name': [
    { card: 1, was: 3, is: 480, reason: 'price-jump' },
    { card: 2, was: 480, is: 480, reason: null },
    { card: 3, was: 12.5, is: 480, reason: 'price-jump' },
  ],
  'cents read as dollars': [{ was: 2.5, is: 250, reason: 'price-jump' }],
  'dollars read as cents': [{ was: 250, is: 2.5, reason: 'price-jump' }],
  'a price cut off at its thousands separator': [{ was: 1234.5, is: 1, reason: 'price-jump' }],
  'a placeholder of a cent': [{ was: 25, is: 0.01, reason: 'price-jump' }],
  'a placeholder of nines': [{ was: 25, is: 99_999.99, reason: 'price-jump' }],
  'a graded price as the price of the card': [
    {
      source: 'pricecharting',
      marketplace: 'pricecharting',
      was: 60,
      is: 900,
      reason: 'price-jump',
    },
  ],
  'a grade priced as another one': [
    {
      source: 'pricecharting',
      marketplace: 'pricecharting',
      reason: 'price-jump',
      was: { market: 30, psa_9: 60, psa_10: 900 },
      is: { market: 30, psa_9: 900, psa_10: 900 },
    },
  ],
  'a played card priced as a sealed one': [
    {
      source: 'justtcg',
      reason: 'condition-order',
      was: { near_mint: 10, damaged: 3 },
      is: { near_mint: 10, damaged: 140 },
    },
  ],
  'a jump when only listings are known': [
    { was: { low: 4, mid: 5 }, is: { low: 90, mid: 120 }, reason: 'price-jump' },
  ],
  'a jump that every other source contradicts, however often it is reported': [
    { was: 10, is: 95, others: { scryfall: 10.4, mtgjson: 9.8 }, reason: 'price-jump' },
  ],
  'a jump when the prices of other sources are too old to confirm it': [
    { was: 10, is: 95, others: { scryfall: 95 }, othersOn: '2025-11-01', reason: 'price-jump' },
  ],
  'a first price that is another card’s, as all other sources show': [
    { source: 'scryfall', is: 480, others: { tcgcsv: 3.1 }, reason: 'source-outlier' },
  ],
  'a first price that is another card’s, as a price of half a year ago shows': [
    {
      source: 'pricecharting',
      marketplace: 'pricecharting',
      reason: 'source-outlier',
      is: 5.34,
      others: { tcgcsv: 209.93 },
      othersOn: '2025-07-28',
    },
  ],
  'a first price of twice that of another source of its marketplace': [
    { source: 'scryfall', is: 20, others: { tcgcsv: 10 }, reason: 'source-outlier' },
  ],
  'a first price of six times that of another marketplace': [
    {
      source: 'pricecharting',
      marketplace: 'pricecharting',
      is: 60,
      others: { tcgcsv: 10 },
      reason: 'source-outlier',
    },
  ],
  'a jump of eleven times in two sources of one marketplace': [
    { was: 10, is: 110, others: { scryfall: 110 }, reason: 'price-jump' },
  ],
  'holo and reverse swapped': [
    { ...holo, was: 41, is: 12, reason: 'swapped-printings' },
    { ...reverse, was: 12, is: 41, reason: 'swapped-printings' },
  ],
  'holo and reverse swapped, and moved on since': [
    { ...holo, was: 41, is: 12.9, reason: 'swapped-printings' },
    { ...reverse, was: 12, is: 38.5, reason: 'swapped-printings' },
  ],
  'normal and foil swapped whose prices differ by half': [
    { ...normal, was: 3, is: 4.7, reason: 'swapped-printings' },
    { ...reverse, was: 4.6, is: 3.05, reason: 'swapped-printings' },
  ],
  'normal and foil swapped to the cent whose prices differ by a quarter': [
    { ...normal, was: 4, is: 5, reason: 'swapped-printings' },
    { ...reverse, was: 5, is: 4, reason: 'swapped-printings' },
  ],
  'two of three printings swapped': [
    { ...normal, was: 2, is: 2.1, reason: null },
    { ...holo, was: 30, is: 9, reason: 'swapped-printings' },
    { ...reverse, was: 9, is: 30, reason: 'swapped-printings' },
  ],
  'first edition and unlimited swapped': [
    { printing: '1st Edition Holofoil', was: 5200, is: 410, reason: 'swapped-printings' },
    { printing: 'Unlimited Holofoil', was: 410, is: 5200, reason: 'swapped-printings' },
  ],
  'foil and normal swapped in a new source, as another source shows': [
    { ...normal, source: 'scryfall', is: 9.5, others: { tcgcsv: 2 }, reason: 'swapped-printings' },
    {
      ...reverse,
      source: 'scryfall',
      is: 2.1,
      others: { tcgcsv: 9.2 },
      reason: 'swapped-printings',
    },
  ],
  'one price for all finishes': [
    { ...normal, was: 2, is: 5.5, reason: 'copied-price' },
    { ...reverse, was: 5.5, is: 5.5, reason: null },
  ],
  'a price for a finish that the source itself does not list': [
    { source: 'scryfall', printing: 'Foil', stated: ['Normal'], is: 3, reason: 'unknown-printing' },
  ],
  'a price for a finish that the card is not known to have': [
    {
      source: 'pricecharting',
      printing: 'Reverse Holofoil',
      known: ['Holofoil'],
      is: 3,
      reason: 'unknown-printing',
    },
  ],
  'a price for an edition that the card is not known to have': [
    {
      source: 'justtcg',
      printing: '1st Edition',
      known: ['Normal'],
      is: 3,
      reason: 'unknown-printing',
    },
  ],
  '0 for unknown': [{ was: 12, is: 0, reason: 'absurd-price' }],
  '0 for unknown among other figures': [{ is: { market: 12, low: 0 }, reason: 'absurd-price' }],
  '0 for a condition that nobody sells': [
    { is: { near_mint: 12, damaged: 0 }, reason: 'absurd-price' },
  ],
  '0 for a grade that nobody has': [{ is: { market: 12, psa_10: 0 }, reason: 'absurd-price' }],
  'a price below nothing': [{ is: -1, reason: 'absurd-price' }],
  'a price that is not a number': [{ is: Number.NaN, reason: 'absurd-price' }],
  'a price above ten million dollars': [{ is: 10_000_000.01, reason: 'absurd-price' }],
  'the lowest and the highest price mixed up': [
    { is: { low: 30, mid: 12, high: 10 }, reason: 'stray-listing' },
  ],
  'a lowest listing that nobody would pay': [
    {
      is: { market: 2.36, low: 204_301.3, mid: 204_301.3, high: 204_301.3 },
      reason: 'stray-listing',
    },
  ],
  'a market price that leaves its listings': [
    {
      was: { market: 10, low: 8, mid: 11, high: 15 },
      is: { market: 16, low: 8, mid: 11, high: 15 },
      reason: 'outside-listings',
    },
  ],
  'a market price that falls below half of its lowest listing': [
    {
      was: { market: 10, low: 9, mid: 11, high: 15 },
      is: { market: 4.4, low: 9, mid: 11, high: 15 },
      reason: 'outside-listings',
    },
  ],
  'a first price of thirty times its lowest listing': [
    { is: { market: 30, low: 1, mid: 2.2, high: 8 }, reason: 'outside-listings' },
  ],
  'asked prices that go up while it sells as before': [
    { was: { market: 10, mid: 12 }, is: { market: 10, mid: 90 }, reason: 'price-jump' },
  ],
  'somebody who asks for the moon': [
    { was: { market: 10, high: 20 }, is: { market: 10, high: 3999 }, reason: 'price-jump' },
  ],
  'a placeholder of a cent as the lowest listing': [
    { was: { market: 10, low: 6 }, is: { market: 10, low: 0.01 }, reason: 'price-jump' },
  ],
  'cents that become many times as much': [{ was: 0.04, is: 0.9, reason: 'price-jump' }],
  'the raw price in the column of PSA 10': [
    { is: { market: 30, psa_9: 60, psa_10: 30 }, reason: 'grade-order' },
  ],
  'the price of a PSA 10 as the raw price': [
    { was: { market: 30, psa_10: 250 }, is: { market: 500, psa_10: 250 }, reason: 'grade-order' },
  ],
  'a damaged card that costs more than a near mint one': [
    { is: { near_mint: 10, damaged: 30 }, reason: 'condition-order' },
  ],
  'a printing that an old card never had': [
    {
      printing: 'Cold Foil',
      known: ['Normal'],
      listed: ['Normal'],
      is: 3,
      reason: 'unknown-printing',
    },
  ],
  'cheap printings swapped to the cent': [
    { ...normal, was: 0.1, is: 0.16, reason: 'swapped-printings' },
    { ...reverse, was: 0.16, is: 0.1, reason: 'swapped-printings' },
  ],
  'a price of the day after tomorrow': [{ is: 12, on: '2026-01-30', reason: 'absurd-date' }],
  'seconds read as milliseconds': [{ is: 12, on: '1970-01-21', reason: 'absurd-date' }],
  'no moment at all': [{ is: 12, on: 'yesterday', reason: 'absurd-date' }],
  'euros labelled as dollars': [
    {
      source: 'cardmarket',
      marketplace: 'cardmarket',
      currency: 'USD',
      is: 12,
      reason: 'wrong-currency',
    },
  ],
  'dollars labelled as euros': [{ currency: 'EUR', is: 12, reason: 'wrong-currency' }],
  'another currency than before': [
    {
      source: 'quotes',
      marketplace: 'my-shop',
      was: 12,
      wasIn: 'EUR',
      is: 12,
      reason: 'wrong-currency',
    },
  ],
};

/** What markets really do: all of it is accepted. */
const TRUE_MOVES: Readonly<Record<string, readonly Reported[]>> = {
  'a first price near that of another source of its marketplace': [
    { source: 'scryfall', is: 19.9, others: { tcgcsv: 10 } },
  ],
  'a first price near that of another marketplace': [
    { source: 'pricecharting', marketplace: 'pricecharting', is: 59.9, others: { tcgcsv: 10 } },
  ],
  'a jump of eleven times that another marketplace confirms': [
    { was: 10, is: 110, others: { pricecharting: 110 }, othersAt: 'ebay' },
  ],
  'a new printing at the former price of one that moved': [
    { ...normal, was: 10, is: 14 },
    { ...reverse, is: 10 },
  ],
  'the first price of a card': [{ is: 480 }],
  'the first price of a printing': [{ printing: 'Holofoil', known: ['Normal'], is: 480 }],
  'the same price again': [{ was: 12, is: 12 }],
  'a spike after a tournament': [{ was: 4, is: 7.9 }],
  'a fall after a reprint': [{ was: 60, is: 31 }],
  'a cent that becomes two': [{ was: 0.01, is: 0.02 }],
  'a card that cost cents half a year ago': [{ was: 2, wasOn: '2025-07-28', is: 11 }],
  'a jump that another source also makes': [{ was: 10, is: 95, others: { scryfall: 88 } }],
  'a jump that one of several others makes': [
    { was: 10, is: 95, others: { scryfall: 10, mtgjson: 70 } },
  ],
  'listings that move while it sells as before': [
    {
      was: { market: 10, low: 6, mid: 12, high: 20 },
      is: { market: 10, low: 9, mid: 14, high: 60 },
    },
  ],
  'a market price that was below its listings before': [
    {
      was: { market: 4, low: 9, mid: 11, high: 15 },
      is: { market: 3.5, low: 9, mid: 11, high: 15 },
    },
  ],
  'listings that are all the same': [
    { was: { market: 4, low: 3, mid: 3 }, is: { market: 4, low: 3, mid: 3, high: 3 } },
  ],
  'a market price that falls to half of its lowest listing': [
    {
      was: { market: 6, low: 10, mid: 12, high: 15 },
      is: { market: 5, low: 10, mid: 12, high: 15 },
    },
  ],
  'a first market price of five times its median listing': [
    { is: { market: 50, low: 8, mid: 10 } },
  ],
  'a worn copy that costs a quarter more than a near mint one': [
    { source: 'justtcg', is: { near_mint: 100, damaged: 125 } },
  ],
  'a lowest listing of ten times the market price': [
    { was: { market: 4, low: 40 }, is: { market: 4, low: 40, mid: 40 } },
  ],
  'a grade with a single sale': [
    { was: { market: 30, psa_10: 400 }, is: { market: 30, psa_10: 750 } },
  ],
  'market prices below all that is asked': [{ is: { market: 5, low: 9, mid: 12, high: 15 } }],
  'a market price where there was a listing only': [
    { was: { low: 90 }, is: { low: 90, market: 21 } },
  ],
  'two printings whose prices meet': [
    { ...normal, was: 8, is: 10 },
    { ...reverse, was: 13, is: 10.01 },
  ],
  'a plainer printing that becomes the dearer one': [
    { ...normal, was: 2, is: 3.4 },
    { ...reverse, was: 3, is: 2.9 },
  ],
  'cheap printings that come to cost the same': [
    { ...normal, was: 0.5, is: 0.89 },
    { ...reverse, was: 0.89, is: 0.89 },
  ],
  'printings that a source had swapped and now has right, as another source confirms': [
    { ...holo, was: 12, is: 41, others: { pokemontcg: 40 } },
    { ...reverse, was: 41, is: 12, others: { pokemontcg: 12.5 } },
  ],
  'a new printing from a source that gives the catalogue': [
    { printing: 'Cold Foil', known: ['Normal'], is: 3 },
  ],
  'a new printing that its source lists': [
    {
      source: 'scryfall',
      printing: 'Etched',
      known: ['Normal'],
      stated: ['Normal', 'Etched'],
      is: 3,
    },
  ],
  'a printing of a card without known printings': [
    { source: 'justtcg', printing: 'Foil', known: [], is: 3 },
  ],
  'a first price that differs as markets do': [
    { source: 'pricecharting', marketplace: 'pricecharting', is: 14, others: { tcgcsv: 3 } },
  ],
  'the first price in euros of a card priced in dollars': [
    { source: 'cardmarket', marketplace: 'cardmarket', currency: 'EUR', is: 12 },
  ],
  'a market of the same source in other money': [
    { source: 'mtgjson', marketplace: 'cardmarket', currency: 'EUR', is: 12 },
  ],
  'the dearest price that there can be': [{ was: 9_000_000, is: 10_000_000 }],
  'a day that has begun elsewhere': [{ was: 12, is: 12, on: '2026-01-29' }],
  'a printing that is listed without a price': [
    { source: 'justtcg', printing: 'Foil', known: ['Normal'], is: null },
  ],
};

describe('validation quarantines', () => {
  for (const [mistake, reported] of Object.entries(PLANTED)) {
    it(mistake, () => {
      const reasons = reported.map(({ reason }) => reason);
      assert.deepEqual(judge(reported), reasons);
      assert.deepEqual(judge(reported.toReversed()), reasons.toReversed(), 'in any order');
    });
  }
});

describe('validation accepts', () => {
  for (const [move, reported] of Object.entries(TRUE_MOVES)) {
    it(move, () => {
      assert.deepEqual(
        judge(reported),
        reported.map(() => null),
      );
    });
  }
});

it('a rule that the operator has approved for a printing does not catch its price', () => {
  const jumped = resolved({ was: 10, is: 95 });
  const caught = (...approvedRules: readonly ValidationRule[]) => {
    return judgeBatch([{ ...jumped, approvedRules }], CONTEXT).size === 1;
  };
  assert.deepEqual([caught(), caught('stray-listing'), caught('price-jump')], [true, true, false]);
});

describe('the detail of a finding', () => {
  const details = (...reported: readonly Reported[]) => {
    return [...judgeBatch(reported.map(resolved), CONTEXT).values()].map(({ detail }) => detail);
  };

  it('names both prices, the day of the first, and what other sources report', () => {
    assert.deepEqual(details({ was: 10, is: 95 }), [
      'Market of Charizard (Holofoil) went from $10.00 to $95.00 since 2026-01-27: 9.5 times, the limit is 2.0 times. No other source reports it; it was reported on 1 of the 21 days needed to accept it.',
    ]);
    assert.deepEqual(details({ was: 10, is: 95, others: { scryfall: 11 } }), [
      'Market of Charizard (Holofoil) went from $10.00 to $95.00 since 2026-01-27: 9.5 times, the limit is 2.0 times. Every other source contradicts it. Only another marketplace or the operator can confirm it.',
    ]);
  });

  it('names the other printing', () => {
    assert.deepEqual(details({ ...holo, was: 41, is: 12 }, { ...reverse, was: 12, is: 41 }), [
      'Charizard (Holofoil) went from $41.00 to $12.00, the earlier price of Reverse Holofoil, which moved the other way.',
      'Charizard (Reverse Holofoil) went from $12.00 to $41.00, the earlier price of Holofoil, which moved the other way.',
    ]);
  });

  it('lists the printings that the card has', () => {
    assert.deepEqual(details({ source: 'scryfall', printing: 'Foil', stated: ['Normal'], is: 3 }), [
      'scryfall has a price for Charizard (Foil), which has only Normal according to scryfall itself.',
    ]);
    assert.deepEqual(details({ source: 'justtcg', printing: 'Foil', known: ['Normal'], is: 3 }), [
      'justtcg has a price for Charizard (Foil), which has only Normal in the catalogue.',
    ]);
  });

  it('compares a stray listing with the market price, or with the listing it contradicts', () => {
    assert.deepEqual(details({ is: { market: 2.36, low: 204_301.3 } }), [
      'The lowest listing of Charizard (Holofoil) is more than 10 times the market price: $204301.30 against $2.36.',
    ]);
    assert.deepEqual(details({ is: { low: 30, mid: 12 } }), [
      'The lowest listing of Charizard (Holofoil) is above the median listing: $30.00 against $12.00.',
    ]);
  });

  it('says how far a first price may be from those of other sources', () => {
    assert.deepEqual(details({ source: 'scryfall', is: 480, others: { tcgcsv: 3.1 } }), [
      'scryfall puts the market of Charizard (Holofoil) at $480.00, every other source near $3.10 (2026-01-28); the limit is 2.0 times.',
    ]);
  });

  it('writes euros as euros', () => {
    const euros = { source: 'cardmarket', marketplace: 'cardmarket', currency: 'EUR' } as const;
    assert.match(details({ ...euros, was: 10, is: 95 })[0] ?? '', /from €10\.00 to €95\.00/);
  });
});

describe('validation of any prices', () => {
  const price = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100);
  const judgeOne = (reported: Reported) => judge([reported])[0];

  it('never quarantines a price that has not changed', () => {
    fc.assert(fc.property(price, (is) => assert.equal(judgeOne({ was: is, is }), null)));
  });

  it('never quarantines a price that less than doubles or halves', () => {
    fc.assert(
      fc.property(price, fc.double({ min: 0.51, max: 1.99, noNaN: true }), (was, factor) => {
        fc.pre(was > 1);
        assert.equal(judgeOne({ was, is: was * factor }), null);
      }),
    );
  });

  it('always quarantines a price that doubles by ten cents or more, in one source alone', () => {
    fc.assert(
      fc.property(price, fc.double({ min: 2.05, max: 500, noNaN: true }), (was, factor) => {
        fc.pre(was * (factor - 1) >= 0.1 && was >= 0.3);
        assert.equal(judgeOne({ was, is: was * factor }), 'price-jump');
        assert.equal(judgeOne({ was: was * factor, is: was }), 'price-jump');
      }),
    );
  });

  it('always notices two printings that swap prices a fifth apart', () => {
    fc.assert(
      fc.property(price, fc.double({ min: 1.2, max: 100, noNaN: true }), (one, factor) => {
        fc.pre(one >= 0.1);
        const swapped = [
          { ...holo, was: one, is: one * factor },
          { ...reverse, was: one * factor, is: one },
        ];
        assert.deepEqual(judge(swapped), ['swapped-printings', 'swapped-printings']);
      }),
    );
  });
});
