import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePeriod } from '../../../../web/src/cards/history/periods.ts';

test('a missing or invalid period is 30 days', () => {
  assert.equal(parsePeriod('1y'), '1y');
  for (const text of [undefined, '', '2y', 'toString']) assert.equal(parsePeriod(text), '30d');
});
