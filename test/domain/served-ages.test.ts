import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServedPrices } from '../../src/domain/card.ts';
import { type Day, dayOf } from '../../src/domain/day.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { areStale } from '../../src/domain/staleness.ts';

const OBSERVED = Date.parse('2026-01-28T20:05:12Z');
const NONE: ServedPrices = {
  ...NO_PRICES,
  conditions: {},
  graded: {},
  sources: [],
  figuresAt: null,
  conditionsAt: null,
  gradedAt: null,
};

function daysLater(days: number): Day {
  return (dayOf(OBSERVED) + days) as Day;
}

test('figures are stale from the eighth day on', () => {
  const prices = { ...NONE, figuresAt: OBSERVED };
  assert.equal(areStale(prices, daysLater(7)), false);
  assert.equal(areStale(prices, daysLater(8)), true);
  assert.equal(areStale(prices, daysLater(-1)), false, 'a source whose clock is ahead');
});

test('newer conditions and grades do not make old figures current', () => {
  const fresh = OBSERVED + 20 * 86_400_000;
  const prices = { ...NONE, figuresAt: OBSERVED, conditionsAt: fresh, gradedAt: fresh };
  assert.equal(areStale(prices, daysLater(20)), true);
});

test('without figures the conditions count, then the grades; no price is never stale', () => {
  assert.equal(areStale({ ...NONE, gradedAt: OBSERVED }, daysLater(8)), true);
  assert.equal(areStale({ ...NONE, conditionsAt: OBSERVED }, daysLater(7)), false);
  assert.equal(areStale(NONE, daysLater(1000)), false);
});
