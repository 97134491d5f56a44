import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES, type Provenance } from '../../src/domain/price.ts';
import { LAST_DAY } from '../../src/history/codec.ts';
import { publish, readPublication } from '../../src/store/catalogue/publications.ts';
import type { Store, Transaction } from '../../src/store/connect.ts';
import {
  historiesReader,
  knownHistoriesReader,
  type PrintingDay,
  recordHistory,
  removeSourceDays,
  takeReplacedDays,
} from '../../src/store/history/index.ts';
import { forEachEngine } from '../support/engines.ts';

/** A week before the end of a span, so that histories have more than one sealed block. */
const START = 20_473 as Day;
const PRINTINGS = [1, 2, 3] as const;
const PROVENANCES: readonly Provenance[] = [
  { source: 'tcgcsv', marketplace: 'tcgplayer', repeated: false },
  { source: 'tcgcsv', marketplace: 'tcgplayer', repeated: true },
  { source: 'scryfall', marketplace: 'tcgplayer', repeated: false },
  { source: 'pricecharting', marketplace: 'ebay', repeated: false },
];

/** A report of a source: some days of a printing, which may only fill gaps. */
interface Report {
  readonly printing: number;
  readonly first: number;
  readonly count: number;
  readonly step: number;
  readonly market: number;
  readonly provenance: Provenance;
  readonly fills: boolean;
}

/** A rollback of the days of a source, from `first` to `last`. */
interface Rollback {
  readonly source: string;
  readonly first: number;
  readonly last: number;
}

type Step = readonly Report[] | Rollback;

const report: fc.Arbitrary<Report> = fc.record({
  printing: fc.constantFrom(...PRINTINGS),
  first: fc.integer({ min: 0, max: 12 }),
  count: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 8 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 300 }) },
  ),
  step: fc.constantFrom(1, 1, 2, 3),
  market: fc.integer({ min: 1, max: 3 }),
  provenance: fc.constantFrom(...PROVENANCES),
  fills: fc.boolean(),
});

const rollback: fc.Arbitrary<Rollback> = fc.record({
  source: fc.constantFrom('tcgcsv', 'scryfall', 'pricecharting'),
  first: fc.integer({ min: 0, max: 12 }),
  last: fc.integer({ min: 0, max: 320 }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.array(report, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: rollback },
);

/** The steps of each publication. */
const publications = fc.array(fc.array(step, { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 7,
});

forEachEngine((label, open) => {
  it('reads the history as each publication had it, after reports and rollbacks', async () => {
    const store = await open();
    await fc.assert(
      fc.asyncProperty(publications, async (all) => {
        await forgetAll(store);
        const seen = new Map<number, unknown>();
        for (const steps of all) {
          for (const one of steps) await take(store, one);
          const revision = await publishNext(store);
          seen.set(revision, await historiesReader(store)(WINDOWS));
        }
        const known = knownHistoriesReader(store);
        for (const [revision, then] of seen) {
          const now = await known(WINDOWS, revision);
          for (const printing of PRINTINGS) {
            const before = (then as typeof now).get(printing) ?? [];
            assert.deepEqual(now.get(printing), before, `printing ${printing} at ${revision}`);
          }
        }
      }),
      { numRuns: label === 'SQLite' ? 60 : 15, endOnFailure: true },
    );
  });

  it('reads only the days of a window', async () => {
    const store = await open();
    await take(store, [reportOf({ first: 0, count: 10 })]);
    const revision = await publishNext(store);
    await take(store, [reportOf({ first: 4, count: 2, market: 2 })]);
    await publishNext(store);
    const [from, to] = [(START + 5) as Day, (START + 6) as Day];
    const read = await knownHistoriesReader(store)([{ printing: 1, from, to }], revision);
    assert.deepEqual(
      read.get(1)?.map(({ day, market }) => [day, market]),
      [
        [from, 1],
        [to, 1],
      ],
    );
  });

  it('dates a day once for all printings, and late days by a range', async () => {
    const store = await open();
    const daily = PRINTINGS.map((printing) => reportOf({ printing, first: 0, count: 30 }));
    await take(store, daily);
    await publishNext(store);
    await take(store, [reportOf({ printing: 9, first: 0, count: 30 })]);
    await publishNext(store);
    const rows = await store.db.selectFrom('history_recordings').selectAll().execute();
    assert.deepEqual(
      [rows.length, new Set(rows.map(({ revision }) => revision))],
      [30, new Set([1])],
    );
    const late = await store.db.selectFrom('history_late').selectAll().execute();
    const [first_day, last_day] = [START, START + 29];
    assert.deepEqual(late, [{ printing_id: 9, last_day, revision: 2, first_day }]);
  });

  for (const earlier of [0, 1]) {
    it(`knows the days of an earlier version as they were when it began, after ${earlier} publications`, async () => {
      const store = await open();
      for (let i = 0; i < earlier; i += 1) await publishNext(store);
      await take(store, [reportOf({ first: 0, count: 5 })]);
      const made = await publishNext(store);
      // An earlier version, which an operator went back to, records neither days nor publications.
      await store.db.deleteFrom('history_recordings').execute();
      await store.db
        .updateTable('publications')
        .set({ has_journal: null })
        .where('revision', '=', made)
        .execute();
      const revision = await publishNext(store);
      await take(store, [reportOf({ printing: 2, first: 0, count: 6 })]);
      await publishNext(store);
      const read = await knownHistoriesReader(store)(WINDOWS, revision);
      assert.deepEqual([read.get(1)?.length, read.get(2)], [5, []]);
    });
  }
});

const WINDOWS = PRINTINGS.map((printing) => ({ printing, from: 0 as Day, to: LAST_DAY as Day }));

function reportOf(changes: Partial<Report>): Report {
  const provenance = PROVENANCES[0] ?? assert.fail();
  const first = { printing: 1, first: 0, count: 1, step: 1, market: 1, fills: false };
  return { ...first, provenance, ...changes };
}

/** Does what an import or a rollback does to the history. */
function take(store: Store, one: Step): Promise<void> {
  return store.db.transaction().execute(async (transaction) => {
    if ('source' in one) await rollBack(store, transaction, one);
    else await recordHistory(store, transaction, one.flatMap(daysOf), 0);
  });
}

function daysOf({ printing, first, count, step, market, provenance, fills }: Report) {
  return Array.from({ length: count }, (_, index): PrintingDay => {
    const day = (START + first + index * step) as Day;
    return { printing, prices: { ...NO_PRICES, day, market: market as Cents }, provenance, fills };
  });
}

async function rollBack(store: Store, transaction: Transaction, { source, first, last }: Rollback) {
  const days = { source, from: (START + first) as Day, to: (START + last) as Day };
  const wanted = new Map(PRINTINGS.map((printing) => [printing, []]));
  const { printings } = await removeSourceDays(store, transaction, wanted, days, 0);
  const removed = new Map([...printings].map(([id, one]) => [id, one.days]));
  const replaced = await takeReplacedDays(transaction, removed, days);
  const fills = replaced.map((day) => ({ ...day, fills: true }));
  await recordHistory(store, transaction, fills, 0);
}

async function publishNext(store: Store): Promise<number> {
  const { revision } = await readPublication(store.db);
  assert.ok(await publish(store.db, revision + 1, 0));
  return revision + 1;
}

async function forgetAll({ db }: Store): Promise<void> {
  await db.deleteFrom('history').execute();
  await db.deleteFrom('history_recent').execute();
  await db.deleteFrom('history_corrections').execute();
  await db.deleteFrom('history_recordings').execute();
  await db.deleteFrom('history_late').execute();
}
