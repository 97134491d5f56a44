import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, type Day, parseDay } from '../../../src/domain/day.ts';
import type { Cents } from '../../../src/domain/money.ts';
import { NO_PRICES } from '../../../src/domain/price.ts';
import { judgeEarlierCopies } from '../../../src/ingest/validation/earlier-copies.ts';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { resolved } from '../../support/resolved.ts';

const FIRST = parseDay('2026-01-01') as Day;

interface Case {
  /** In dollars, a day each. */
  readonly days: readonly number[];
  readonly is: number;
  readonly was?: number;
  /** The indexes of the days that the operator has approved. */
  readonly approved?: readonly number[];
}

/** Judges the earlier days of the damaged copies of a printing. */
function judge({ days, is, was, approved = [] }: Case) {
  const one = resolved({
    is: { near_mint: 5, damaged: is },
    wasOn: '2025-12-31',
    was: was === undefined ? null : { near_mint: 5, damaged: was },
  });
  const earlier = days.map((dollars, index) => {
    return { ...NO_PRICES, day: addDays(FIRST, index), market: (dollars * 100) as Cents };
  });
  const passed = { ...one.observation, earlierCopies: { damaged: earlier } };
  const approvedDays = new Set(approved.map((index) => addDays(FIRST, index)));
  const quarantine = { approvedDays: () => approvedDays };
  const { accepted, rejected } = judgeEarlierCopies(one, passed, quarantine, DEFAULT_LIMITS);
  assert.ok(rejected.every(([copy]) => copy === 'damaged'));
  const dollars = (market: Cents | null) => market && market / 100;
  return {
    accepted: accepted.damaged?.map(({ market }) => dollars(market)),
    rejected: rejected.map(([, { market }]) => dollars(market)),
  };
}

describe('earlier days of a condition', () => {
  for (const [what, given, expected] of [
    [
      'are accepted if they continue each other',
      { days: [10, 11, 9], is: 10 },
      { accepted: [10, 11, 9], rejected: [] },
    ],
    [
      'are rejected if they stand alone',
      { days: [10, 950, 11], is: 10 },
      { accepted: [10, 11], rejected: [950] },
    ],
    [
      'are accepted if they stand alone and an operator has approved them',
      { days: [10, 950, 940, 11], is: 10, approved: [1] },
      { accepted: [10, 11, 950], rejected: [940] },
    ],
    [
      'are compared with what its source reported before them',
      { days: [950, 11], is: 10, was: 10 },
      { accepted: [11], rejected: [950] },
    ],
    [
      'are accepted at the end if the price of today confirms them',
      { days: [10, 95, 94], is: 96 },
      { accepted: [10, 95, 94], rejected: [] },
    ],
    [
      'are rejected at the end if the price of today is another one',
      { days: [10, 95, 94], is: 10 },
      { accepted: [10], rejected: [95, 94] },
    ],
    [
      'are approved at the end although the price of today is another one',
      { days: [10, 95, 94], is: 10, approved: [2] },
      { accepted: [10, 94], rejected: [95] },
    ],
  ] as const) {
    it(what, () => assert.deepEqual(judge(given), expected));
  }
});
