import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, type Day, dayOf } from '../../../src/domain/day.ts';
import { NO_PRICES } from '../../../src/domain/price.ts';
import type { ResolvedObservation } from '../../../src/ingest/observation.ts';
import { findRepeatedDays } from '../../../src/ingest/validation/past.ts';
import { usd } from '../../support/replay.ts';
import { moment, resolved } from '../../support/resolved.ts';

const FIRST = dayOf(moment('2026-01-20'));

/** A printing with these prices in dollars on the days from the first one on; null for no day. */
function printing(card: number, prices: readonly (number | null)[], source = 'tcgcsv') {
  const one = resolved({ card, is: 1, source });
  const earlierDays = prices.flatMap((dollars, at) => {
    const day = addDays(FIRST, at);
    return dollars === null ? [] : [{ ...NO_PRICES, day, market: usd(dollars) }];
  });
  return { ...one, observation: { ...one.observation, earlierDays } };
}

function set(size: number, prices: readonly number[], source?: string): ResolvedObservation[] {
  return Array.from({ length: size }, (_, card) => {
    const own = prices.map((dollars) => dollars + card);
    return printing(card, own, source);
  });
}

/** Returns the repeated days, counted from the first one, which are the same for each printing. */
function repeated(batch: readonly ResolvedObservation[]): number[] {
  const found = findRepeatedDays(batch);
  assert.ok(found.size === 0 || found.size === batch.length);
  const days: ReadonlySet<Day> = found.values().next().value ?? new Set();
  return [...days].map((day) => day - FIRST);
}

describe('earlier days of a set', () => {
  it('are repeated if each of twenty printings has the price of the day before', () => {
    assert.deepEqual(repeated(set(20, [1, 1.1, 1.1, 1.2])), [2]);
    assert.deepEqual(repeated(set(19, [1, 1.1, 1.1, 1.2])), []);
  });

  it('are not repeated if one printing moved', () => {
    assert.deepEqual(repeated([...set(20, [1, 1.1, 1.1]), printing(20, [1, 1.1, 1.2])]), []);
  });

  it('are repeated although a printing begins or is missing on that day', () => {
    const others = set(20, [1, 1.1, 1.1, 1.2]);
    assert.deepEqual(repeated([...others, printing(20, [null, null, 7])]), [2]);
    assert.deepEqual(repeated([...others, printing(20, [5, 6, null])]), [2]);
  });

  it('are not judged out of order, or if operators set the prices', () => {
    const turned = set(20, [1.1, 1.1, 1]).map((one) => {
      const days = one.observation.earlierDays?.toReversed() ?? [];
      return { ...one, observation: { ...one.observation, earlierDays: days } };
    });
    assert.deepEqual(repeated(turned), []);
    assert.deepEqual(repeated(set(20, [1, 1.1, 1.1], 'quotes')), []);
  });
});
