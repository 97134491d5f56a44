import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatDay } from '../../src/domain/day.ts';
import { marketTrails } from '../../src/store/history/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';

forEachEngine((_label, open) => {
  it('Market prices are returned day by day, with gaps, up to the newest day', async () => {
    const store = await open();
    const market = new Market(store, { limits: null });
    await market.lists('2026-01-20', { '1 Normal': 10, '2 Normal': 5 });
    await market.lists('2026-01-21', { '1 Normal': 11 });
    await market.lists('2026-01-24', { '1 Normal': 12 });
    const rows = await store.db.selectFrom('printings').select('id').orderBy('id').execute();
    const [first = 0, second = 0] = rows.map(({ id }) => id);
    const trails = await marketTrails(store, [first, second, first, 999], 90);
    const shown = [...trails].map(([id, { from, market: cents }]) => [id, formatDay(from), cents]);
    assert.deepEqual(shown.sort(), [
      [first, '2026-01-20', [1000, 1100, null, null, 1200]],
      [second, '2026-01-20', [500]],
    ]);
    const short = await marketTrails(store, [first], 4);
    assert.deepEqual(short.get(first)?.market, [1100, null, null, 1200]);
    assert.deepEqual(await marketTrails(store, [], 90), new Map());
  });
});
