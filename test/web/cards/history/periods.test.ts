import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePeriod, periodsWithin } from '../../../../web/src/cards/history/periods.ts';

const ALL = periodsWithin(null);

test('a missing or invalid period is 30 days', () => {
  assert.equal(parsePeriod('1y', ALL), '1y');
  for (const text of [undefined, '', '2y', 'toString']) assert.equal(parsePeriod(text, ALL), '30d');
});

test('no period is longer than the reader may see', () => {
  assert.deepEqual(ALL, ['7d', '30d', '90d', '1y', 'all']);
  assert.deepEqual(periodsWithin(365), ['7d', '30d', '90d', '1y']);
  assert.deepEqual(periodsWithin(30), ['7d', '30d']);
  assert.deepEqual(periodsWithin(6), []);
  assert.equal(parsePeriod('all', periodsWithin(100)), '90d');
  assert.equal(parsePeriod(undefined, periodsWithin(29)), '7d');
});
