import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOld } from '../../web/src/parts/card-age.ts';
import { numberLabel, type Prices, priceGroups } from '../../web/src/parts/card-labels.ts';
import { pricedText, setsNamed } from '../../web/src/parts/card-set-list.ts';
import { readPeriod } from '../../web/src/parts/history-periods.ts';

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

test('every number of a printing has its row, whether or not there is a price', () => {
  const groups = priceGroups(PRICES).map(({ title, rows }) => {
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

test('prices that are estimated are marked, and no others', () => {
  const rows = priceGroups(PRICES).flatMap((group) => group.rows);
  const marked = rows.filter(({ isEstimated }) => isEstimated).map(({ label }) => label);
  assert.deepEqual(marked, ['Lightly played']);
});

test('numbers are called on the page as they are in its tables', () => {
  assert.equal(numberLabel('market'), 'Market price');
  assert.equal(numberLabel('conditions.near_mint'), 'Near mint');
  assert.equal(numberLabel('graded.psa_10'), 'PSA 10');
  assert.equal(numberLabel('something.new'), 'something.new');
});

test('prices are old after two weeks', () => {
  const now = Date.parse('2026-01-28T12:00:00Z');
  assert.equal(isOld('2026-01-14T12:00:00Z', now), false);
  assert.equal(isOld('2026-01-14T11:59:59Z', now), true);
  assert.equal(isOld('2026-01-29T12:00:00Z', now), false, 'a source whose clock is ahead');
});

const SET = {
  code: 'SEA',
  name: 'High Seas',
  game: 'fab',
  cardCount: 354,
  pricedCount: 354,
  releaseDate: null,
};

test('sets are found by a part of their name or code, whatever the case and accents', () => {
  const sets = [SET, { ...SET, code: 'BRZ', name: 'Pokémon Español' }];
  assert.deepEqual(setsNamed(sets, ''), sets);
  assert.deepEqual(setsNamed(sets, ' seas '), [sets[0]]);
  assert.deepEqual(setsNamed(sets, 'espanol'), [sets[1]]);
  assert.deepEqual(setsNamed(sets, 'brz'), [sets[1]]);
  assert.deepEqual(setsNamed(sets, 'x'), []);
});

test('how many cards of a set are priced is said in words at both ends', () => {
  assert.equal(pricedText({ ...SET, pricedCount: 0 }), 'none');
  assert.equal(pricedText({ ...SET, pricedCount: 118 }), '118');
  assert.equal(pricedText({ ...SET, pricedCount: 354 }), 'all');
});

test('a period that there is not is 30 days', () => {
  assert.equal(readPeriod('1y'), '1y');
  for (const said of [undefined, '', '2y', 'toString']) assert.equal(readPeriod(said), '30d');
});
