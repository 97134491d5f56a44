/** What an import does with prices of days to come, and with files that are older than the last. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import type { Store } from '../../src/store/connect.ts';
import { quarantinePages } from '../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { moment } from '../support/resolved.ts';
import { FIXTURE, importTree, TreeCopy } from '../support/tcgcsv.ts';

async function entries(store: Store) {
  const rows = await store.db.selectFrom('quarantine').selectAll().orderBy('id').execute();
  return rows.map(({ rule, observation, observed_at }) => [rule, observation, observed_at]);
}

async function imports(store: Store): Promise<number> {
  return (await store.db.selectFrom('imports').select('id').execute()).length;
}

const TREES: readonly (readonly [what: string, observed: string])[] = [
  ['tomorrow', '2027-01-29T20:05:12+0000'],
  ['next year', '2028-01-28T20:05:12+0000'],
];

forEachEngine((_label, open) => {
  for (const [what, observed] of TREES) {
    test(`a tree of ${what} is refused before anything is written`, async () => {
      const store = await open();
      await importTree(store, FIXTURE);
      const before = [await imports(store), await entries(store)];
      const tree = new TreeCopy().observed(observed);
      await assert.rejects(importTree(store, tree.folder), {
        name: 'OperatorError',
        message: /is in the future/,
      });
      assert.deepEqual([await imports(store), await entries(store)], before);
    });
  }

  test('prices that the operator says are of tomorrow are refused, with what to do', async () => {
    const store = await open();
    const early = new Market(store, { clock: () => moment('2026-01-27T12:00:00Z') });
    const refused = {
      name: 'OperatorError',
      message:
        'The prices would be of 2026-01-28, which is in the future. Nothing was imported. ' +
        'Give the day on which they were observed: --observed YYYY-MM-DD.',
    };
    await assert.rejects(early.lists('2026-01-28', { '1 Normal': 10 }), refused);
    await assert.rejects(early.feeds('2026-01-28', { '1 Normal': 10 }), refused);
    assert.equal(await imports(store), 0);
  });

  test('an older tree leaves a newer price in quarantine as it is', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10 });
    await market.lists('2026-01-21', { '1 Normal': 10.5 });
    await market.lists('2026-01-22', { '1 Normal': 99 });
    const held = await entries(store);
    for (const old of [10, 10.5, 400]) {
      await market.lists('2026-01-21', { '1 Normal': old });
      assert.deepEqual(await entries(store), held);
    }
    assert.deepEqual(await market.served(), { '1 Normal': 10.5 });
  });

  test('a later reading of a day is compared with the earlier one, not with the day before', async () => {
    const store = await open();
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10 });
    await market.lists('2026-01-21T08:00:00Z', { '1 Normal': 18 });
    await market.lists('2026-01-21T20:00:00Z', { '1 Normal': 8.5 });
    assert.deepEqual(await market.waiting(), ['1 Normal: price-jump']);
    assert.deepEqual(await market.served(), { '1 Normal': 18 });
  });

  test('the file of a known day is nothing new, even of a day with an approved jump', async () => {
    const store = await open();
    const market = new Market(store);
    const jumped = { '1 Normal': { market: 99, low: 80, high: 50_000 } };
    await market.lists('2026-01-20', { '1 Normal': { market: 10, low: 9, high: 12 } });
    await market.lists('2026-01-21', jumped);
    const waiting = quarantinePages(store.db, { isDecided: false });
    await approveQuarantined(store, waiting, () => moment('2026-01-21T12:00:00Z'));
    await market.lists('2026-01-22', { '1 Normal': { market: 101, low: 80, high: 120 } });
    const before = await entries(store);
    await market.lists('2026-01-21', jumped);
    assert.deepEqual(await entries(store), before);
    assert.deepEqual(await market.history('1', 'Normal'), [10, 99, 101]);
  });
});
