import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { statisticsOf } from '../../src/history/statistics.ts';

const NEWEST = 20_480 as Day;

/** A day so many days before the newest, with a price in cents. */
function ago(days: number, market: number | null) {
  return { day: (NEWEST - days) as Day, market: market as Cents | null };
}

describe('The statistics of market prices', () => {
  it('are of the days of each period, both ends included', () => {
    const days = [ago(365, 1), ago(364, 900), ago(89, 600), ago(29, 400), ago(6, 300), ago(0, 100)];
    const found = statisticsOf([...days, { day: (NEWEST + 1) as Day, market: 1 as Cents }], NEWEST);
    assert.deepEqual(found['7d'], {
      lowest: ago(0, 100),
      highest: ago(6, 300),
      mean: 200,
      days: 2,
    });
    assert.deepEqual([found['30d']?.days, found['90d']?.days, found['1y']?.days], [3, 4, 5]);
    assert.deepEqual(found['1y']?.highest, ago(364, 900));
  });

  it('name the newest of several days with the lowest or highest price', () => {
    const { '7d': week } = statisticsOf([ago(3, 5), ago(2, 9), ago(1, 5), ago(0, 9)], NEWEST);
    assert.deepEqual([week?.lowest, week?.highest], [ago(1, 5), ago(0, 9)]);
  });

  it('round the mean to whole cents, and leave out days without a market price', () => {
    const { '7d': week } = statisticsOf([ago(2, 1), ago(1, null), ago(0, 2)], NEWEST);
    assert.deepEqual([week?.mean, week?.days], [2, 2]);
  });

  it('are null for a period without a market price', () => {
    const found = statisticsOf([ago(40, 5), ago(0, null)], NEWEST);
    assert.deepEqual([found['7d'], found['30d']], [null, null]);
    assert.equal(found['90d']?.mean, 5);
    assert.deepEqual(statisticsOf([], NEWEST)['1y'], null);
  });
});
