/** The past from real archives, CSV files and quotes, which are not part of the repository. */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { type Day, formatDay } from '../../src/domain/day.ts';
import { type Cents, dollarsFromCents } from '../../src/domain/money.ts';
import { readCsv } from '../../src/sources/io/csv.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { checkHistory, historyReader, newestHistoryDays } from '../../src/store/history/index.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { MAIN } from '../support/main-module.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const QUOTES = join(DATA, 'quotes/lorcana-near-mint-daily.csv');
const ARCHIVES = 132;

/** The program with less memory than the archives would take whole. */
const SMALL = [process.execPath, '--max-old-space-size=250', MAIN];

describe('the real past', () => {
  const database = join(temporaryFolder(), 'cards.db');

  const bring = async (...args: readonly string[]) => {
    const surroundings = { env: { CARDPRICE_DATABASE: database }, command: SMALL };
    const { code, out, err } = await run(['import', ...args, '--json'], surroundings);
    assert.ok(code === 0 || code === 3, err);
    return JSON.parse(out);
  };

  const inStore = async <Result>(work: (store: Store) => Promise<Result>): Promise<Result> => {
    const store = await openStore(database);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };

  before(async () => {
    const { cards } = await bring('tcgcsv', join(DATA, 'tcgcsv'));
    assert.ok(cards > 110_000);
  });

  test('comes out of all archives in a minute, and not twice', async () => {
    const archive = join(DATA, 'tcgcsv-archive');
    const first = await bring('tcgcsv-archive', archive);
    assert.deepEqual([first.parts, first.broken], [ARCHIVES, []]);
    assert.ok(first.points > 290_000, `${first.points} points`);
    assert.ok(first.historyAdded > 260_000, `${first.historyAdded} added`);
    assert.ok(first.unmatched < 100, `${first.unmatched} unmatched`);
    assert.ok(first.seconds < 60, `${first.seconds} s`);
    const { parts, partsUnchanged, historyAdded } = await bring('tcgcsv-archive', archive);
    assert.deepEqual([parts, partsUnchanged, historyAdded], [0, ARCHIVES, 0]);
  });

  test('is on every day what was quoted of the chase cards that day', async () => {
    const quoted = await quotesByProduct();
    const compared = await inStore(async (store) => {
      const read = historyReader(store);
      let days = 0;
      for (const { external_id, id } of await chaseCards(store, [...quoted.keys()])) {
        const prices = quoted.get(external_id);
        for (const { day, market } of await read(id, 0 as Day, 60_000 as Day)) {
          const quote = prices?.get(formatDay(day));
          if (quote === undefined) continue;
          assert.equal(
            market && dollarsFromCents(market as Cents),
            quote,
            `${external_id} on ${day}`,
          );
          days += 1;
        }
      }
      return days;
    });
    assert.ok(compared > 15_000, `${compared} days were compared`);
  });

  test('of a day is the same in the archive and in the CSV files of that day', async () => {
    const args = ['tcgcsv-csv', join(DATA, 'tcgcsv-csv'), '--observed', '2026-01-28'];
    const { sets, broken, prices, historyAdded, historyCorrected } = await bring(...args);
    assert.equal(sets, 12);
    assert.match(broken[0].reason, /its group 3188 is not known/);
    assert.ok(prices > 2000);
    assert.deepEqual([historyAdded, historyCorrected], [0, 0]);
  });

  test('continues with the quotes, which are then the newest of their game', async () => {
    const args = ['quotes', QUOTES, '--columns', 'card_id=tcgplayer,price=market'];
    const { historyAdded, historyCorrected, points, broken } = await bring(...args);
    assert.deepEqual([historyCorrected, broken], [0, []]);
    assert.ok(points > 26_000 && historyAdded > 8000, `${points} points, ${historyAdded} added`);
    const newest = await inStore(newestHistoryDays);
    assert.equal(formatDay(newest.get('lorcana') ?? (0 as Day)), '2026-04-05');
    assert.equal(formatDay(newest.get('mtg') ?? (0 as Day)), '2026-01-28');
  });

  test('is whole after all that', async () => {
    const { points, damaged } = await inStore(checkHistory);
    assert.deepEqual(damaged, []);
    assert.ok(points > 340_000, `${points} points`);
  });
});

/** Near Mint prices in dollars, by TCGplayer product and day. */
async function quotesByProduct(): Promise<Map<string, Map<string, number>>> {
  const quoted = new Map<string, Map<string, number>>();
  for await (const row of readCsv(createReadStream(QUOTES))) {
    assert.ok('card_id' in row);
    const { card_id: product = '', date = '', price } = row;
    const days = quoted.get(product) ?? new Map<string, number>();
    quoted.set(product, days.set(date, Number(price)));
  }
  return quoted;
}

/** The printings of products that have exactly one. */
async function chaseCards(store: Store, products: readonly string[]) {
  const rows = await store.db
    .selectFrom('printings')
    .innerJoin('card_external_ids', 'card_external_ids.card_id', 'printings.card_id')
    .where('card_external_ids.id_space', '=', 'tcgcsv')
    .where('card_external_ids.external_id', 'in', products)
    .select(['card_external_ids.external_id', 'printings.id'])
    .execute();
  const byProduct = Map.groupBy(rows, ({ external_id }) => external_id);
  return [...byProduct.values()].flatMap((own) => (own.length === 1 ? own : []));
}
