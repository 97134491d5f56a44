import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Day, parseDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { DayPrices } from '../../src/domain/price.ts';
import type { Store } from '../../src/store/connect.ts';
import { movesOfDay, recordHistory } from '../../src/store/history/index.ts';
import { forEachEngine } from '../support/engines.ts';

const TODAY = parseDay('2026-01-28') ?? (0 as Day);

function pricesOf(day: Day, market: number | null): DayPrices {
  return { day, market: market as Cents | null, low: null, mid: null, high: null };
}

function record(store: Store, printing: number, days: readonly DayPrices[]) {
  const provenance = { source: 'tcgcsv', marketplace: 'tcgplayer', repeated: false };
  const all = days.map((prices) => ({ printing, prices, provenance }));
  return store.db.transaction().execute((transaction) => recordHistory(store, transaction, all, 0));
}

async function movesOf(store: Store, day: Day) {
  const moves: unknown[] = [];
  let damaged = 0;
  for await (const page of movesOfDay(store, day)) {
    for (const { printing, before, from, to } of page.moves) {
      moves.push([printing, day - before, from, to]);
    }
    damaged += page.damaged;
  }
  return { moves, damaged };
}

forEachEngine((_label, open) => {
  test('moves start from the newest earlier day with a market price', async () => {
    const store = await open();
    await record(store, 1, [pricesOf(addDays(TODAY, -5), 100), pricesOf(TODAY, 150)]);
    const gap = [
      pricesOf(addDays(TODAY, -9), 70),
      pricesOf(addDays(TODAY, -1), null),
      pricesOf(TODAY, 70),
    ];
    await record(store, 2, gap);
    await record(store, 3, [pricesOf(TODAY, 10)]);
    await record(store, 4, [pricesOf(addDays(TODAY, -1), 10), pricesOf(TODAY, null)]);
    await record(store, 5, [pricesOf(addDays(TODAY, -200), 10), pricesOf(TODAY, 20)]);
    const { moves } = await movesOf(store, TODAY);
    assert.deepEqual(moves, [
      [1, 5, 100, 150],
      [2, 9, 70, 70],
    ]);
    assert.deepEqual((await movesOf(store, addDays(TODAY, 1))).moves, []);
  });

  test('moves of long histories are found on each of their days', async () => {
    const store = await open();
    const days = Array.from({ length: 300 }, (_, index) => {
      return pricesOf(addDays(TODAY, index - 299), 1000 + index);
    });
    await record(store, 1, days);
    // The newest day was recorded first, so all other days are only in sealed blocks.
    await record(store, 2, days.slice(-1));
    await record(store, 2, days.slice(0, -1));
    for (const ago of [0, 10, 31, 32, 33, 64, 96, 200, 298]) {
      const to = 1299 - ago;
      assert.deepEqual(
        (await movesOf(store, addDays(TODAY, -ago))).moves,
        [1, 2].map((printing) => [printing, 1, to - 1, to]),
        `${ago} days ago`,
      );
    }
  });

  test('damaged histories are counted and left out', async () => {
    const store = await open();
    for (const printing of [1, 2]) {
      await record(store, printing, [pricesOf(addDays(TODAY, -1), 10), pricesOf(TODAY, 20)]);
    }
    await store.db
      .updateTable('history_recent')
      .set({ block: Buffer.from([1, 2, 3]) })
      .where('printing_id', '=', 1)
      .execute();
    assert.deepEqual(await movesOf(store, TODAY), { moves: [[2, 1, 10, 20]], damaged: 1 });
  });
});
