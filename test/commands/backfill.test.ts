import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { isProgressLine, showProgress } from '../../src/commands/progress.ts';
import { ArchiveFolder, PACKED } from '../support/archive.ts';
import { type Outcome, run, temporaryFolder } from '../support/cli.ts';
import { FIXTURE } from '../support/tcgcsv.ts';

/** An operator with a new database and files. */
class Shop {
  readonly folder = temporaryFolder();
  readonly env = { CARDPRICE_DATABASE: join(this.folder, 'cards.db') };

  async import(...args: readonly string[]): Promise<Outcome> {
    return run(['import', ...args], { env: this.env });
  }

  /** Imports the catalogue of the fixture. */
  async stock(): Promise<void> {
    const { code, err } = await this.import('tcgcsv', FIXTURE);
    assert.equal(code, 0, err);
  }

  file(name: string, text: string): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }
}

async function openShop(): Promise<Shop> {
  const shop = new Shop();
  await shop.stock();
  return shop;
}

describe('cardprice import tcgcsv-archive', () => {
  test('imports the days of real archives, and skips them the next time', async () => {
    const shop = await openShop();
    const first = await shop.import('tcgcsv-archive', PACKED);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /^Imported tcgcsv-archive in \d+\.\d s$/m);
    assert.match(first.out, /^Read {6}2 days, 0 done before, 0 not available$/m);
    assert.match(first.out, /^History {3}4 points added, 0 corrected$/m);
    assert.match(first.out, /^Skipped {3}2 × price of a product that is not a known card$/m);
    const second = await shop.import('tcgcsv-archive', PACKED, '--json');
    const { parts, partsUnchanged, historyAdded } = JSON.parse(second.out);
    assert.deepEqual([parts, partsUnchanged, historyAdded], [0, 2, 0]);
    const again = await shop.import('tcgcsv-archive', PACKED, '--json', '--again');
    assert.equal(JSON.parse(again.out).parts, 2);
  });

  test('imports only the days that the flags name', async () => {
    const shop = await openShop();
    const { out } = await shop.import('tcgcsv-archive', PACKED, '--from', '2026-01-01', '--json');
    assert.equal(JSON.parse(out).parts, 1);
    const rest = await shop.import('tcgcsv-archive', PACKED, '--to', '2025-12-31', '--json');
    assert.equal(JSON.parse(rest.out).parts, 1);
  });

  test('names broken archives, imports the others and ends with 3', async () => {
    const shop = await openShop();
    const archive = new ArchiveFolder()
      .day('2026-01-27', '3/604', [{ productId: 42_382, subTypeName: 'Holofoil', market: 440 }])
      .write('prices-2026-01-26.ppmd.7z', 'oops');
    const { code, out, err } = await shop.import('tcgcsv-archive', archive.folder);
    assert.equal(code, 3);
    assert.match(out, /1 points added/);
    assert.equal(err, 'Skipped   prices-2026-01-26.ppmd.7z: not a whole 7z archive\n');
  });
});

describe('cardprice import tcgcsv-csv', () => {
  const head =
    'productId,name,categoryId,groupId,extNumber,extRarity,marketPrice,lowPrice,midPrice,highPrice,subTypeName\r\n';

  test('imports cards, prices and a day, and names a file whose group is unknown', async () => {
    const shop = await openShop();
    const archive = new ArchiveFolder()
      .write(
        '3/ProductsAndPrices.csv',
        `${head}7,"New\nCard",3,604,200/102,Rare,9.99,,,,Normal\r\n`,
      )
      .write('68/ProductsAndPrices.csv', `${head}8,X,68,3188,1,Rare,9.99,,,,Normal\r\n`);
    const args = ['tcgcsv-csv', archive.folder, '--observed', '2026-01-29'];
    const { code, out, err } = await shop.import(...args);
    assert.equal(code, 3);
    assert.match(out, /^Imported tcgcsv-csv as observed on 2026-01-29T00:00:00Z/m);
    assert.match(out, /^Cards {5}1 \(1 new, 0 changed\)$/m);
    assert.match(out, /^History {3}1 points added, 0 corrected$/m);
    assert.match(err, /^Skipped {3}68\/ProductsAndPrices\.csv: its group 3188 is not known/m);
  });
});

describe('cardprice import quotes', () => {
  const shop = new Shop();
  before(() => shop.stock());

  test('imports a series with other column names', async () => {
    const file = shop.file(
      'lorcana.csv',
      'card_id,date,price,name\n510148,2025-09-19,70.66,Hades\n510148,2025-09-20,70.72,Hades\n' +
        '1,2025-09-20,5,Nobody\n',
    );
    const args = ['quotes', file, '--columns', 'card_id=tcgplayer,price=market'];
    const { code, out, err } = await shop.import(...args);
    assert.equal(code, 0, err);
    assert.match(out, /^Read {6}3 rows$/m);
    assert.match(out, /^History {3}2 points added, 0 corrected$/m);
    assert.match(out, /^Skipped {3}1 × price of a product that is not a known card$/m);
  });

  test('reads JSON lines by the ending of the file or with --input-format', async () => {
    const line = '{"card":"pokemon-bs-charizard-004","date":"2020-01-01","market":100}\n';
    const byFileName = await shop.import('quotes', shop.file('a.ndjson', line), '--json');
    assert.equal(JSON.parse(byFileName.out).historyAdded, 1);
    const file = shop.file('a.txt', line);
    const byFlag = await shop.import('quotes', file, '--input-format', 'ndjson', '--json');
    assert.deepEqual([JSON.parse(byFlag.out).points, JSON.parse(byFlag.out).historyAdded], [1, 0]);
  });

  test('names unreadable rows, at most twenty of them, and ends with 3', async () => {
    const bad = 'pokemon-bs-charizard-004,someday,1\n'.repeat(25);
    const days = Array.from({ length: 125 }, (_, index) => {
      return `${2000 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
    });
    const good = days.map((day) => `pokemon-bs-charizard-004,${day},90\n`);
    const file = shop.file('bad.csv', `card,date,market\n${bad}${good.join('')}`);
    const { code, err } = await shop.import('quotes', file);
    assert.equal(code, 3);
    assert.match(err, /^Skipped {3}row 2: "someday" is not a day YYYY-MM-DD$/m);
    assert.match(err, /^Skipped {3}5 more$/m);
    assert.equal(err.trim().split('\n').length, 21);
    const more = shop.file('worse.csv', `card,date,market\n${bad}${bad}${good.join('')}`);
    const refused = await shop.import('quotes', more);
    assert.equal(refused.code, 3);
    assert.match(
      refused.err,
      /row 2 to row 176: 50 of 175 rows are bad, more than 20 %; the first/,
    );
    assert.match(refused.out, /^History {3}0 points added/m);
  });

  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['quotes', '/no/such/file'], /cannot be read/],
    [['quotes', 'package.json'], /do not give the card, the date and a price/],
    [['quotes', 'package.json', '--columns', 'x'], /is not <name in the file>=<column>/],
    [['quotes', 'package.json', '--source', 'My Shop'], /must be 1 to 32 of a-z, 0-9 and -/],
    [['tcgcsv-archive', '/no/such/folder'], /cannot be read/],
    [['tcgcsv-archive', 'src'], /is not an archive/],
    [['tcgcsv-archive', PACKED, '--from', 'now'], /--from "now" is not a day/],
    [['tcgcsv-archive', 'http://127.0.0.1:1'], /needs the first day: --from/],
    [['tcgcsv-archive', 'http://127.0.0.1:1', '--from', '2025-01-01', '--pause', 'x'], /--pause/],
    [['tcgcsv-csv', 'src'], /has no files named/],
    [['tcgcsv-csv', 'src', '--observed', '1'], /--observed "1" is not a day/],
  ];
  for (const [args, message] of refused) {
    test(`refuses ${args.join(' ')} with one clear line`, async () => {
      const { code, out, err } = await shop.import(...args);
      assert.equal(code, 1);
      assert.match(err, message);
      assert.equal(err.trim().split('\n').length, 1);
      assert.equal(out, '');
    });
  }
});

test('without a terminal, progress is a line now and then, with the remaining time once it is clear', (context) => {
  const lines: string[] = [];
  context.mock.method(console, 'error', (line: string) => lines.push(line));
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const progress = showProgress('days');
  for (const [seconds, done] of [
    [60, 1],
    [62, 2],
    [64, 4],
    [66, 30],
    [67, 31],
    [90, 61],
  ] as const) {
    now = seconds * 1000;
    progress.update(done, 1000, 'a day');
  }
  progress.end();
  // The first minute was for preparing, and does not count.
  assert.deepEqual(lines, [
    '1 of 1000 days',
    '2 of 1000 days',
    '4 of 1000 days',
    '30 of 1000 days, about 3 min left',
    '61 of 1000 days, about 8 min left',
  ]);
  for (const line of lines) assert.ok(isProgressLine(line), line);
  for (const line of ['3 of 10 groups are skipped', '1 of 2 days: left', 'Done']) {
    assert.ok(!isProgressLine(line), line);
  }
});
