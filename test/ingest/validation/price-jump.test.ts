import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOf } from '../../../src/domain/day.ts';
import type { Cents } from '../../../src/domain/money.ts';
import type { QuarantinedBefore } from '../../../src/ingest/observation.ts';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { isTooMany } from '../../../src/ingest/validation/limits.ts';
import { priceJump } from '../../../src/ingest/validation/rules/price-jump.ts';
import {
  amountsSince,
  daysOfMove,
  factorOver,
  isFar,
} from '../../../src/ingest/validation/rules/price-moves.ts';
import type { SetLevel } from '../../../src/ingest/validation/set-level.ts';
import { moment, resolved } from '../../support/resolved.ts';

const CONTEXT = { limits: DEFAULT_LIMITS, now: moment('2026-01-28T21:00:00Z') };

/** Judges a market price in cents by what it was, other sources and the trend of its set. */
function jump(was: number, is: number, more: { others?: number[]; trend?: SetLevel } = {}) {
  const one = resolved({ was: was / 100, is: is / 100 });
  const [first, today] = [one.before, one.observation].map((known) => known?.observedAt ?? 0);
  const days = [3, 2, 1].map((ago) => ({
    ...one.observation.prices,
    day: (Math.floor((today ?? 0) / 86_400_000) - ago) as never,
    market: Math.round(is * (ago === 2 ? 1.3 : 1)) as Cents,
  }));
  const before = one.before && { ...one.before, observedAt: (first ?? 0) - 4 * 86_400_000 };
  const amount = {
    resolved: { ...one, before, observation: { ...one.observation, earlierDays: days } },
    name: 'market',
    is: is as Cents,
    was: was as Cents,
    others: (more.others ?? []) as Cents[],
    trend: more.trend,
  };
  return priceJump(amount, CONTEXT);
}

const LEVEL: SetLevel = { compared: 20, median: 0, spread: 0, share: 0 };

describe('a price jump', () => {
  it('is believed once it lives for four days, unless another source contradicts', () => {
    assert.equal(jump(1000, 5000)?.isBelieved, true);
    assert.equal(jump(1000, 5000, { others: [1000] })?.isBelieved, false);
    assert.equal(jump(1000, 5000, { others: [5000] }), undefined, 'which another one confirms');
  });

  it('is confirmed by another source up to half as much again', () => {
    assert.equal(jump(1000, 5000, { others: [7500] }), undefined);
    assert.equal(jump(1000, 5000, { others: [7501] })?.rule, 'price-jump');
  });

  it('is compared with the trend of its set, from three per cent on', () => {
    assert.equal(jump(1000, 2150)?.rule, 'price-jump');
    assert.equal(jump(1000, 2150, { trend: { ...LEVEL, median: Math.log(1.1) } }), undefined);
    const little = { ...LEVEL, median: Math.log(1.025) };
    assert.equal(jump(1000, 2090, { trend: little })?.rule, 'price-jump');
    const against = { ...LEVEL, median: Math.log(0.9) };
    assert.equal(jump(1000, 2150, { trend: against })?.rule, 'price-jump');
  });

  it('may be wider in a set whose prices move far apart, but never ten times', () => {
    const wide = { ...LEVEL, spread: 0.5 };
    assert.equal(jump(1000, 9900, { trend: wide }), undefined);
    assert.equal(jump(1000, 10_000, { trend: wide })?.rule, 'price-jump');
  });
});

describe('the amounts of a grade since it went into quarantine', () => {
  const since = (quarantinedOn: string, trail: readonly number[], isRejected = false) => {
    const one = resolved({ is: { psa_10: 210 } });
    const quarantined = {
      ...one.observation,
      rule: 'price-jump',
      detail: '',
      days: trail.length,
      isRejected,
      observedAt: moment(quarantinedOn),
      trails: { psa_10: trail as Cents[] },
    } satisfies QuarantinedBefore;
    const amount = { name: 'psa_10', is: 21_000 as Cents, was: undefined, others: [] };
    return amountsSince({ ...amount, resolved: { ...one, quarantined }, trend: undefined });
  };

  it('have one for each day, with the latest report of today', () => {
    const trail = [20_000, 20_500, 20_800];
    assert.deepEqual(since('2026-01-27', trail), [...trail, 21_000]);
    assert.deepEqual(since('2026-01-28', trail), [20_000, 20_500, 21_000]);
    assert.deepEqual(since('2026-01-27', trail, true), [21_000], 'an operator has rejected them');
  });

  it('begin where it last changed', () => {
    assert.deepEqual(since('2026-01-27', [20_000, 90_000, 20_800]), [20_800, 21_000]);
    assert.deepEqual(since('2026-01-27', [20_000, 90_000]), [21_000]);
  });
});

describe('the limits of moves', () => {
  const cents = (amount: number) => amount as Cents;

  for (const [a, b, far] of [
    [1000, 2000, true],
    [1000, 1999, false],
    [2, 4, true],
    [1, 2, false],
    [1, 9, true],
  ] as const) {
    it(`${a} and ${b} cents are ${far ? '' : 'not '}far apart`, () => {
      assert.equal(isFar(cents(a), cents(b), 2), far);
      assert.equal(isFar(cents(b), cents(a), 2), far);
    });
  }

  it('grow with the days, for the highest listing twice as fast, up to ten times', () => {
    assert.equal(factorOver(0, 'market', DEFAULT_LIMITS), 2);
    assert.equal(factorOver(1, 'market', DEFAULT_LIMITS), 2);
    assert.equal(factorOver(95, 'market', DEFAULT_LIMITS), 4);
    assert.equal(factorOver(1, 'high', DEFAULT_LIMITS), 4);
    assert.equal(factorOver(10_000, 'market', DEFAULT_LIMITS), 10);
  });

  it('end their days when an amount first waits, and are of one day if only it waits', () => {
    const one = resolved({ was: 10, wasOn: '2026-01-18', is: 30 });
    const waiting = (amounts?: readonly string[]): QuarantinedBefore => ({
      ...one.observation,
      rule: 'price-jump',
      detail: '',
      days: 3,
      isRejected: false,
      earlierDays: [{ ...one.observation.prices, day: dayOf(moment('2026-01-21')) }],
      ...(amounts && { amounts }),
    });
    assert.equal(daysOfMove({ ...one, before: undefined }, 'market'), 0);
    assert.equal(daysOfMove(one, 'market'), 10);
    assert.equal(daysOfMove({ ...one, quarantined: waiting() }, 'market'), 3);
    assert.equal(daysOfMove({ ...one, quarantined: waiting(['market']) }, 'market'), 1);
    assert.equal(daysOfMove({ ...one, quarantined: waiting(['low']) }, 'market'), 3);
  });

  for (const [count, of, isMany] of [
    [6, 20, false],
    [7, 20, true],
    [5, 5, true],
    [4, 4, false],
  ] as const) {
    it(`${count} of ${of} prices at once are ${isMany ? '' : 'not '}too many`, () => {
      assert.equal(isTooMany(count, of, DEFAULT_LIMITS), isMany);
    });
  }
});
