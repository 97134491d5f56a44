import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Board, Market } from '../support/market.ts';

forEachEngine((_label, open) => {
  it('A set counts its priced cards and what they cost, through every publication', async () => {
    const store = await open();
    const market = new Market(store);
    const catalog = new Catalog(store);
    const boards: readonly (readonly [Board, number, number | null])[] = [
      [{ '1 Normal': null, '2 Normal': null }, 0, null],
      [{ '1 Normal': 1, '2 Normal': null, '3 Normal': 3, '4 Foil': 4 }, 3, 800],
      // One card gets its first price, another a second one.
      [{ '1 Normal': 1, '1 Foil': 2, '2 Normal': 2, '3 Normal': 3, '4 Foil': 4 }, 4, 1000],
      // One card loses its only price, another keeps one of two.
      [{ '1 Normal': null, '1 Foil': 2, '2 Normal': 2, '3 Normal': null, '4 Foil': 4 }, 3, 800],
      [{ '1 Foil': 2, '2 Normal': 2, '3 Foil': 3, '4 Foil': 4, '5 Normal': 5 }, 5, 1600],
    ];
    for (const [index, [board, expected, value]] of boards.entries()) {
      await market.lists(`2026-01-2${index}`, board);
      await catalog.refresh();
      const started = new Catalog(store);
      await started.refresh();
      for (const each of [catalog, started]) {
        const [counted] = each.sets('mtg');
        assert.equal(counted && each.pricedCount(counted.set), expected, `board ${index}`);
        assert.equal(counted && each.value(counted.set), value, `board ${index}`);
      }
    }
  });
});
