import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dollarsFromCents } from '../../src/domain/money.ts';
import {
  DEFAULT_PLANS,
  defaultHistoryDays,
  isPlanName,
  PlanTable,
} from '../../src/domain/plans.ts';

const TABLE = new PlanTable(DEFAULT_PLANS);

it('has the plans of the contract until the operator changes them', () => {
  const plans = TABLE.plans.map(({ name, dailyRequests, price }) => {
    return [name, dailyRequests, dollarsFromCents(price)];
  });
  assert.deepEqual(plans, [
    ['free', 200, 0],
    ['trader', 10_000, 14.99],
    ['business', 100_000, 89.99],
  ]);
});

it('includes every extra feature in Trader and above', () => {
  const features = TABLE.plans.map((plan) => plan.features);
  const paid = ['history', 'batch', 'resolve', 'explain', 'explain-match', 'marketplace-changes'];
  assert.deepEqual(features, [[], paid, paid]);
  assert.equal(TABLE.findWith('history')?.label, 'Trader');
  assert.equal(new PlanTable(TABLE.plans.slice(0, 1)).findWith('history'), undefined);
});

it('shows 30 days of history unless a plan includes all', () => {
  assert.equal(defaultHistoryDays([]), 30);
  assert.equal(defaultHistoryDays(['batch']), 30);
  assert.equal(defaultHistoryDays(['batch', 'history']), null);
});

it('finds a plan by its exact name', () => {
  assert.deepEqual(
    TABLE.names.map((name) => TABLE.find(name)),
    DEFAULT_PLANS,
  );
  for (const name of ['Trader', 'gold', '', 'constructor']) {
    assert.equal(TABLE.find(name), undefined);
  }
});

it('allows names that fit into settings and command lines', () => {
  for (const name of ['own-shop', 'x', 'plan2']) assert.ok(isPlanName(name), name);
  for (const name of ['', '2x', 'Own', 'a b', '-', 'a'.repeat(32), 'é']) {
    assert.ok(!isPlanName(name), name);
  }
});
