/**
 * DuckDB reads bulk files. Its binding for Node takes 70 MB, so it is not a dependency: `DUCKDB`
 * names a folder in which `@duckdb/node-api` is installed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BULK_COLUMNS, type ColumnKind } from '../../src/commands/bulk/columns.ts';
import { writeBulk } from '../../src/commands/bulk/write.ts';
import { BULK_TYPES, type BulkList } from '../../src/domain/bulk.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { temporaryFolder } from '../support/cli.ts';
import { createDatabase } from '../support/engines.ts';

interface Connection {
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>;
  closeSync(): void;
}
interface DuckDb {
  readonly DuckDBConnection: { create(): Promise<Connection> };
}

/** What DuckDB takes columns of Parquet for. */
const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'VARCHAR',
  list: 'VARCHAR',
  json: 'JSON',
  amount: 'DECIMAL(9,2)',
  day: 'DATE',
  moment: 'TIMESTAMP',
  flag: 'BOOLEAN',
};

/** The types of NDJSON, where they are not texts. */
const TEXTS: Partial<Record<ColumnKind, string>> = { amount: 'DECIMAL(9,2)' };

/** How a column of any format is compared; lists, JSON and flags look different in each. */
const COMPARED: Partial<Record<ColumnKind, (column: string) => string>> = {
  text: (column) => column,
  amount: (column) => `${column}::decimal(9,2)`,
  day: (column) => `${column}::varchar`,
  moment: (column) => `left(${column}::varchar, 10)`,
};

const { DUCKDB } = process.env;
assert.ok(DUCKDB, 'DUCKDB must name a folder: npm install --prefix FOLDER @duckdb/node-api');
const { DuckDBConnection } = createRequire(join(DUCKDB, '/'))('@duckdb/node-api') as DuckDb;

describe('DuckDB', () => {
  const folder = temporaryFolder();
  let connection: Connection;
  let list: BulkList;

  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const paths = (type: string, format: string) => {
    const files = list.data.filter((file) => file.type === type && file.format === format);
    const whole = files.filter(({ game }) => type === 'history' || game === null);
    return whole.map(({ url }) => `'${join(folder, url)}'`).join();
  };
  const countOf = (type: string) => {
    const files = list.data.filter((file) => file.type === type && file.format === 'csv');
    const whole = files.filter(({ game }) => type === 'history' || game === null);
    return whole.reduce((sum, file) => sum + file.rows, 0);
  };

  before(async () => {
    const { location, remove } = await createDatabase('SQLite');
    await importFixtures(location);
    const store = await openStore(location);
    const prices = { productId: 42_382, market: 300, subTypeName: 'Holofoil' };
    const archive = new ArchiveFolder().day('2025-12-24', '3/604', [prices]);
    await importArchive(store, archive.folder, { limits: null });
    list = await writeBulk(store, folder, { sources: ['tcgcsv'], key: '', keepDays: 7 });
    await store.close();
    await remove();
    connection = await DuckDBConnection.create();
  });
  after(() => connection.closeSync());

  for (const type of BULK_TYPES) {
    it(`reads ${type} as Parquet with the type of each column`, async () => {
      const described = await rows(
        `describe select * from read_parquet([${paths(type, 'parquet')}], hive_partitioning = false)`,
      );
      const expected = Object.entries(BULK_COLUMNS[type]).map(([name, kind]) => [
        name,
        TYPES[kind],
      ]);
      assert.deepEqual(
        described.map(({ column_name, column_type }) => [column_name, column_type]),
        expected,
      );
    });

    it(`reads the same rows of ${type} in all formats`, async () => {
      const columns = Object.entries(BULK_COLUMNS[type]);
      const kinds = columns.map(([name, kind]) => `"${name}": '${TEXTS[kind] ?? 'VARCHAR'}'`);
      const [parquet, csv, ndjson] = [
        `read_parquet([${paths(type, 'parquet')}], hive_partitioning = false)`,
        `read_csv([${paths(type, 'csv')}], all_varchar = true, hive_partitioning = false)`,
        `read_json([${paths(type, 'ndjson')}], columns = {${kinds.join()}}, hive_partitioning = false)`,
      ];
      const compared = columns.flatMap(([name, kind]) => COMPARED[kind]?.(`"${name}"`) ?? []);
      for (const source of [parquet, csv, ndjson]) {
        assert.deepEqual(await rows(`select count(*)::int as count from ${source}`), [
          { count: countOf(type) },
        ]);
        const select = (from: string) => `select ${compared.join()} from ${from}`;
        assert.deepEqual(await rows(`${select(parquet)} except all ${select(source)}`), []);
      }
    });
  }

  it('runs what docs/bulk.md shows, and reads only the months of the query', async () => {
    const page = readFileSync('docs/bulk.md', 'utf8');
    const [, sql = ''] = /```sql\n([^`]+)```/.exec(page) ?? [];
    const [set = '', select = ''] = sql.split(/;\n/);
    const inFolder = set.replace("'bulk.json'", `'${join(folder, 'bulk.json')}'`);
    assert.notEqual(inFolder, set);
    await rows(inFolder.replace('list(file.url)', `list('${folder}/' || file.url)`));
    const found = await rows(select.replace('2026-01', '2025-12').replace(';', ''));
    assert.deepEqual(
      found.map(({ id, market }) => [id, market]),
      [['pokemon-bs-charizard-004', '300.00']],
    );
  });
});
