import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupPrices, labelPrice, type Prices } from '../../../web/src/cards/price-rows.ts';

const PRICES: Prices = {
  conditions: {
    near_mint: 10,
    lightly_played: 8.5,
    moderately_played: null,
    heavily_played: null,
    damaged: null,
  },
  graded: { psa_10: 100, psa_9: null, bgs_9_5: null, cgc_9_5: null },
  allGrades: { psa: { '8': 50, '10': 100 }, bgs: { '10_black_label': 900 }, any: { '8': 40 } },
  estimated: ['lightly_played'],
};

test('known prices have a row, missing ones only a label', () => {
  assert.deepEqual(groupPrices(PRICES), {
    conditions: {
      priced: [
        { name: 'near_mint', label: 'Near mint', amount: 10, isEstimated: false },
        { name: 'lightly_played', label: 'Lightly played', amount: 8.5, isEstimated: true },
      ],
      unpriced: ['Moderately played', 'Heavily played', 'Damaged'],
    },
    grades: {
      priced: [
        { name: 'psa_10', label: 'PSA 10', amount: 100, isEstimated: false },
        { name: 'psa_8', label: 'PSA 8', amount: 50, isEstimated: false },
        {
          name: 'bgs_10_black_label',
          label: 'BGS 10 Black Label',
          amount: 900,
          isEstimated: false,
        },
        { name: 'any_8', label: '8 (any company)', amount: 40, isEstimated: false },
      ],
      unpriced: ['PSA 9', 'BGS 9.5', 'CGC 9.5'],
    },
  });
});

test('a price has the label of its row; an unknown price keeps its name', () => {
  assert.equal(labelPrice('market'), 'Market price');
  assert.equal(labelPrice('conditions.near_mint'), 'Near mint');
  assert.equal(labelPrice('graded.psa_10'), 'PSA 10');
  assert.equal(labelPrice('graded.cgc_10_pristine'), 'CGC 10 Pristine');
  assert.equal(labelPrice('something.new'), 'something.new');
});
