import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Cents } from '../../../src/domain/money.ts';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { judgeBatch } from '../../../src/ingest/validation/judge.ts';
import { type Amounts, moment, type Reported, resolved } from '../../support/resolved.ts';

const CONTEXT = { limits: DEFAULT_LIMITS, now: moment('2026-01-28') };
const PRICECHARTING = { source: 'pricecharting', marketplace: 'pricecharting' };
/** The real prices of Base Set's Charizard in 2025, with those of grade 9.5 between them. */
const CHARIZARD = { market: 299, psa_9: 2523, bgs_9_5: 4680, cgc_9_5: 4680, psa_10: 29_643 };

/** Returns the amounts in quarantine, or `all`. */
function held(reported: Omit<Reported, 'source' | 'marketplace'>): readonly string[] | 'all' {
  const observation = resolved({ ...PRICECHARTING, ...reported });
  const finding = judgeBatch([observation], CONTEXT).get(observation);
  if (!finding) return [];
  assert.equal(finding.rule, 'grade-order');
  return finding.amounts ?? 'all';
}

function without(name: keyof typeof CHARIZARD): Amounts {
  return Object.fromEntries(Object.entries(CHARIZARD).filter(([own]) => own !== name));
}

describe('a first price of a grade', () => {
  it('is quarantined at 0.3 times the raw card', () => {
    for (const name of ['psa_9', 'psa_10', 'bgs_9_5', 'cgc_9_5'] as const) {
      const reported = { was: without(name), is: { ...CHARIZARD, [name]: 299 * 0.3 } };
      assert.deepEqual(held(reported), [name]);
    }
  });

  it('is quarantined above a PSA 10', () => {
    for (const name of ['psa_9', 'bgs_9_5', 'cgc_9_5'] as const) {
      const reported = { was: without(name), is: { ...CHARIZARD, [name]: 296_430 } };
      assert.deepEqual(held(reported), [name]);
    }
  });

  it('is blamed alone if it contradicts most others, even if all are first prices', () => {
    assert.deepEqual(held({ is: { ...CHARIZARD, cgc_9_5: 296_430 } }), ['cgc_9_5']);
    assert.deepEqual(held({ is: { ...CHARIZARD, bgs_9_5: 90 } }), ['bgs_9_5']);
  });

  it('is compared with the raw price and the grades of other sources', () => {
    const others = { tcgcsv: 299, quotes: { psa_10: 29_643 } };
    assert.deepEqual(
      held({ was: { psa_10: 29_000 }, is: { psa_10: 29_643, bgs_9_5: 90 }, others }),
      ['bgs_9_5'],
    );
    assert.equal(held({ is: { cgc_9_5: 90_000 }, others: { quotes: { psa_10: 29_643 } } }), 'all');
  });

  it('is accepted a little below the raw card, since copies of a cheap one are hardly graded', () => {
    assert.deepEqual(held({ is: { market: 25, psa_9: 21.3 } }), []);
  });

  it('is accepted far above a cheap raw card, since grading alone costs more', () => {
    assert.deepEqual(held({ is: { market: 1, psa_9: 60, psa_10: 300 } }), []);
  });
});

describe('a price of a grade that drifts', () => {
  it('is quarantined as soon as it is below the raw card', () => {
    const was = { market: 100, psa_9: 110, psa_10: 400 };
    assert.deepEqual(held({ was, is: { ...was, psa_9: 88 } }), ['psa_9']);
    assert.deepEqual(held({ was, is: { ...was, psa_9: 98 } }), []);
  });

  it('is compared with the raw card of another source if its own source has none', () => {
    const was = { psa_9: 130 };
    const fallen = { was, is: { psa_9: 90 }, others: { tcgcsv: 100 } };
    assert.equal(held(fallen), 'all');
    assert.deepEqual(held({ ...fallen, was: { psa_9: 105 } }), []);
  });

  it('stays accepted if it has always been about as much as the raw card', () => {
    const was = { market: 100, psa_9: 97 };
    assert.deepEqual(held({ was, is: { ...was, psa_9: 85 } }), []);
  });
});

/** How many times the second price the first may be, both of companies that grade alike. */
const BOUNDS: readonly (readonly [dear: string, cheap: string, most: number])[] = [
  ['psa_8', 'psa_10', 1],
  ['psa_8', 'sgc_9', 3],
  ['psa_8', 'bgs_10', 1],
  ['psa_8', 'bgs_10_black_label', 1],
  ['sgc_9', 'psa_10', 1],
  ['sgc_9', 'cgc_9_5', 2.5],
  ['sgc_9', 'cgc_10', 4],
  ['sgc_9', 'bgs_10', 1],
  ['sgc_9', 'bgs_10_black_label', 1],
  ['bgs_9_5', 'psa_10', 1.5],
  ['bgs_9_5', 'sgc_9', 8],
  ['bgs_9_5', 'cgc_9_5', 8],
  ['bgs_9_5', 'cgc_10_pristine', 2],
  ['cgc_10', 'psa_10', 3],
  ['cgc_10', 'sgc_9', 15],
  ['cgc_10', 'bgs_10', 3],
  ['psa_10', 'sgc_9', 20],
  ['psa_10', 'cgc_10', 20],
  ['psa_10', 'bgs_10', 2],
  ['bgs_10', 'psa_10', 15],
  ['bgs_10', 'sgc_9', 60],
  // Of one company, the better grade is the dearer one, or has at least a third of the price.
  ['cgc_9', 'cgc_9_5', 2.5],
  ['sgc_9', 'sgc_10', 3],
  ['bgs_9_5', 'bgs_10', 2],
  ['psa_7', 'psa_8', 3],
];

/** How many times a copy of a grade may cost what the raw card costs, if it costs $500 or more. */
const ABOVE_RAW = { psa_8: 30, psa_9: 30, cgc_9_5: 60, cgc_10: 60, psa_10: 100, bgs_10: 150 };

/** How many times a grade the raw card may cost. */
const BELOW_RAW = {
  psa_9: 1.25,
  cgc_9_5: 1.3,
  cgc_10: 3,
  psa_10: 1,
  bgs_10: 1,
  bgs_10_black_label: 1,
};

describe('the first prices of two grades', () => {
  for (const [dear, cheap, most] of BOUNDS) {
    it(`are in order if ${dear} costs at most ${most} times as much as ${cheap}`, () => {
      assert.deepEqual(held({ is: { [cheap]: 100, [dear]: 100 * most } }), []);
      assert.notDeepEqual(held({ is: { [cheap]: 100, [dear]: 100 * most + 0.01 } }), []);
    });
  }

  it('are in order in any other case', () => {
    for (const [dear, cheap] of [
      ['psa_8', 'cgc_10'],
      ['psa_9', 'psa_8'],
      ['bgs_10_black_label', 'psa_10'],
      ['psa_10', 'bgs_9_5'],
    ] as const) {
      assert.deepEqual(held({ is: { [cheap]: 1, [dear]: 9000 } }), [], `${dear} and ${cheap}`);
    }
  });
});

describe('the first prices of a grade and the raw card', () => {
  for (const [name, most] of Object.entries(ABOVE_RAW)) {
    it(`are in order if ${name} costs at most ${most} times as much, or less than $500`, () => {
      assert.deepEqual(held({ is: { market: 100, [name]: 100 * most } }), []);
      assert.deepEqual(held({ is: { market: 100, [name]: 100 * most + 0.01 } }), [name]);
      assert.deepEqual(held({ is: { market: 1, [name]: 499.99 } }), []);
      assert.deepEqual(held({ is: { market: 1, [name]: 500 } }), [name]);
    });
  }

  for (const [name, most] of Object.entries(BELOW_RAW)) {
    it(`are in order if ${name} costs at least the ${most}th part`, () => {
      assert.deepEqual(held({ is: { market: 100 * most, [name]: 100 } }), []);
      assert.deepEqual(held({ is: { market: 100 * most + 0.01, [name]: 100 } }), [name]);
    });
  }
});

const cents = (least: number, most: number) => fc.integer({ min: least, max: most });

describe('grades in any order', () => {
  it('are accepted if a 9 is above the raw card, a 9.5 above the 9, and a 10 above all', () => {
    const prices = fc.tuple(cents(2000, 90_000), cents(0, 200), cents(0, 90), cents(0, 90));
    fc.assert(
      fc.property(prices, ([raw, nine, half, ten]) => {
        const psa_9 = Math.round(raw * (1 + nine / 100));
        const bgs_9_5 = Math.round(psa_9 * (1 + half / 100));
        const psa_10 = Math.round(bgs_9_5 * (1 + ten / 100));
        const is = { market: raw, psa_9, bgs_9_5, cgc_9_5: bgs_9_5, psa_10 };
        assert.deepEqual(held({ is: inDollars(is) }), []);
      }),
    );
  });

  it('never keep a grade served below half of the raw card', () => {
    const prices = fc.record({
      market: cents(100, 900_000),
      psa_9: cents(1, 9_000_000),
      bgs_9_5: cents(1, 9_000_000),
      cgc_9_5: cents(1, 9_000_000),
      psa_10: cents(1, 9_000_000),
    });
    fc.assert(
      fc.property(prices, (is) => {
        const amounts = held({ is: inDollars(is) });
        for (const name of ['psa_9', 'bgs_9_5', 'cgc_9_5', 'psa_10'] as const) {
          if (is[name] * 2 < is.market) assert.ok(amounts === 'all' || amounts.includes(name));
        }
      }),
    );
  });
});

function inDollars(amounts: Readonly<Record<string, number>>): Amounts {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, one]) => [name, (one as Cents) / 100]),
  );
}
