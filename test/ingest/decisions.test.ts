import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayOf } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import {
  rejectQuarantined,
  takeBackRejections,
} from '../../src/ingest/decisions/refresh-disputes.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import {
  insertQuarantined,
  listQuarantined,
  quarantinePages,
} from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { quarantineEntry } from '../support/entries.ts';
import { type Board, Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';

const LATER = moment('2026-03-01');

type Decision = 'approve' | 'reject' | 'undo' | 'leave';

/** Ids of entries with their decisions, in the order of the decisions. */
type Decisions = readonly (readonly [id: number, decision: Decision])[];

const CARDS: Board = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`${index + 1} Normal`, 10 + index]),
);

/** Imports of several days, after which entries of all kinds wait for the operator. */
async function fillQuarantine(store: Store): Promise<void> {
  const market = new Market(store);
  await market.lists('2026-01-20', { ...CARDS, '1 Foil': 30 });
  await market.feeds('2026-01-20', { '3 Normal': 12, '4 Normal': 13 });
  const jumps = { '1 Normal': 99, '2 Normal': 400, '1 Foil': 300 };
  await market.lists('2026-01-21', { ...CARDS, ...jumps });
  await market.feeds('2026-01-21', { '5 Foil': 70, '3 Normal': 0, '4 Normal': 90 });
  await market.remembers('2026-01-22', ['6', 'Normal'], {
    '2026-01-10': 15,
    '2026-01-11': 900,
    '2026-01-12': 15,
    '2026-01-13': 15,
  });
  const gone = Object.fromEntries(Object.keys(CARDS).map((name) => [name, null]));
  const listed = { '1 Normal': 99, '2 Normal': 400, '3 Normal': 12, '4 Normal': 13 };
  await market.lists('2026-01-23', { ...gone, ...listed });
  await quarantineAmounts(store, [['market', 'near_mint']]);
}

/** Days on which an amount was quarantined before, which its entry remembers. */
const EARLIER_DAYS = ['2026-01-18', '2026-01-19'].map((day) => {
  return { ...NO_PRICES, day: dayOf(moment(day)), market: 4900 as Cents };
});

/** Quarantines amounts of an observation of 21 January, in an entry for each list of names. */
async function quarantineAmounts(
  store: Store,
  entries: readonly (readonly string[])[],
): Promise<void> {
  const { db } = store;
  const printing = await db
    .selectFrom('printings')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .where('cards.number', '=', '7')
    .select(['printings.id', 'printings.card_id', 'printings.name', 'cards.set_id'])
    .executeTakeFirstOrThrow();
  const observedAt = moment('2026-01-21T20:05:12Z');
  const observation = {
    marketplace: 'tcgplayer',
    currency: 'USD' as const,
    observedAt,
    days: 1,
    prices: { ...NO_PRICES, market: 5000 as Cents },
    conditions: { near_mint: 4800 as Cents },
    graded: {},
  };
  const entry = {
    source: 'tcgcsv',
    game: 'mtg' as const,
    rule: 'price-jump' as const,
    setRowId: printing.set_id,
    cardRowId: printing.card_id,
    printingRowId: printing.id,
    printing: printing.name,
    externalId: '7',
    detail: 'It jumped.',
    observedAt,
    quarantinedAt: LATER,
  };
  await insertQuarantined(
    db,
    entries.map((amounts) => {
      const past = { amounts, earlierDays: EARLIER_DAYS };
      return quarantineEntry({ ...entry, observation: { ...observation, ...past } });
    }),
  );
}

/** Decides in the order of the list, `atOnce` entries at a time. */
async function decide(store: Store, decisions: Decisions, atOnce: number): Promise<void> {
  for (let at = 0; at < decisions.length; at += atOnce) {
    const group = decisions.slice(at, at + atOnce);
    const idsOf = (...wanted: readonly Decision[]) => {
      return group.filter(([, decision]) => wanted.includes(decision)).map(([id]) => id);
    };
    await rejectQuarantined(store, { ids: idsOf('reject', 'undo') }, () => LATER);
    await takeBackRejections(store, { ids: idsOf('undo') }, () => LATER);
    const ids = idsOf('approve');
    await approveQuarantined(store, quarantinePages(store.db, { ids }), () => LATER);
  }
}

/** All that decisions can change, without row ids of printings and numbers of publications. */
async function rowsOf(store: Store) {
  const { db } = store;
  const printings = await db
    .selectFrom('printings')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .selectAll('printings')
    .select('cards.number')
    .orderBy('cards.number')
    .orderBy('printings.name')
    .execute();
  const observations = await db.selectFrom('observations').selectAll().execute();
  const read = historyReader(store);
  return {
    quarantine: await db.selectFrom('quarantine').selectAll().orderBy('id').execute(),
    printings: await Promise.all(
      printings.map(async ({ id, revision: _, ...printing }) => ({
        ...printing,
        observations: observations
          .filter(({ printing_id }) => printing_id === id)
          .map(({ printing_id: _, ...observation }) => observation)
          .sort((a, b) => a.source.localeCompare(b.source)),
        history: await read(id, dayOf(0), dayOf(LATER)),
      })),
    ),
  };
}

forEachEngine((_label, open) => {
  const openFilled = async () => {
    const store = await open();
    await fillQuarantine(store);
    return store;
  };

  test('decisions in any order, one by one or in groups, end in the same rows', async () => {
    const entries = await listQuarantined((await openFilled()).db, {});
    const rules = new Set(entries.map(({ rule }) => rule));
    for (const rule of ['price-jump', 'unknown-printing', 'absurd-price', 'mass-delisting']) {
      assert.ok(rules.has(rule), `nothing is quarantined by ${rule}`);
    }
    const ids = entries.map(({ id }) => id);
    const some = fc.array(fc.constantFrom<Decision>('approve', 'reject', 'undo', 'leave'), {
      minLength: ids.length,
      maxLength: ids.length,
    });
    const order = fc.shuffledSubarray([...ids.keys()], { minLength: ids.length });
    await fc.assert(
      fc.asyncProperty(some, order, fc.integer({ min: 1, max: 5 }), async (what, order, atOnce) => {
        const decisions = ids.map((id, index) => [id, what[index] ?? 'leave'] as const);
        const [all, shuffled] = [await openFilled(), await openFilled()];
        await decide(all, decisions, decisions.length);
        await decide(
          shuffled,
          order.flatMap((index) => decisions.slice(index, index + 1)),
          atOnce,
        );
        assert.deepEqual(await rowsOf(shuffled), await rowsOf(all));
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  test('approved amounts join those that were accepted of the same day', async () => {
    const store = await openFilled();
    await quarantineAmounts(store, [['market'], ['near_mint']]);
    const [first, second] = (await listQuarantined(store.db, {})).slice(-2);
    const priceOf = async () => {
      const { printings } = await rowsOf(store);
      const { market, low, conditions, figures_at } =
        printings.find(({ number, name }) => number === '7' && name === 'Normal') ?? assert.fail();
      return { market, low, conditions, figures_at };
    };
    const approve = (id = 0) => {
      return approveQuarantined(store, quarantinePages(store.db, { ids: [id] }), () => LATER);
    };
    const figures_at = moment('2026-01-21T20:05:12Z');
    assert.deepEqual(await priceOf(), { market: 1600, low: null, conditions: null, figures_at });
    await approve(second?.id);
    const conditions = JSON.stringify({ near_mint: 4800 });
    assert.deepEqual(await priceOf(), { market: 1600, low: null, conditions, figures_at });
    await approve(first?.id);
    assert.deepEqual(await priceOf(), { market: 5000, low: null, conditions, figures_at });
    const history = await new Market(store).history('7', 'Normal');
    assert.deepEqual(history, [49, 49, 16, 50], 'the days that were quarantined before are in it');
  });

  test('a price whose rejection is undone waits for a decision again', async () => {
    const store = await openFilled();
    const waiting = () => listQuarantined(store.db, { isDecided: false });
    const before = await waiting();
    const clock = () => moment('2026-01-24');
    const rejected = await rejectQuarantined(store, { rule: 'price-jump' }, clock);
    assert.equal((await waiting()).length, before.length - rejected);
    assert.equal(await takeBackRejections(store, { rule: 'price-jump' }, clock), rejected);
    assert.deepEqual(await waiting(), before);
  });
});
