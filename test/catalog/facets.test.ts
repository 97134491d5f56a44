import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Board, Market } from '../support/market.ts';

/** A price in dollars that its listings confirm. */
const sure = (market: number) => ({ market, low: market * 0.9, mid: market, high: market * 2 });

forEachEngine((_label, open) => {
  it('A set counts its printings, its priced cards and what they cost, through every publication', async () => {
    const store = await open();
    const market = new Market(store);
    const catalog = new Catalog(store);
    const boards: readonly (readonly [Board, number, number | null])[] = [
      [{ '1 Normal': null, '2 Normal': null }, 0, null],
      [{ '1 Normal': sure(1), '2 Normal': null, '3 Normal': sure(3), '4 Foil': sure(4) }, 3, 800],
      // One card gets its first price, another a second one.
      [
        {
          '1 Normal': sure(1),
          '1 Foil': sure(2),
          '2 Normal': sure(2),
          '3 Normal': sure(3),
          '4 Foil': sure(4),
        },
        4,
        1000,
      ],
      // One card loses its only price, another keeps one of two.
      [
        {
          '1 Normal': null,
          '1 Foil': sure(2),
          '2 Normal': sure(2),
          '3 Normal': null,
          '4 Foil': sure(4),
        },
        3,
        800,
      ],
      // A price that nothing confirms is counted, but adds no value.
      [
        {
          '1 Foil': sure(2),
          '6 Normal': 9,
          '2 Normal': sure(2),
          '3 Foil': sure(3),
          '4 Foil': sure(4),
          '5 Normal': sure(5),
        },
        6,
        1600,
      ],
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
        const counts = [...each.cards()].map(({ printings }) => printings.length);
        const printingCount = counts.reduce((sum, count) => sum + Math.max(1, count), 0);
        assert.equal(counted && each.printingCount(counted.set), printingCount);
        const prices = Object.values(board).filter((price) => price !== null);
        assert.equal(each.priceCount, prices.length, `board ${index}`);
        // The first board has no prices.
        assert.equal(each.historyDays, index, `board ${index}`);
      }
    }
  });
});
