import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CardSummaryBody } from '../../../web/src/api/responses.ts';
import { columnsOf } from '../../../web/src/cards/views.ts';

const NOTHING_KNOWN: CardSummaryBody = {
  id: 'pokemon-bs-charizard-004',
  name: 'Charizard',
  game: 'pokemon',
  set: 'Base Set',
  setId: 'pokemon-base-set',
  setCode: 'BS',
  number: null,
  rarity: null,
  image: null,
  printing: null,
  prices: {
    market: null,
    conditions: { near_mint: null, lightly_played: null },
    stale: false,
    changes: { '1d': null, '7d': null, '30d': null },
    confidence: null,
  },
};

const numbered: CardSummaryBody = { ...NOTHING_KNOWN, number: '004/102' };
const changed: CardSummaryBody = {
  ...NOTHING_KNOWN,
  prices: {
    ...NOTHING_KNOWN.prices,
    changes: { '1d': null, '7d': { amount: 1, percent: 10 }, '30d': null },
  },
};

test('a column that is empty for all cards is not shown', () => {
  assert.deepEqual(columnsOf([NOTHING_KNOWN]), ['set']);
  assert.deepEqual(columnsOf([NOTHING_KNOWN, numbered, changed]), ['set', 'number', 'change']);
});

test('columns that a page leaves out are not shown', () => {
  assert.deepEqual(columnsOf([numbered, changed], ['set', 'change']), ['number']);
});
