import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { PACKED } from '../support/archive.ts';
import { eventually, Program, run, temporaryFolder } from '../support/cli.ts';
import { FIXTURE, TreeCopy } from '../support/tcgcsv.ts';

/** A folder with a database, and one for temporary files. */
class Shop {
  readonly folder = temporaryFolder();
  readonly temporary = temporaryFolder();
  readonly env = { CARDPRICE_DATABASE: join(this.folder, 'cards.db'), TMPDIR: this.temporary };

  /** The copies of the database that are on the disk. */
  get copies(): string[] {
    return readdirSync(this.temporary).filter((name) => name.startsWith('cardprice-copy-'));
  }

  cardprice(...args: readonly string[]) {
    return run(args, { env: this.env });
  }

  program(...args: readonly string[]): Program {
    return new Program(args, { env: this.env });
  }
}

function dearerTree(): TreeCopy {
  return new TreeCopy().observed('2026-01-29T20:05:12+0000').edit('3/604/prices', (rows) => {
    for (const row of rows) {
      if (typeof row.marketPrice === 'number') row.marketPrice *= 1.03;
    }
  });
}

describe('cardprice import --dry-run', () => {
  test('shows what would change, says that nothing was written, and leaves nothing', async () => {
    const shop = new Shop();
    await shop.cardprice('import', 'tcgcsv', FIXTURE);
    const { folder } = dearerTree();
    const { code, out, err } = await shop.cardprice('import', 'tcgcsv', folder, '--dry-run');
    assert.equal(code, 0, err);
    assert.match(err, /^Dry run, on a copy of the database/);
    assert.match(out, /^Prices {4}[1-9]\d* up, 0 down, 0 new, 0 gone, 0 in other figures only$/m);
    assert.match(out, /^ {2}pokemon-bs-charizard-004 Holofoil: \$453\.86 → \$467\.48$/m);
    assert.match(out, /^Cards {5}none new$/m);
    assert.match(out, /\nDry run: nothing was written\.\n$/);
    assert.deepEqual(shop.copies, []);
    const real = await shop.cardprice('import', 'tcgcsv', folder, '--json');
    const { prices } = (await jsonOf(shop, 'import', 'tcgcsv', folder)).dryRun;
    assert.equal(JSON.parse(real.out).dryRun, undefined);
    assert.deepEqual([prices.up, prices.down], [0, 0]);
  });

  test('gives the summary and the changes as JSON, amounts in dollars', async () => {
    const shop = new Shop();
    const first = await jsonOf(shop, 'import', 'tcgcsv', FIXTURE);
    assert.equal(first.dryRun.cardsAdded.count, first.cardsAdded);
    // The database was not even created.
    assert.deepEqual(readdirSync(shop.folder), []);
    await shop.cardprice('import', 'tcgcsv', FIXTURE);
    const { dryRun } = await jsonOf(shop, 'import', 'tcgcsv', dearerTree().folder);
    assert.deepEqual(dryRun.prices.largestByMoney[0], {
      card: 'pokemon-bs-charizard-004',
      name: 'Charizard',
      printing: 'Holofoil',
      before: 453.86,
      after: 467.48,
    });
  });

  test('is there for archives, files of quotes, CSV files and feeds', async () => {
    const shop = new Shop();
    await shop.cardprice('import', 'tcgcsv', FIXTURE);
    const quotes = join(shop.folder, 'quotes.csv');
    writeFileSync(quotes, 'card,date,market\npokemon-bs-charizard-004,2026-01-29,440\n');
    const csv = join(shop.folder, 'ProductsAndPrices.csv');
    writeFileSync(
      csv,
      'productId,name,categoryId,groupId,extNumber,marketPrice,subTypeName\n' +
        '42346,Charizard,3,604,4/102,430,Holofoil\n',
    );
    const scryfall = 'test/fixtures/scryfall/default-cards.json';
    const imports = [
      ['tcgcsv-archive', PACKED],
      ['quotes', quotes],
      ['tcgcsv-csv', csv, '--observed', '2026-01-29'],
      ['scryfall', scryfall, '--observed', '2026-01-28'],
    ];
    for (const args of imports) {
      const { dryRun } = await jsonOf(shop, 'import', ...args);
      assert.equal(typeof dryRun.prices.up, 'number', args.join(' '));
    }
    const { dryRun } = await jsonOf(shop, 'import', 'quotes', quotes);
    assert.deepEqual([dryRun.prices.up, dryRun.prices.down], [0, 1]);
    assert.deepEqual(shop.copies, []);
  });

  test('removes its copy when it fails, and when a signal stops it', async () => {
    const shop = new Shop();
    await shop.cardprice('import', 'tcgcsv', FIXTURE);
    const failed = await shop.cardprice('import', 'tcgcsv', shop.folder, '--dry-run');
    assert.equal(failed.code, 1);
    assert.deepEqual(shop.copies, []);
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    after(() => silent.close().closeAllConnections());
    await eventually(() => silent.address() !== null);
    const { port } = silent.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const stopped = shop.program('import', 'tcgcsv', url, '--dry-run');
    await eventually(() => shop.copies.length > 0);
    const { code } = await stopped.send('SIGINT').ended();
    assert.equal(code, null);
    assert.deepEqual(shop.copies, []);
  });
});

async function jsonOf(shop: Shop, ...args: readonly string[]) {
  const { code, out, err } = await shop.cardprice(...args, '--dry-run', '--json');
  assert.ok(code === 0 || code === 3, err);
  return JSON.parse(out);
}
