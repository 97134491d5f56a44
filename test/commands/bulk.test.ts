import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import Papa from 'papaparse';
import { BULK_COLUMNS } from '../../src/commands/bulk/columns.ts';
import { writeBulk } from '../../src/commands/bulk/write.ts';
import {
  BULK_TYPES,
  type BulkFile,
  type BulkFormat,
  type BulkList,
  type BulkType,
} from '../../src/domain/bulk.ts';
import { withLock } from '../../src/ingest/lock.ts';
import { readPublication } from '../../src/store/catalogue/publications.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { eventually, Program, run, temporaryFolder } from '../support/cli.ts';
import { seededRandom } from '../support/edited-tree.ts';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { killBulkWriters } from '../support/killed-bulk.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const CHARIZARD = 'pokemon-bs-charizard-004';

/** A database with the fixture, and a day of Charizard in another month. */
async function fill(database: string): Promise<void> {
  await importFixtures(database);
  const store = await openStore(database);
  const prices = { productId: 42_382, market: 300, subTypeName: 'Holofoil' };
  const archive = new ArchiveFolder().day('2025-12-24', '3/604', [prices]);
  await importArchive(store, archive.folder, { limits: null });
  await store.close();
}

class Bulk {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get list(): BulkList {
    return JSON.parse(readFileSync(join(this.folder, 'bulk.json'), 'utf8'));
  }

  file(type: BulkType, format: BulkFormat, part: Partial<BulkFile> = {}): BulkFile {
    const { game = null, month } = part;
    const found = this.list.data.find((file) => {
      return (
        [file.type, file.format, file.game, file.month].join() ===
        [type, format, game, month].join()
      );
    });
    assert.ok(found, `${type} ${format} ${game} ${month}`);
    return found;
  }

  bytes({ url }: BulkFile): Buffer {
    return readFileSync(join(this.folder, url));
  }

  /** The rows of a file, as its format gives them. */
  async rows(file: BulkFile): Promise<Record<string, unknown>[]> {
    const bytes = this.bytes(file);
    if (file.format === 'parquet') return parquetReadObjects({ file: arrayBufferOf(bytes) });
    const text = gunzipSync(bytes).toString();
    if (file.format === 'csv') {
      return Papa.parse<Record<string, unknown>>(text, { header: true, skipEmptyLines: true }).data;
    }
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

/** The values of a row as CSV has them. */
function textsOf(type: BulkType, row: Record<string, unknown>): Record<string, string> {
  assert.deepEqual(Object.keys(row), Object.keys(BULK_COLUMNS[type]));
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00.000Z|\.000/, '');
  if (Array.isArray(value)) return value.join(' ');
  // The reader multiplies cents by 0.01.
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  return typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? '');
}

function arrayBufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

async function exportTo(
  database: string,
  { sources = 'quotes,tcgcsv', key = '', folder = temporaryFolder() } = {},
): Promise<Bulk> {
  const env = {
    CARDPRICE_DATABASE: database,
    CARDPRICE_BULK_SOURCES: sources,
    CARDPRICE_BULK_KEY: key,
  };
  const { code, err } = await run(['export', 'bulk', folder, '--json'], { env });
  assert.deepEqual([code, err], [0, '']);
  return new Bulk(folder);
}

for (const engine of ENGINES)
  describe(`cardprice export bulk on ${engine}`, () => {
    let made: TestDatabase | undefined;
    let database = '';
    const folder = temporaryFolder();
    let bulk: Bulk;
    after(() => made?.remove());
    before(async () => {
      made = await createDatabase(engine);
      database = made.location;
      await fill(database);
      bulk = await exportTo(database, { folder });
    });

    it('lists each file with its size, its digest and its rows', async () => {
      const { data: files } = bulk.list;
      for (const file of files) {
        const bytes = bulk.bytes(file);
        assert.equal(bytes.length, file.bytes);
        assert.equal(createHash('sha256').update(bytes).digest('hex'), file.sha256);
        assert.equal((await bulk.rows(file)).length, file.rows);
      }
      const ofAll = files.filter(({ game }) => game === null).map(({ type }) => type);
      assert.deepEqual([...new Set(ofAll)].sort(), ['cards', 'prices', 'sets']);
    });

    it('writes the same rows in every format', async () => {
      for (const type of BULK_TYPES) {
        const part = type === 'history' ? ({ game: 'pokemon', month: '2026-01' } as const) : {};
        const texts = async (format: BulkFormat) => {
          return (await bulk.rows(bulk.file(type, format, part))).map((row) => textsOf(type, row));
        };
        const rows = await texts('csv');
        assert.ok(rows.length > 3, type);
        assert.deepEqual(await texts('ndjson'), rows);
        assert.deepEqual(await texts('parquet'), rows);
      }
    });

    it('keeps amounts in Parquet as decimal numbers of two places', () => {
      const bytes = bulk.bytes(bulk.file('cards', 'parquet'));
      const { schema } = parquetMetadata(arrayBufferOf(bytes));
      const { type, converted_type, scale, precision } =
        schema.find(({ name }) => name === 'market') ?? {};
      assert.deepEqual([type, converted_type, scale, precision], ['INT32', 'DECIMAL', 2, 9]);
    });

    it('sorts cards by id, those of all games as those of one', async () => {
      const rows = await bulk.rows(bulk.file('cards', 'ndjson'));
      const ids = rows.map(({ id }) => String(id));
      assert.deepEqual(ids, [...ids].sort());
      const charizard = rows.find(({ id }) => id === CHARIZARD);
      const { printing, market, marketplaces, sources } = charizard ?? {};
      assert.deepEqual(
        [printing, market, marketplaces, sources],
        ['Holofoil', 453.86, ['tcgplayer'], ['tcgcsv']],
      );
      const own = await bulk.rows(bulk.file('cards', 'ndjson', { game: 'pokemon' }));
      assert.deepEqual(
        own,
        rows.filter(({ game }) => game === 'pokemon'),
      );
    });

    it('puts the days of a month into the file of the month', async () => {
      const file = bulk.file('history', 'ndjson', { game: 'pokemon', month: '2025-12' });
      assert.match(file.url, /^history\/game=pokemon\/month=2025-12\/[0-9a-f]{16}\.ndjson\.gz$/);
      assert.deepEqual(await bulk.rows(file), [
        {
          id: CHARIZARD,
          printing: 'Holofoil',
          copy: null,
          date: '2025-12-24',
          market: 300,
          low: null,
          mid: null,
          high: null,
          source: 'tcgcsv',
          marketplace: 'tcgplayer',
          repeated: false,
        },
      ]);
    });

    it('leaves out prices of sources that the operator did not name', async () => {
      const without = await exportTo(database, { sources: 'quotes' });
      const { data: files } = without.list;
      assert.deepEqual([...new Set(files.map(({ type }) => type))].sort(), ['cards', 'sets']);
      const rows = await without.rows(without.file('cards', 'ndjson'));
      assert.ok(
        rows.every(({ market, sources }) => market === null && (sources as []).length === 0),
      );
      assert.ok(files.every(({ sources }) => sources.length === 0));
      assert.deepEqual(bulk.file('prices', 'csv').sources, ['tcgcsv']);
    });

    it('does not take prices of tcgcsv for those of the starter', async () => {
      const starter = await exportTo(database, { sources: 'starter' });
      assert.deepEqual(
        starter.list.data.filter(({ type }) => type === 'prices'),
        [],
      );
    });

    it('waits for the end of an import, whose days would be in the history already', async () => {
      const store = await openStore(database);
      const { revision } = await readPublication(store.db);
      const killed = async (writing: number) => {
        await store.db.updateTable('catalog_state').set({ writing }).execute();
      };
      await killed(revision + 1);
      const env = { CARDPRICE_DATABASE: database };
      const { code, err } = await run(['export', 'bulk', temporaryFolder()], { env });
      await killed(revision);
      await store.close();
      assert.equal(code, 1);
      assert.match(err, /An import has written prices that are not published/);
    });

    it('gives the files of a publication the same names and bytes again', async () => {
      assert.deepEqual((await exportTo(database)).list, bulk.list);
      const [first] = bulk.list.data;
      const same = await exportTo(database, { folder: bulk.folder });
      assert.deepEqual(same.list.data[0], first);
    });

    it('signs the list, and removes an old signature with the key', async () => {
      const folder = temporaryFolder();
      const signature = join(folder, 'bulk.json.sig');
      await exportTo(database, { folder, key: KEY });
      const text = readFileSync(join(folder, 'bulk.json'));
      const bytes = Buffer.from(readFileSync(signature, 'utf8'), 'base64');
      assert.ok(verify(null, text, publicKey, bytes));
      assert.ok(!verify(null, Buffer.concat([text, Buffer.from(' ')]), publicKey, bytes));
      await exportTo(database, { folder });
      assert.ok(!existsSync(signature));
    });

    it('keeps replaced files for the days of the setting, and removes what a killed export left', async () => {
      const folder = temporaryFolder();
      const old = await exportTo(database, { folder, sources: 'quotes' });
      const [first] = old.list.data;
      const replaced = join(folder, String(first?.url.split('/')[0]));
      const partial = join(folder, '.partial-killed');
      mkdirSync(partial);
      await exportTo(database, { folder });
      assert.deepEqual([existsSync(replaced), existsSync(partial)], [true, false]);
      const weekAgo = new Date(Date.now() - 7 * 86_400_000);
      utimesSync(replaced, weekAgo, weekAgo);
      const { list } = await exportTo(database, { folder });
      assert.ok(!existsSync(replaced));
      assert.ok(list.data.every(({ url }) => existsSync(join(folder, url))));
    });

    it('keeps the files of months whose rows are the same', async () => {
      const folder = temporaryFolder();
      const { list: old } = await exportTo(database, { folder });
      const store = await openStore(database);
      const prices = { productId: 42_382, market: 310, subTypeName: 'Holofoil' };
      const archive = new ArchiveFolder().day('2026-01-12', '3/604', [prices]);
      await importArchive(store, archive.folder, { limits: null });
      const { revision } = await readPublication(store.db);
      await store.close();
      const { list: now } = await exportTo(database, { folder });
      const files = ({ data }: BulkList, month: string) => {
        return data.filter((file) => file.game === 'pokemon' && file.month === month);
      };
      assert.equal(files(now, '2025-12').length, 3);
      assert.deepEqual(files(now, '2025-12'), files(old, '2025-12'));
      for (const { url, publication } of files(now, '2026-01')) {
        assert.equal(publication, revision);
        assert.ok(!old.data.some((file) => file.url === url));
      }
      assert.ok(now.data.every(({ url }) => existsSync(join(folder, url))));
    });

    it('tells how far it is, by games and months of their history', async () => {
      const store = await openStore(database);
      const seen: string[] = [];
      await writeBulk(store, temporaryFolder(), {
        sources: ['tcgcsv'],
        key: '',
        keepDays: 7,
        onProgress: (done, total, name) => seen.push(`${done}/${total} ${name}`),
      });
      await store.close();
      const total = seen.length;
      assert.deepEqual(
        seen.map((line) => line.split(' ')[0]),
        seen.map((_, index) => `${index + 1}/${total}`),
      );
      assert.ok(seen.some((line) => line.endsWith(' pokemon 2025-12')));
    });

    it('is left to the process that exports already', async () => {
      const store = await openStore(database);
      const env = { CARDPRICE_DATABASE: database };
      const { code, err } = await withLock(
        store,
        Date.now,
        () => run(['export', 'bulk', temporaryFolder()], { env }),
        'bulk export',
      );
      await store.close();
      assert.equal(code, 1);
      assert.match(err, /Another bulk export is running/);
    });

    it('refuses a folder that cannot be written with one clear line', async () => {
      const env = { CARDPRICE_DATABASE: database };
      const { code, err } = await run(['export', 'bulk', '/dev/null/x'], { env });
      assert.equal(code, 1);
      assert.match(err, /\/dev\/null\/x cannot be written: /);
    });

    it('has each column in docs/bulk.md', () => {
      const page = readFileSync('docs/bulk.md', 'utf8');
      const names = Object.values(BULK_COLUMNS).flatMap((columns) => Object.keys(columns));
      assert.deepEqual(
        names.filter((name) => !page.includes(`| \`${name}\` |`)),
        [],
      );
    });
  });

describe('a killed export of bulk files', () => {
  it('leaves a whole list, and nothing when the next one has run', async () => {
    const folder = temporaryFolder();
    const database = join(folder, 'cards.db');
    await fill(database);
    const options = { kills: 4, random: seededRandom(1) };
    await killBulkWriters(database, join(folder, 'bulk'), options);
  });
});

for (const command of ['serve', 'start'])
  describe(`cardprice ${command} with CARDPRICE_BULK`, () => {
    it('writes the files of the publication in another process', async () => {
      const folder = temporaryFolder();
      const database = join(folder, 'cards.db');
      await fill(database);
      const bulk = join(folder, 'bulk');
      const env = {
        CARDPRICE_DATABASE: database,
        CARDPRICE_BULK: bulk,
        CARDPRICE_BULK_SOURCES: 'tcgcsv',
        CARDPRICE_PORT: '0',
      };
      const program = new Program([command], { env });
      const written = () => program.log.find(({ msg }) => msg === 'bulk files written');
      await eventually(() => written() !== undefined);
      const { bulk: report } = written() ?? assert.fail();
      const files = new Bulk(bulk).list.data;
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      assert.deepEqual(report, { files: files.length, bytes, publicKey: null });
      assert.equal((await program.send('SIGTERM').ended()).code, 0);
    });
  });
