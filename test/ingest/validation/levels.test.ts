import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, type Day, parseDay } from '../../../src/domain/day.ts';
import type { Cents } from '../../../src/domain/money.ts';
import { marketLevel } from '../../../src/ingest/validation/levels.ts';

const TODAY = parseDay('2026-01-28') as Day;

/** The level of prices in cents, each with how many days ago it was. */
function level(...prices: readonly (readonly [daysAgo: number, cents: number])[]) {
  const days = prices.map(([daysAgo, cents]) => {
    return { day: addDays(TODAY, -daysAgo), market: cents as Cents };
  });
  return marketLevel(days, TODAY);
}

describe('the level of a market price', () => {
  it('has the price of seven days ago, else the first since, else the last before', () => {
    assert.equal(level([8, 100], [7, 200], [1, 300])?.weekAgo.market, 200);
    assert.equal(level([8, 100], [6, 200], [1, 300])?.weekAgo.market, 200);
    assert.equal(level([9, 100], [8, 200])?.weekAgo.market, 200);
    assert.equal(level(), undefined);
  });

  it('has the lowest and the highest price of all its days', () => {
    const { lowest, highest } = level([20, 300], [12, 900], [8, 100], [1, 400]) ?? {};
    assert.deepEqual([lowest, highest], [100, 900]);
  });
});
