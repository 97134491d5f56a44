import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dollarsFromCents } from '../../src/domain/money.ts';
import { findPlan, findPlanWith, PLAN_NAMES, PLANS } from '../../src/domain/plans.ts';

it('has the plans of the contract', () => {
  const table = PLANS.map((plan) => [plan.name, plan.dailyRequests, dollarsFromCents(plan.price)]);
  assert.deepEqual(table, [
    ['free', 200, 0],
    ['trader', 10_000, 14.99],
    ['business', 100_000, 89.99],
  ]);
});

it('gives what is not in every plan to Trader and above', () => {
  const features = PLANS.map((plan) => plan.features);
  const paid = ['history', 'batch', 'resolve', 'explain', 'explain-match', 'marketplace-changes'];
  assert.deepEqual(features, [[], paid, paid]);
  assert.equal(findPlanWith('history').label, 'Trader');
  assert.equal(findPlanWith('batch').label, 'Trader');
});

it('finds a plan by its exact name', () => {
  assert.deepEqual(PLAN_NAMES.map(findPlan), PLANS);
  for (const name of ['Trader', 'gold', '', 'constructor']) assert.equal(findPlan(name), undefined);
});
