import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupPrices, labelPrice, type Prices } from '../../../web/src/cards/price-rows.ts';

const PRICES: Prices = {
  market: 10,
  low: 8,
  mid: null,
  high: 20,
  conditions: {
    near_mint: 10,
    lightly_played: 8.5,
    moderately_played: null,
    heavily_played: null,
    damaged: null,
  },
  graded: { psa_10: 100, psa_9: null, bgs_9_5: null, cgc_9_5: null },
  estimated: ['lightly_played'],
};

test('every price of a printing has a row, even if it is missing', () => {
  const groups = groupPrices(PRICES).map(({ title, rows }) => {
    return [title, rows.map(({ label, amount }) => `${label} ${amount}`)];
  });
  assert.deepEqual(groups, [
    [
      'Sales and listings',
      ['Market price 10', 'Lowest listing 8', 'Median listing null', 'Highest listing 20'],
    ],
    [
      'By condition',
      [
        'Near mint 10',
        'Lightly played 8.5',
        'Moderately played null',
        'Heavily played null',
        'Damaged null',
      ],
    ],
    ['Graded', ['PSA 10 100', 'PSA 9 null', 'BGS 9.5 null', 'CGC 9.5 null']],
  ]);
});

test('exactly the estimated prices are marked as such', () => {
  const rows = groupPrices(PRICES).flatMap((group) => group.rows);
  const marked = rows.filter(({ isEstimated }) => isEstimated).map(({ label }) => label);
  assert.deepEqual(marked, ['Lightly played']);
});

test('the label of a price is that of its row; an unknown price keeps its name', () => {
  assert.equal(labelPrice('market'), 'Market price');
  assert.equal(labelPrice('conditions.near_mint'), 'Near mint');
  assert.equal(labelPrice('graded.psa_10'), 'PSA 10');
  assert.equal(labelPrice('something.new'), 'something.new');
});
