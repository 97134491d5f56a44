import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import {
  isCopy,
  labelPrice,
  readPriceName,
  viewOfPrice,
} from '../../../web/src/cards/price-names.ts';
import {
  findAnyCompany,
  findPrice,
  findRawPrice,
  groupPrices,
  type PricedPrinting,
} from '../../../web/src/cards/price-rows.ts';

const PRINTING: PricedPrinting = {
  prices: {
    market: 10,
    low: 9,
    mid: null,
    high: 30,
    conditions: {
      near_mint: 10,
      lightly_played: 8.5,
      moderately_played: null,
      heavily_played: null,
      damaged: null,
    },
    graded: { psa_10: null, psa_9: null, bgs_9_5: null, cgc_9_5: 70 },
    allGrades: {
      psa: { '8': 50 },
      bgs: { '9': 60, '10_black_label': 900 },
      cgc: { '9.5': 70 },
      any: { '8': 40 },
    },
    estimated: ['lightly_played'],
  },
  figuresAt: '2026-01-28T00:00:00Z',
  conditionsAt: '2026-01-27T00:00:00Z',
  gradedAt: '2026-01-02T00:00:00Z',
  origins: { figures: 'tcgplayer', conditions: 'justtcg', graded: ['ebay', 'pricecharting'] },
};

const GROUPS = groupPrices(PRINTING);

describe('The prices of a printing', () => {
  it('are raw, by condition and graded, the grades of the contract first', () => {
    assert.deepEqual(
      GROUPS.map(({ kind, rows }) => [kind, rows.map(({ label, amount }) => [label, amount])]),
      [
        [
          'raw',
          [
            ['Market price', 10],
            ['Lowest listing', 9],
            ['Highest listing', 30],
          ],
        ],
        [
          'condition',
          [
            ['Near mint', 10],
            ['Lightly played', 8.5],
          ],
        ],
        [
          'grade',
          [
            ['CGC 9.5', 70],
            ['PSA 8', 50],
            ['BGS 10 Black Label', 900],
            ['BGS 9', 60],
            ['8 (any company)', 40],
          ],
        ],
      ],
    );
  });

  it('have the marketplaces and the day of their kind', () => {
    assert.deepEqual(
      GROUPS.map(({ from, observedAt }) => [...from, observedAt?.slice(0, 10)]),
      [
        ['tcgplayer', '2026-01-28'],
        ['justtcg', '2026-01-27'],
        ['ebay', 'pricecharting', '2026-01-02'],
      ],
    );
  });

  it('name the missing conditions and grades, and the estimated ones', () => {
    assert.deepEqual(
      GROUPS.map(({ unpriced }) => unpriced.join(', ')),
      ['', 'Moderately played, Heavily played, Damaged', 'PSA 10, PSA 9, BGS 9.5'],
    );
    const estimated = GROUPS.flatMap(({ rows }) => rows.filter(({ isEstimated }) => isEstimated));
    assert.deepEqual(
      estimated.map(({ name }) => name),
      ['lightly_played'],
    );
  });
});

describe('The price of a page', () => {
  it('is the one asked for, never another', () => {
    assert.equal(findPrice(GROUPS, 'psa_8')?.row.amount, 50);
    assert.equal(findPrice(GROUPS, 'psa_8')?.group.kind, 'grade');
    assert.equal(findPrice(GROUPS, 'psa_10'), undefined);
  });

  it('is the market price of a raw copy by default, or a listing if there is none', () => {
    assert.equal(findRawPrice(GROUPS)?.row.name, 'market');
    const listed = { ...PRINTING, prices: { ...PRINTING.prices, market: null } };
    assert.equal(findRawPrice(groupPrices(listed))?.row.name, 'low');
  });

  it('is in the address, and is read from there', () => {
    for (const name of ['psa_10', 'bgs_9_5', 'near_mint', 'low', 'high'] as const) {
      assert.equal(readPriceName(viewOfPrice(name)), name);
    }
    assert.deepEqual(
      [viewOfPrice('psa_10').grade, viewOfPrice('damaged').condition, viewOfPrice('low').figure],
      ['psa_10', 'damaged', 'low'],
    );
    assert.equal(readPriceName(viewOfPrice('market')), undefined);
    for (const invalid of [{ grade: 'ten' }, { condition: 'psa_10' }, { figure: 'mean' }, {}]) {
      assert.equal(readPriceName(invalid), undefined);
    }
    assert.deepEqual([isCopy('psa_10'), isCopy('near_mint'), isCopy('mid')], [true, true, false]);
  });
});

test('a price has the label of its row; an unknown price keeps its name', () => {
  assert.equal(labelPrice('market'), 'Market price');
  assert.equal(labelPrice('conditions.near_mint'), 'Near mint');
  assert.equal(labelPrice('graded.psa_10'), 'PSA 10');
  assert.equal(labelPrice('graded.cgc_10_pristine'), 'CGC 10 Pristine');
  assert.equal(labelPrice('something.new'), 'something.new');
});

test('the same grade by any company stands in for a grade without a price', () => {
  const groups = groupPrices(PRINTING);
  assert.equal(findAnyCompany(groups, 'psa_8')?.row.amount, 40);
  assert.equal(findAnyCompany(groups, 'psa_10'), undefined);
});
