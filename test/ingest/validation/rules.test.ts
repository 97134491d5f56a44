import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_LIMITS, judgeObservations } from '../../../src/ingest/validation/index.ts';
import { candidate, moment, type Told } from '../../support/candidates.ts';

const NOW = moment('2026-01-28T21:00:00Z');

/** The reasons for which what is told is held back, one for each; null for what gets through. */
function judged(told: readonly Told[]): (string | null)[] {
  const batch = told.map(candidate);
  const held = judgeObservations(batch, DEFAULT_LIMITS, NOW);
  return batch.map((one) => held.get(one)?.reason ?? null);
}

const FINISHES = ['Normal', 'Holofoil', 'Reverse Holofoil'];
const normal = { printing: 'Normal', known: FINISHES };
const holo = { printing: 'Holofoil', known: FINISHES };
const reverse = { printing: 'Reverse Holofoil', known: FINISHES };

/** Mistakes as price services make them, and the reason for which each price is held back. */
const PLANTED: Readonly<Record<string, readonly (Told & { held: string | null })[]>> = {
  'a jumbo card priced as the card': [{ was: 4.1, is: 24.99, held: 'price-jump' }],
  'a booster box priced as the card': [{ was: 12, is: 189.95, held: 'price-jump' }],
  'the card priced as its code card': [{ was: 38.5, is: 0.05, held: 'price-jump' }],
  'an alternate art priced as the base card': [{ was: 310, is: 1.25, held: 'price-jump' }],
  'a base card priced as its alternate art': [{ was: 1.25, is: 310, held: 'price-jump' }],
  'a promo priced as the dearest of its name': [
    { card: 1, was: 3, is: 480, held: 'price-jump' },
    { card: 2, was: 480, is: 480, held: null },
    { card: 3, was: 12.5, is: 480, held: 'price-jump' },
  ],
  'cents taken for dollars': [{ was: 2.5, is: 250, held: 'price-jump' }],
  'dollars taken for cents': [{ was: 250, is: 2.5, held: 'price-jump' }],
  'all before the comma of thousands': [{ was: 1234.5, is: 1, held: 'price-jump' }],
  'a placeholder of a cent': [{ was: 25, is: 0.01, held: 'price-jump' }],
  'a placeholder of nines': [{ was: 25, is: 99_999.99, held: 'price-jump' }],
  'a graded price as the price of the card': [
    { source: 'pricecharting', market: 'pricecharting', was: 60, is: 900, held: 'price-jump' },
  ],
  'a grade priced as another one': [
    {
      ...{ source: 'pricecharting', market: 'pricecharting', held: 'price-jump' },
      ...{
        was: { market: 30, psa_9: 60, psa_10: 900 },
        is: { market: 30, psa_9: 900, psa_10: 900 },
      },
    },
  ],
  'a played card priced as a sealed one': [
    {
      ...{ source: 'justtcg', held: 'price-jump' },
      ...{ was: { near_mint: 10, damaged: 3 }, is: { near_mint: 10, damaged: 140 } },
    },
  ],
  'a jump when only listings are known': [
    { was: { low: 4, mid: 5 }, is: { low: 90, mid: 120 }, held: 'price-jump' },
  ],
  'a jump that every other source contradicts, however often it is said': [
    { was: 10, is: 95, others: { scryfall: 10.4, mtgjson: 9.8 }, held: 'price-jump' },
  ],
  'a jump of a source whose others are too old to tell': [
    { was: 10, is: 95, others: { scryfall: 95 }, othersOn: '2025-11-01', held: 'price-jump' },
  ],
  'a first price that is another card’s, by all other sources': [
    { source: 'scryfall', is: 480, others: { tcgcsv: 3.1 }, held: 'source-outlier' },
  ],
  'a first price that is another card’s, by a price of half a year ago': [
    {
      ...{ source: 'pricecharting', market: 'pricecharting', held: 'source-outlier' },
      ...{ is: 5.34, others: { tcgcsv: 209.93 }, othersOn: '2025-07-28' },
    },
  ],
  'holo and reverse swapped': [
    { ...holo, was: 41, is: 12, held: 'swapped-printings' },
    { ...reverse, was: 12, is: 41, held: 'swapped-printings' },
  ],
  'holo and reverse swapped, and moved on since': [
    { ...holo, was: 41, is: 12.9, held: 'swapped-printings' },
    { ...reverse, was: 12, is: 38.5, held: 'swapped-printings' },
  ],
  'normal and foil swapped, that differ by half': [
    { ...normal, was: 3, is: 4.7, held: 'swapped-printings' },
    { ...reverse, was: 4.6, is: 3.05, held: 'swapped-printings' },
  ],
  'normal and foil swapped to the cent, that differ by a quarter': [
    { ...normal, was: 4, is: 5, held: 'swapped-printings' },
    { ...reverse, was: 5, is: 4, held: 'swapped-printings' },
  ],
  'two of three printings swapped': [
    { ...normal, was: 2, is: 2.1, held: null },
    { ...holo, was: 30, is: 9, held: 'swapped-printings' },
    { ...reverse, was: 9, is: 30, held: 'swapped-printings' },
  ],
  'first edition and unlimited swapped': [
    { printing: '1st Edition Holofoil', was: 5200, is: 410, held: 'swapped-printings' },
    { printing: 'Unlimited Holofoil', was: 410, is: 5200, held: 'swapped-printings' },
  ],
  'foil and normal swapped in a source that is new, by what another says': [
    { ...normal, source: 'scryfall', is: 9.5, others: { tcgcsv: 2 }, held: 'swapped-printings' },
    { ...reverse, source: 'scryfall', is: 2.1, others: { tcgcsv: 9.2 }, held: 'swapped-printings' },
  ],
  'one price for all finishes': [
    { ...normal, was: 2, is: 5.5, held: 'copied-price' },
    { ...reverse, was: 5.5, is: 5.5, held: null },
  ],
  'a price for a finish that the source itself says there is not': [
    { source: 'scryfall', printing: 'Foil', stated: ['Normal'], is: 3, held: 'unknown-printing' },
  ],
  'a price for a finish that the card is not known to have': [
    {
      source: 'pricecharting',
      printing: 'Reverse Holofoil',
      known: ['Holofoil'],
      is: 3,
      held: 'unknown-printing',
    },
  ],
  'a price for an edition that the card is not known to have': [
    {
      source: 'justtcg',
      printing: '1st Edition',
      known: ['Normal'],
      is: 3,
      held: 'unknown-printing',
    },
  ],
  '0 for unknown': [{ was: 12, is: 0, held: 'absurd-price' }],
  '0 for unknown among other figures': [{ is: { market: 12, low: 0 }, held: 'absurd-price' }],
  '0 for a condition that nobody sells': [
    { is: { near_mint: 12, damaged: 0 }, held: 'absurd-price' },
  ],
  '0 for a grade that nobody has': [{ is: { market: 12, psa_10: 0 }, held: 'absurd-price' }],
  'a price below nothing': [{ is: -1, held: 'absurd-price' }],
  'a price that is no number': [{ is: Number.NaN, held: 'absurd-price' }],
  'a price above ten million dollars': [{ is: 10_000_000.01, held: 'absurd-price' }],
  'the lowest and the highest price mixed up': [
    { is: { low: 30, mid: 12, high: 10 }, held: 'absurd-price' },
  ],
  'a price of the day after tomorrow': [{ is: 12, on: '2026-01-30', held: 'absurd-date' }],
  'seconds taken for milliseconds': [{ is: 12, on: '1970-01-21', held: 'absurd-date' }],
  'no moment at all': [{ is: 12, on: 'yesterday', held: 'absurd-date' }],
  'euros said to be dollars': [
    { source: 'cardmarket', market: 'cardmarket', currency: 'USD', is: 12, held: 'wrong-currency' },
  ],
  'dollars said to be euros': [{ currency: 'EUR', is: 12, held: 'wrong-currency' }],
  'a currency that is another one than before': [
    { source: 'quotes', market: 'my-shop', was: 12, wasIn: 'EUR', is: 12, held: 'wrong-currency' },
  ],
};

/** What markets really do: all of it gets through. */
const TRUE_MOVES: Readonly<Record<string, readonly Told[]>> = {
  'the first price of a card': [{ is: 480 }],
  'the first price of a printing': [{ printing: 'Holofoil', known: ['Normal'], is: 480 }],
  'the same price again': [{ was: 12, is: 12 }],
  'a spike after a tournament': [{ was: 4, is: 11.5 }],
  'a fall after a reprint': [{ was: 60, is: 21 }],
  'cents that become many times as much': [{ was: 0.04, is: 0.9 }],
  'a card that cost cents half a year ago': [{ was: 2, wasOn: '2025-07-28', is: 11 }],
  'a jump that another source makes, too': [{ was: 10, is: 95, others: { scryfall: 88 } }],
  'a jump that one of several others makes': [
    { was: 10, is: 95, others: { scryfall: 10, mtgjson: 60 } },
  ],
  'asked prices that go up while it sells as before': [
    { was: { market: 10, mid: 12 }, is: { market: 10, mid: 90 } },
  ],
  'somebody who asks for the moon': [
    { was: { market: 10, high: 20 }, is: { market: 10, high: 9999 } },
  ],
  'the cheapest offer of a damaged card': [
    { was: { market: 10, low: 6 }, is: { market: 10, low: 0.01 } },
  ],
  'a grade of which one card was sold': [
    { was: { market: 30, psa_10: 400 }, is: { market: 30, psa_10: 1400 } },
  ],
  'market prices below all that is asked': [{ is: { market: 5, low: 9, mid: 12, high: 15 } }],
  'a market price where there was a listing only': [
    { was: { low: 90 }, is: { low: 90, market: 21 } },
  ],
  'siblings that meet': [
    { ...normal, was: 8, is: 10 },
    { ...reverse, was: 13, is: 10.01 },
  ],
  'siblings of which the plainer becomes the dearer': [
    { ...normal, was: 2, is: 3.4 },
    { ...reverse, was: 3, is: 2.9 },
  ],
  'cheap siblings that change places': [
    { ...normal, was: 0.1, is: 0.16 },
    { ...reverse, was: 0.16, is: 0.1 },
  ],
  'cheap siblings that come to cost the same': [
    { ...normal, was: 0.5, is: 0.89 },
    { ...reverse, was: 0.89, is: 0.89 },
  ],
  'siblings that a source had swapped and now has right, as another one says': [
    { ...holo, was: 12, is: 41, others: { pokemontcg: 40 } },
    { ...reverse, was: 41, is: 12, others: { pokemontcg: 12.5 } },
  ],
  'a new printing by the source that gives the catalogue': [
    { printing: 'Cold Foil', known: ['Normal'], is: 3 },
  ],
  'a new printing that its source says there is': [
    {
      source: 'scryfall',
      printing: 'Etched',
      known: ['Normal'],
      stated: ['Normal', 'Etched'],
      is: 3,
    },
  ],
  'a printing of a card of which none is known': [
    { source: 'justtcg', printing: 'Foil', known: [], is: 3 },
  ],
  'a first price that differs as markets do': [
    { source: 'pricecharting', market: 'pricecharting', is: 14, others: { tcgcsv: 3 } },
  ],
  'the first price in euros of a card priced in dollars': [
    { source: 'cardmarket', market: 'cardmarket', currency: 'EUR', is: 12 },
  ],
  'a market of the same source in other money': [
    { source: 'mtgjson', market: 'cardmarket', currency: 'EUR', is: 12 },
  ],
  'the dearest price that there can be': [{ was: 9_000_000, is: 10_000_000 }],
  'a day that has begun elsewhere': [{ was: 12, is: 12, on: '2026-01-29' }],
  'a printing that is listed without a price': [
    { source: 'justtcg', printing: 'Foil', known: ['Normal'], is: null },
  ],
};

describe('the guard holds back', () => {
  for (const [mistake, told] of Object.entries(PLANTED)) {
    it(mistake, () => {
      const wrong = told.map(({ held }) => held);
      assert.deepEqual(judged(told), wrong);
      assert.deepEqual(judged(told.toReversed()), wrong.toReversed(), 'in any order');
    });
  }
});

describe('the guard lets through', () => {
  for (const [move, told] of Object.entries(TRUE_MOVES)) {
    it(move, () => {
      assert.deepEqual(
        judged(told),
        told.map(() => null),
      );
    });
  }
});

describe('the sentence for the operator', () => {
  const sentence = (...told: readonly Told[]) => {
    return [...judgeObservations(told.map(candidate), DEFAULT_LIMITS, NOW).values()].map(
      ({ detail }) => detail,
    );
  };

  it('tells from where to where, since when, and who else says what', () => {
    assert.deepEqual(sentence({ was: 10, is: 95 }), [
      'Market of Charizard (Holofoil) went from $10.00 to $95.00 since 2026-01-27; no other source tells.',
    ]);
    assert.deepEqual(sentence({ was: 10, is: 95, others: { scryfall: 11 } }), [
      'Market of Charizard (Holofoil) went from $10.00 to $95.00 since 2026-01-27; every other source contradicts.',
    ]);
  });

  it('names the sibling', () => {
    assert.deepEqual(sentence({ ...holo, was: 41, is: 12 }, { ...reverse, was: 12, is: 41 }), [
      'Charizard (Holofoil) went from $41.00 to $12.00, which is what Reverse Holofoil cost, and that the other way round.',
      'Charizard (Reverse Holofoil) went from $12.00 to $41.00, which is what Holofoil cost, and that the other way round.',
    ]);
  });

  it('says what the card has', () => {
    assert.deepEqual(
      sentence({ source: 'scryfall', printing: 'Foil', stated: ['Normal'], is: 3 }),
      ['scryfall has a price for Charizard (Foil), which has only Normal by scryfall itself.'],
    );
    assert.deepEqual(sentence({ source: 'justtcg', printing: 'Foil', known: ['Normal'], is: 3 }), [
      'justtcg has a price for Charizard (Foil), which has only Normal as far as is known.',
    ]);
  });

  it('writes euros as euros', () => {
    const euros = { source: 'cardmarket', market: 'cardmarket', currency: 'EUR' } as const;
    assert.match(sentence({ ...euros, was: 10, is: 95 })[0] ?? '', /from €10\.00 to €95\.00/);
  });
});

describe('for any prices', () => {
  const price = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100);
  const run = (told: Told) => judged([told])[0];

  it('what has not changed is never held back', () => {
    fc.assert(fc.property(price, (is) => assert.equal(run({ was: is, is }), null)));
  });

  it('what at most doubles or halves is never held back', () => {
    fc.assert(
      fc.property(price, fc.double({ min: 0.5, max: 2, noNaN: true }), (was, factor) => {
        assert.equal(run({ was, is: Math.max(0.01, was * factor) }), null);
      }),
    );
  });

  it('what becomes more than three times as much, by a dollar and alone, is always held back', () => {
    fc.assert(
      fc.property(price, fc.double({ min: 3.1, max: 500, noNaN: true }), (was, factor) => {
        fc.pre(was * (factor - 1) >= 1.01);
        assert.equal(run({ was, is: was * factor }), 'price-jump');
        assert.equal(run({ was: was * factor, is: was }), 'price-jump');
      }),
    );
  });

  it('siblings that differ by a quarter and by a dollar are always noticed when they swap', () => {
    fc.assert(
      fc.property(price, fc.double({ min: 1.25, max: 100, noNaN: true }), (one, factor) => {
        fc.pre(one * (factor - 1) >= 1.01);
        const swapped = [
          { ...holo, was: one, is: one * factor },
          { ...reverse, was: one * factor, is: one },
        ];
        assert.deepEqual(judged(swapped), ['swapped-printings', 'swapped-printings']);
      }),
    );
  });
});
