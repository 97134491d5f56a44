import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ALERT_KIND_NAMES,
  type AlertRule,
  alertSentence,
  beginWith,
  describeRule,
  judge,
  type PriceRange,
  readRule,
} from '../../src/domain/alerts.ts';
import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { ruleOf as rule } from '../support/alerts.ts';
import { usd } from '../support/replay.ts';

/** Returns the prices in dollars that make an alert fire, one a day after the first. */
function fired(of: AlertRule, prices: readonly (number | null)[], past?: PriceRange): number[] {
  const cents = prices.map((price) => (price === null ? null : usd(price)));
  let state = beginWith(of, cents[0] ?? null, past);
  return cents.flatMap((price, day) => {
    const judged = judge(of, state, { day: day as Day, price });
    state = judged.state;
    return judged.fires && price !== null ? [price / 100] : [];
  });
}

describe('An alert', () => {
  const above = rule('above', { amount: 50 });

  it('above an amount fires when the price reaches it', () => {
    assert.deepEqual(fired(above, [40, 49.99, 50, 60, 70]), [50]);
    assert.deepEqual(fired(rule('below', { amount: 50 }), [60, 50.01, 50, 40]), [50]);
  });

  it('does not fire for a price that was beyond its amount when it was made', () => {
    assert.deepEqual(fired(above, [55, 56, 57]), []);
    assert.deepEqual(fired(above, [55, 49, 51]), []);
  });

  it('fires once for a price that wobbles, and again after it went back by 5 %', () => {
    assert.deepEqual(fired(above, [40, 51, 49, 51, 48, 52]), [51]);
    assert.deepEqual(fired(above, [40, 51, 47.51, 52]), [51]);
    assert.deepEqual(fired(above, [40, 51, 47.5, 52]), [51, 52]);
    assert.deepEqual(fired(rule('below', { amount: 50 }), [60, 49, 52.5, 48]), [49, 48]);
  });

  it('fires for a first price beyond its amount', () => {
    assert.deepEqual(fired(above, [null, 60]), [60]);
  });

  it('keeps its state while no price is known', () => {
    assert.deepEqual(fired(above, [60, null, 61]), []);
    assert.deepEqual(fired(above, [40, null, 61, null, 62]), [61]);
  });

  it('on a rise compares with the lowest price of the window', () => {
    const rise = rule('rise', { percent: 20, days: 3 });
    assert.deepEqual(fired(rise, [100, 90, 100, 107.99, 108]), [108]);
    assert.deepEqual(fired(rise, [100, 106, 113, 119, 126]), []);
    assert.deepEqual(
      fired(rule('rise', { percent: 20, days: 4 }), [100, 106, 113, 119, 126]),
      [126],
    );
  });

  it('on a fall compares with the highest price of the window', () => {
    const fall = rule('fall', { percent: 10, days: 2 });
    assert.deepEqual(fired(fall, [100, 95, 90, 89, 88]), [90]);
    assert.deepEqual(fired(fall, [100, 95, 91]), []);
  });

  it('begins the next move with the price that made it fire', () => {
    const rise = rule('rise', { percent: 10, days: 30 });
    assert.deepEqual(fired(rise, [100, 110, 109, 110, 119, 120]), [110, 120]);
  });

  it('on a new high or low knows the history before, and fires once a climb', () => {
    const past = { lowest: usd(10), highest: usd(80) };
    assert.deepEqual(fired(rule('high'), [50, 80, 81, 82, 90], past), [81]);
    assert.deepEqual(fired(rule('high'), [50, 81, 90, 86, 91], past), [81]);
    assert.deepEqual(fired(rule('high'), [50, 81, 90, 85.5, 91], past), [81, 91]);
    assert.deepEqual(fired(rule('low'), [50, 10, 9.99, 9], past), [9.99]);
    assert.deepEqual(fired(rule('high'), [null, 5, 4, 6]), [6]);
  });

  it('on a first price fires once, if there never was one', () => {
    assert.deepEqual(fired(rule('first'), [null, null, 5, null, 6]), [5]);
    assert.deepEqual(fired(rule('first'), [4, 5]), []);
    const past = { lowest: usd(1), highest: usd(2) };
    assert.deepEqual(fired(rule('first'), [null, 5], past), []);
  });

  const anyRule = fc.constantFrom(...ALERT_KIND_NAMES).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      amount: fc.integer({ min: 1, max: 40 }).map((dollars) => usd(dollars)),
      percent: fc.integer({ min: 1, max: 60 }),
      days: fc.integer({ min: 1, max: 5 }),
    }),
  );
  const anyPrices = fc.array(fc.option(fc.integer({ min: 1, max: 40 })), { maxLength: 40 });

  it('fires the same if days without a change are judged, and if they are left out', () => {
    const property = fc.property(anyRule, anyPrices, (of, prices) => {
      const every = firedDays(of, prices, false);
      assert.deepEqual(firedDays(of, prices, true), every);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('on a move fires for exactly the prices that moved since it fired last', () => {
    const moves = fc.record({
      kind: fc.constantFrom('rise' as const, 'fall' as const),
      amount: fc.constant(null),
      percent: fc.integer({ min: 1, max: 60 }),
      days: fc.integer({ min: 1, max: 5 }),
    });
    const known = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 40 });
    const property = fc.property(moves, known, (of, prices) => {
      assert.deepEqual(firedDays(of, prices, false), daysOfMoves(of, prices));
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

/** Returns the days that fire. Prices are cents. */
function firedDays(of: AlertRule, prices: readonly (number | null)[], changesOnly: boolean) {
  let state = beginWith(of, (prices[0] ?? null) as Cents | null);
  let last = prices[0];
  return [...prices.keys()].slice(1).filter((day) => {
    const price = (prices[day] ?? null) as Cents | null;
    if (changesOnly && price === last) return false;
    last = price;
    const judged = judge(of, state, { day: day as Day, price });
    state = judged.state;
    return judged.fires;
  });
}

/** The same by definition: every price of the window is compared. */
function daysOfMoves({ kind, percent, days }: AlertRule, prices: readonly number[]): number[] {
  const found: number[] = [];
  for (const [day, price] of prices.entries()) {
    const from = Math.max(found.at(-1) ?? 0, day - (days ?? 0));
    const window = prices.slice(from, day);
    const base = kind === 'rise' ? Math.min(...window) : Math.max(...window);
    const share = 100 + (kind === 'rise' ? 1 : -1) * (percent ?? 0);
    const limit = base * share;
    const hasMoved = kind === 'rise' ? price * 100 >= limit : price * 100 <= limit;
    if (window.length > 0 && hasMoved) found.push(day);
  }
  return found;
}

describe('A rule', () => {
  it('says what it waits for', () => {
    assert.equal(describeRule(rule('above', { amount: 50 })), 'at or above $50.00');
    assert.equal(describeRule(rule('fall', { percent: 10, days: 1 })), 'down 10 % within a day');
    assert.equal(describeRule(rule('rise', { percent: 10, days: 7 })), 'up 10 % within 7 days');
  });

  it('refuses parts that are missing, and parts that its kind does not have', () => {
    const problems = [
      readRule({ kind: 'above' }),
      readRule({ kind: 'high', amount: usd(1) }),
      readRule({ kind: 'rise', percent: 5 }),
      readRule({ kind: 'first', days: 5 }),
      readRule({ kind: 'fall', percent: 100, days: 7 }),
    ];
    assert.deepEqual(
      problems.map((read) => ('problem' in read ? read.problem : read)),
      [
        'An alert of the kind "above" needs amount.',
        'An alert of the kind "high" has no amount.',
        'An alert of the kind "rise" needs percent and days.',
        'An alert of the kind "first" has no percent or days.',
        'A price cannot fall by more than 99 percent.',
      ],
    );
  });
});

it('A chat reads what fired', () => {
  const event = {
    alert: 7,
    name: 'Binder',
    rule: 'at or above $50.00',
    card: 'mtg-a',
    cardName: 'Lotus',
    printing: 'Foil',
    before: 48,
    after: 50.5,
    publication: 3,
    cursor: '3.abcdefgh',
  };
  const sentence = 'Binder: Lotus, Foil is at $50.50, was $48.00 (at or above $50.00).';
  assert.equal(alertSentence(event), sentence);
  const graded = { ...event, name: '', grade: 'psa_10', before: null };
  assert.equal(alertSentence(graded), 'Lotus, Foil, PSA 10 is at $50.50 (at or above $50.00).');
});
