import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dayOf } from '../../src/domain/day.ts';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import { undoDecision } from '../../src/ingest/decisions/undo.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { quarantinePages, rejectMatching } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';

const LATER = moment('2026-01-24T08:00:00Z');

function approve(store: Store, filter: object = {}, at = LATER) {
  const waiting = quarantinePages(store.db, { ...filter, isDecided: false });
  return approveQuarantined(store, waiting, () => at);
}

/** All that an approval can change, without the numbers of publications. */
async function contents(store: Store) {
  const { db } = store;
  const printings = await db.selectFrom('printings').selectAll().orderBy('id').execute();
  const read = historyReader(store);
  const histories = printings.map(({ id }) => read(id, dayOf(0), dayOf(moment('2026-12-31'))));
  return {
    printings: printings.map(({ revision: _, ...row }) => row),
    observations: await db
      .selectFrom('observations')
      .selectAll()
      .orderBy('printing_id')
      .orderBy('source')
      .execute(),
    quarantine: await db.selectFrom('quarantine').selectAll().orderBy('id').execute(),
    corrections: await db
      .selectFrom('history_corrections')
      .where('withdrawn', '=', 0)
      .selectAll()
      .orderBy('day')
      .execute(),
    history: await Promise.all(histories),
  };
}

forEachEngine((_label, open) => {
  /** Prices with several jumps, and entries of other sources and of the past. */
  async function openJumped() {
    const store = await open();
    const market = new Market(store);
    const board = { '1 Normal': 10, '2 Normal': 20, '3 Normal': 30, '4 Normal': 40 };
    await market.lists('2026-01-20', board);
    await market.feeds('2026-01-20', { '3 Normal': 29 });
    await market.lists('2026-01-21', { ...board, '1 Normal': 99, '2 Normal': 199 });
    await market.lists('2026-01-22', { ...board, '1 Normal': 98, '2 Normal': 198 });
    await market.feeds('2026-01-22', { '3 Normal': 290 });
    await market.remembers('2026-01-23', ['4', 'Normal'], {
      '2026-01-10': 41,
      '2026-01-11': 900,
      '2026-01-12': 41,
      '2026-01-13': 41,
    });
    return { store, market };
  }

  it('puts everything back to what it was before the approval', async () => {
    const { store, market } = await openJumped();
    const before = await contents(store);
    const { accepted, pricesChanged, decidedAt } = await approve(store);
    assert.ok(accepted >= 4 && pricesChanged >= 2, `${accepted} ${pricesChanged}`);
    assert.equal((await market.served())['1 Normal'], 98);
    assert.deepEqual(await market.history('1', 'Normal'), [10, 99, 98]);
    assert.deepEqual(await market.waiting(), []);
    const undone = await undoDecision(store, decidedAt, () => LATER + 60_000);
    assert.deepEqual(undone, { undone: accepted, pricesChanged, kept: 0 });
    assert.deepEqual(await contents(store), before);
    const again = await undoDecision(store, decidedAt, () => LATER + 120_000);
    assert.deepEqual(again, { undone: 0, pricesChanged: 0, kept: 0 });
  });

  it('is published, so that what was served before is served again', async () => {
    const { store } = await openJumped();
    const revision = async () => {
      const state = store.db.selectFrom('catalog_state').select('revision');
      return (await state.executeTakeFirstOrThrow()).revision;
    };
    const { decidedAt } = await approve(store);
    const approved = await revision();
    await undoDecision(store, decidedAt, () => LATER);
    assert.equal(await revision(), approved + 1);
  });

  it('keeps what a source has reported again since', async () => {
    const { store, market } = await openJumped();
    const { accepted, decidedAt } = await approve(store);
    await market.lists('2026-01-24', { '1 Normal': 98, '2 Normal': 2 });
    const { undone, kept } = await undoDecision(store, decidedAt, () => LATER);
    assert.deepEqual([undone + kept, kept >= 2], [accepted, true]);
    assert.equal((await market.served())['1 Normal'], 98);
    const waiting = await market.waiting();
    assert.equal(waiting.filter((entry) => entry.startsWith('2 Normal')).length, 1, 'the new one');
    assert.ok(!waiting.some((entry) => entry.startsWith('1 Normal')), `${waiting}`);
  });

  it('undoes one decision and not another', async () => {
    const { store, market } = await openJumped();
    const first = await approve(store, { source: 'tcgcsv' });
    await approve(store, { source: 'scryfall' }, LATER + 1);
    await undoDecision(store, first.decidedAt, () => LATER + 2);
    const waiting = await market.waiting();
    assert.ok(waiting.length > 0 && !waiting.includes('3 Normal: price-jump'), `${waiting}`);
    assert.equal((await market.served())['1 Normal'], 10);
  });

  it('takes an approved delisting back, with the prices that it ended', async () => {
    const store = await open();
    const market = new Market(store);
    const cards = Array.from({ length: 12 }, (_, index) => `${index + 1} Normal`);
    await market.lists('2026-01-20', Object.fromEntries(cards.map((name) => [name, 10])));
    const gone = cards.map((name, index) => [name, index === 0 ? 10 : null]);
    await market.lists('2026-01-21', Object.fromEntries(gone));
    const before = await contents(store);
    assert.deepEqual(await market.waiting(), ['mass-delisting']);
    const { decidedAt } = await approve(store);
    assert.deepEqual(await market.served(), { '1 Normal': 10 });
    assert.equal((await undoDecision(store, decidedAt, () => LATER)).undone, 1);
    assert.deepEqual(await contents(store), before);
  });

  it('keeps a printing that the approval has added', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10 });
    await market.feeds('2026-01-21', { '1 Foil': 30 });
    assert.deepEqual(await market.waiting(), ['1 Foil: unknown-printing']);
    const { decidedAt } = await approve(store);
    assert.equal((await undoDecision(store, decidedAt, () => LATER)).undone, 0);
    assert.equal((await market.served())['1 Foil'], 30);
  });

  it('is possible for a week', async () => {
    const { store } = await openJumped();
    const first = await approve(store, { source: 'tcgcsv' });
    const week = 7 * 86_400_000;
    await approve(store, { ids: [] }, LATER + week);
    const { count } = await store.db
      .selectFrom('approvals')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    assert.equal(Number(count), first.accepted);
    await approve(store, { ids: [] }, LATER + week + 1);
    assert.equal((await undoDecision(store, first.decidedAt, () => LATER)).undone, 0);
  });

  it('undoes rejections of the same moment as well, because it names the decision', async () => {
    const { store, market } = await openJumped();
    const { decidedAt } = await approve(store, { source: 'tcgcsv' });
    await rejectMatching(store.db, { source: 'scryfall' }, decidedAt);
    const waiting = (await market.waiting()).length;
    assert.equal(waiting, 0);
    await undoDecision(store, decidedAt, () => LATER);
    assert.ok((await market.waiting()).includes('3 Normal: price-jump'));
  });
});
