import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { judgeBatch } from '../../../src/ingest/validation/judge.ts';
import { type Amounts, moment, resolved } from '../../support/resolved.ts';

const CONTEXT = { limits: DEFAULT_LIMITS, now: moment('2026-01-28') };
const WAS = { market: 10, low: 8, mid: 12, high: 30 };

/** Returns the amounts in quarantine. */
function held(is: Amounts, was: Amounts = WAS): readonly string[] {
  const observation = resolved({ was, is });
  const finding = judgeBatch([observation], CONTEXT).get(observation);
  assert.ok(finding === undefined || finding.amounts !== undefined, 'the market price is served');
  return finding?.amounts ?? [];
}

describe('listings that move away from a market price that stands still', () => {
  it('are quarantined with the highest, which alone would look usual', () => {
    const times = { market: 10, low: 40, mid: 60, high: 150 };
    assert.deepEqual(held(times), ['low', 'mid', 'high']);
  });

  it('are quarantined even if each is where listings usually are', () => {
    const was = { market: 10, low: 4, mid: 8, high: 12 };
    assert.deepEqual(held({ market: 10.5, low: 6.4, mid: 12.8, high: 19.2 }, was), [
      'low',
      'mid',
      'high',
    ]);
  });

  it('are quarantined if only two are known, and not if one is', () => {
    const was = { market: 10, low: 4, mid: 8 };
    assert.deepEqual(held({ market: 10.5, low: 6.4, mid: 12.8 }, was), ['low', 'mid']);
    assert.deepEqual(held({ market: 10.5, mid: 12.8 }, { market: 10, mid: 8 }), []);
  });

  it('are quarantined if all fall', () => {
    assert.deepEqual(held({ market: 10, low: 4, mid: 6, high: 15 }), ['low', 'mid', 'high']);
  });

  it('are quarantined if only the median moves', () => {
    const was = { market: 10, low: 3, mid: 4.5, high: 30 };
    assert.deepEqual(held({ ...was, mid: 18 }, was), ['mid']);
  });
});

describe('listings are accepted', () => {
  it('if the market price moves along', () => {
    assert.deepEqual(held({ market: 16, low: 12.8, mid: 19.2, high: 48 }), []);
  });

  it('if each moves on its own', () => {
    assert.deepEqual(held({ market: 10, low: 5, mid: 11, high: 55 }), []);
  });

  it('if only the highest moves', () => {
    assert.deepEqual(held({ ...WAS, high: 90 }), []);
  });

  it('if the median moves with the lowest', () => {
    const was = { market: 10, low: 3, mid: 6, high: 12 };
    assert.deepEqual(held({ market: 10, low: 5, mid: 12.5, high: 13 }, was), []);
  });
});
