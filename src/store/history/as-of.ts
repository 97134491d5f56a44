import { type Day, windowOf } from '../../domain/day.ts';
import type { PastPrices } from '../../domain/past-prices.ts';
import { hasPrice } from '../../domain/price.ts';
import type { Database } from '../catalogue/schema.ts';
import type { Opened } from '../engine/engine.ts';
import { LOOK_BACK } from './blocks.ts';
import { knownHistoriesReader } from './known.ts';
import { historiesReader } from './read.ts';
import { seriesOf } from './series.ts';

/**
 * Returns a function that reads the prices of printings on a day, by row id: the newest figures and
 * the newest price of each condition and grade from the 90 days up to it. The number of statements
 * does not depend on the number of printings. With `revision`, reads them as of the publication
 * with that number.
 *
 * The function throws DamagedHistory if a block that may hold these days cannot be decoded.
 */
export function pastPricesReader(
  store: Opened<Database>,
): (printings: readonly number[], day: Day, revision?: number) => Promise<Map<number, PastPrices>> {
  const read = historiesReader(store);
  const readKnown = knownHistoriesReader(store);
  return async (printings, day, revision) => {
    const series = await seriesOf(store.db, printings);
    const ids = [...new Set(printings), ...series.map(({ id }) => id)];
    const window = windowOf(LOOK_BACK, day);
    const windows = ids.map((printing) => ({ printing, ...window }));
    const histories = await (revision === undefined ? read(windows) : readKnown(windows, revision));
    const newest = (id: number) => histories.get(id)?.findLast(hasPrice);
    const seriesByPrinting = Map.groupBy(series, ({ printing }) => printing);
    const past = printings.map((printing) => {
      const copies = (seriesByPrinting.get(printing) ?? []).flatMap(({ id, copy }) => {
        const { market: price = null, day, provenance } = newest(id) ?? {};
        if (price === null || day === undefined) return [];
        return [{ copy, price, day, marketplace: provenance?.marketplace }];
      });
      return [printing, { figures: newest(printing), copies }] as const;
    });
    return new Map(past);
  };
}
