/** The bench of validation: that it plants the same mistakes again, and that it can fail. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { KINDS } from '../../bench/guard/kinds.ts';
import { wrongNames } from '../../bench/guard/mistakes.ts';
import { cents, rowKey, type World } from '../../bench/guard/model.ts';
import { type Mistake, type Plan, plan } from '../../bench/guard/plan.ts';
import { seeded } from '../../bench/guard/random.ts';
import { makeBase, replay, replayTruth, type Verdict } from '../../bench/guard/replay.ts';
import { summarise } from '../../bench/guard/report.ts';
import { makeWorld } from '../../bench/guard/world.ts';
import type { PriceSettings } from '../../src/ingest/import.ts';

const AMOUNT = { singles: 1, sets: 1 };
const WITHOUT_VALIDATION: PriceSettings = { limits: null };
const folder = mkdtempSync(join(tmpdir(), 'cardprice-guard-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('the planted mistakes', () => {
  test('are equal for equal seeds and differ between seeds', () => {
    const first = describePlans(planIn(smallWorld(), 1));
    assert.deepEqual(describePlans(planIn(smallWorld(), 1)), first);
    assert.notDeepEqual(describePlans(planIn(smallWorld(), 2)), first);
  });

  test('are of at least fifty kinds of single prices, sets and feeds', () => {
    assert.ok(KINDS.length >= 50, `${KINDS.length} kinds`);
    assert.equal(new Set(KINDS.map(({ name }) => name)).size, KINDS.length);
    assert.deepEqual(new Set(KINDS.map(({ scope }) => scope)), new Set(['single', 'set', 'feed']));
  });
});

describe('what the bench finds served', () => {
  test('is every visible mistake on every day without validation', async () => {
    // Others are off by their factor after some days only.
    const all = await judge(WITHOUT_VALIDATION);
    const verdicts = all.filter(({ mistake }) => mistake.kind.leastFactor === undefined);
    assert.ok(verdicts.length > 100, `${verdicts.length} mistakes`);
    const missed = verdicts.filter(({ mistake, isHeld, served }) => {
      return isHeld || served.some((isServed, offset) => !isServed && isVisible(mistake, offset));
    });
    assert.deepEqual(missed.map(({ mistake }) => mistake.kind.name).slice(0, 3), []);
    assert.equal(summarise(verdicts).day1, 1);
  });

  test('is never quarantined by validation', async () => {
    const verdicts = await judge({}, 'market ×100, stands still');
    assert.ok(verdicts.length > 0);
    for (const { isHeld, served, rule } of verdicts) {
      assert.equal(isHeld, true);
      assert.equal(served[0], false);
      assert.ok(rule);
    }
  });
});

describe('what the bench finds quarantined of true prices', () => {
  test('is nothing without validation', async () => {
    const days = await truth(smallWorld(), WITHOUT_VALIDATION);
    assert.ok(days.reduce((sum, { compared }) => sum + compared, 0) > 1000);
    assert.deepEqual(
      days.flatMap(({ held }) => held),
      [],
    );
  });

  test('is a true price that jumps for a day', async () => {
    const world = smallWorld();
    const [jumping, ...rest] = world.rows;
    assert.ok(jumping);
    const days = jumping.days.map((amounts, index) => {
      return index === 12 ? amounts && { market: cents((amounts.market ?? 1) * 50) } : amounts;
    });
    const found = await truth({ ...world, rows: [{ ...jumping, days }, ...rest] }, {});
    assert.deepEqual(
      found.flatMap(({ held }) => held),
      ['price-jump'],
    );
  });
});

function smallWorld(): World {
  return makeWorld(3, 20, seeded(1, 'small'));
}

function planIn(world: World, seed: number, kinds = KINDS): Plan[] {
  return plan(world, kinds, AMOUNT, seeded(seed, 'test'));
}

async function judge(settings: PriceSettings, only = ''): Promise<Verdict[]> {
  const world = smallWorld();
  const file = await makeBase(world, mkdtempSync(join(folder, 'base-')), settings);
  const kinds = KINDS.filter(({ name }) => name.includes(only));
  const verdicts: Verdict[] = [];
  for (const one of planIn(world, 1, kinds)) {
    verdicts.push(...(await replay(world, file, one, settings)));
  }
  return verdicts;
}

async function truth(world: World, settings: PriceSettings) {
  const file = await makeBase(world, mkdtempSync(join(folder, 'base-')), settings);
  return replayTruth(world, file, settings);
}

function isVisible({ kind, start, wrongs }: Mistake, offset: number): boolean {
  const day = start + offset;
  return wrongs.some(({ amounts, truth: right }) => {
    return kind.isOldNews || wrongNames(amounts(day) ?? {}, right[day]).length > 0;
  });
}

function describePlans(plans: readonly Plan[]) {
  return plans.map(({ mistakes }) => mistakes.map(describeMistake));
}

function describeMistake({ kind, start, wrongs }: Mistake) {
  const rows = wrongs.map(({ row, amounts }) => ({ key: rowKey(row), amounts: amounts(start) }));
  return { kind: kind.name, start, rows };
}
