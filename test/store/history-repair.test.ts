import assert from 'node:assert/strict';
import { it } from 'node:test';
import { repairHistory } from '../../src/store/history/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';

forEachEngine((_label, open) => {
  it('replaces a lost recent block only by days that begin and end as it did', async () => {
    const store = await open();
    const market = new Market(store, { limits: null });
    for (const day of ['2026-01-20', '2026-01-21', '2026-01-22'] as const) {
      await market.lists(day, { '1 Normal': 10 });
    }
    const days = await market.days('1', 'Normal');
    const { id } = await market.printing('1', 'Normal');
    await store.db
      .updateTable('history_recent')
      .set({ block: new Uint8Array(20) })
      .where('printing_id', '=', id)
      .execute();
    const repair = (from: number, to: number) => {
      const replacement = async () => days.slice(from, to);
      return repairHistory(store, id, { replacement, leaveOut: false });
    };
    for (const [from, to] of [
      [0, 0],
      [0, 2],
      [1, 3],
    ] as const) {
      assert.equal((await repair(from, to)).outcome, 'still damaged', `${from} to ${to}`);
    }
    const { outcome, replaced } = await repair(0, 3);
    assert.deepEqual([outcome, replaced], ['replaced', 3]);
    const repaired = await market.days('1', 'Normal');
    assert.deepEqual(repaired, days);
    assert.ok(repaired.every(({ provenance }) => provenance?.source === 'tcgcsv'));
  });
});
