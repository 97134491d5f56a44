import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExtremes } from '../../../../web/src/cards/history/extremes.ts';

function observed(date: string, market: number | null) {
  return { date, market, low: market, high: market };
}

test('the lowest and highest price are named with their newest days, unless they are equal', () => {
  const history = [
    observed('2026-01-23', 7),
    observed('2026-01-24', 5),
    observed('2026-01-25', null),
    observed('2026-01-26', 5),
    observed('2026-01-27', 7),
  ];
  assert.deepEqual(findExtremes(history), {
    lowest: observed('2026-01-26', 5),
    highest: observed('2026-01-27', 7),
  });
  for (const one of [[observed('2026-01-24', 5)], [observed('2026-01-24', null)], []]) {
    assert.equal(findExtremes(one), undefined);
  }
});
