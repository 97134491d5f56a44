/** The bench of validation: that it plants the same mistakes again, and that it can fail. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { KINDS } from '../../bench/guard/kinds.ts';
import { daysFrom, snapshotWorld } from '../../bench/guard/kit.ts';
import { wrongNames } from '../../bench/guard/mistakes.ts';
import { cents, type Row, rowKey, type World } from '../../bench/guard/model.ts';
import { type Mistake, type Plan, plan } from '../../bench/guard/plan.ts';
import { measurePrecision } from '../../bench/guard/precision.ts';
import { seeded } from '../../bench/guard/random.ts';
import { makeBase, replay, type Verdict } from '../../bench/guard/replay.ts';
import { type Day, parseDay } from '../../src/domain/day.ts';
import type { PriceSettings } from '../../src/ingest/import.ts';

const DAYS = daysFrom(parseDay('2026-01-01') as Day, 14);
const AMOUNT = { singles: 1, sets: 1 };
const EVERYTHING_IS_BELIEVED: PriceSettings = { limits: null };
const folder = mkdtempSync(join(tmpdir(), 'cardprice-guard-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('the mistakes that the bench plants', () => {
  test('are the same for the same seed, and others for another', () => {
    const first = describePlans(planIn(smallWorld(), 1));
    assert.deepEqual(describePlans(planIn(smallWorld(), 1)), first);
    assert.notDeepEqual(describePlans(planIn(smallWorld(), 2)), first);
  });

  test('are of at least thirty kinds, over single prices, sets and feeds', () => {
    assert.ok(KINDS.length >= 30, `${KINDS.length} kinds`);
    assert.equal(new Set(KINDS.map(({ name }) => name)).size, KINDS.length);
    assert.deepEqual(new Set(KINDS.map(({ scope }) => scope)), new Set(['single', 'set', 'feed']));
  });
});

describe('what the bench finds served', () => {
  test('is every mistake on every day that it is visible when everything is believed', async () => {
    const verdicts = await judge(EVERYTHING_IS_BELIEVED);
    assert.ok(verdicts.length > 100, `${verdicts.length} mistakes`);
    const unserved = verdicts.filter(({ mistake, isHeld, served }) => {
      return isHeld || served.some((isServed, offset) => !isServed && isVisible(mistake, offset));
    });
    assert.deepEqual(unserved.slice(0, 3).map(describeVerdict), []);
    const isInHistory = verdicts.filter(({ mistake }) => !mistake.kind.isOldNews);
    assert.ok(isInHistory.every((verdict) => verdict.isInHistory));
  });

  test('is no price that validation holds', async () => {
    const kind = KINDS.filter(({ name }) => name === 'market ×100, stands still');
    const verdicts = await judge({}, kind);
    assert.ok(verdicts.length > 0);
    for (const { isHeld, served, rule } of verdicts) {
      assert.equal(isHeld, true);
      assert.equal(served[0], false);
      assert.ok(rule);
    }
  });
});

describe('what the bench finds held of true prices', () => {
  test('is nothing when everything is believed', async () => {
    const { compared, held, holds, historyDays, historyLost, historyWrong } =
      await measurePrecision(smallWorld(), folder, EVERYTHING_IS_BELIEVED);
    assert.ok(compared > 1000);
    assert.deepEqual({ held, holds }, { held: 0, holds: [] });
    assert.ok(historyDays > 1000);
    assert.deepEqual({ historyLost, historyWrong }, { historyLost: 0, historyWrong: 0 });
  });

  test('is a true price that leaps, until it is believed', async () => {
    const world = smallWorld();
    const [leaping, ...rest] = world.rows;
    assert.ok(leaping);
    const days = leaping.days.map((amounts, index) => {
      return index === 12 ? amounts && { market: cents((amounts.market ?? 1) * 50) } : amounts;
    });
    const rows = [{ ...leaping, days }, ...rest];
    const { held, holds } = await measurePrecision({ ...world, rows }, folder, {});
    assert.equal(held, 1);
    assert.equal(holds[0]?.day, DAYS[12]);
    assert.equal(holds[0]?.releasedAfter, 1);
  });
});

async function judge(settings: PriceSettings, kinds = KINDS): Promise<Verdict[]> {
  const base = await makeBase(smallWorld(), folder, settings);
  const verdicts: Verdict[] = [];
  for (const one of planIn(base.world, 1, kinds)) {
    verdicts.push(...(await replay(base, one, settings)));
  }
  rmSync(base.file);
  return verdicts;
}

function planIn(world: World, seed: number, kinds = KINDS): Plan[] {
  return plan(world, kinds, AMOUNT, seeded(seed, 'test'));
}

/** Three sets of twenty cards with two printings each, whose prices move by some percent a day. */
function smallWorld(): World {
  const random = seeded(1, 'small');
  const sets = ['101', '102', '103'];
  const groups = sets.map((id) => ({
    set: { externalId: id, game: 'pokemon', code: `S${id}`, name: `Set ${id}`, releaseDate: null },
    cards: Array.from({ length: 20 }, (_, index) => {
      const externalId = `${id}${index}`;
      const rest = { number: String(index), rarity: 'Rare', image: null };
      return { externalId, name: `Card ${externalId}`, ...rest };
    }),
    ...{ idSpace: 'tcgcsv', observedAt: 0, listings: [], skipped: {}, files: [] },
  })) as Parameters<typeof snapshotWorld>[0];
  const rows = groups.flatMap(({ set, cards }) => {
    const ids = cards === 'unchanged' ? [] : cards.map(({ externalId }) => externalId);
    return ids.flatMap((card) =>
      ['Normal', 'Holofoil'].map((printing): Row => {
        const base = 200 + Math.floor(random() * 9000);
        const days = DAYS.map(() => figures(base * (0.97 + random() * 0.06)));
        return { card, printing, set: set.externalId, days };
      }),
    );
  });
  const world = snapshotWorld(groups, DAYS, rows, random);
  return { name: 'pokemon', about: 'made', ...world };
}

function figures(market: number) {
  return {
    ...{ market: cents(market), low: cents(market * 0.7), mid: cents(market * 1.1) },
    high: cents(market * 3),
  };
}

function isVisible({ kind, start, wrongs }: Mistake, offset: number): boolean {
  const day = start + offset;
  return wrongs.some(({ amounts, truth }) => {
    return kind.isOldNews || wrongNames(amounts(day) ?? {}, truth[day]).length > 0;
  });
}

function describePlans(plans: readonly Plan[]) {
  return plans.map(({ mistakes }) => mistakes.map(describeMistake));
}

function describeMistake({ kind, start, wrongs }: Mistake) {
  const rows = wrongs.map(({ row, amounts }) => ({
    key: rowKey(row),
    amounts: DAYS.map((_, day) => (day < start ? undefined : amounts(day))),
  }));
  return { kind: kind.name, start, rows };
}

function describeVerdict({ mistake, isHeld, served }: Verdict) {
  return { ...describeMistake(mistake), isHeld, served };
}
