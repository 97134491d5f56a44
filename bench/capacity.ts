/**
 * Measures what a whole tree takes in PostgreSQL, by table, and the rows that accounts leave: what
 * docs/capacity.md reckons with.
 *
 *     node bench/capacity.ts               # needs ../shared/data, about a minute
 *
 * Options: --data FOLDER (../shared/data/tcgcsv); --game SLUG, one game alone.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createDatabase } from '../test/support/engines.ts';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import { runCommand } from './http/processes.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/tcgcsv' },
    game: { type: 'string' },
  },
});

/** Rows of each kind that accounts leave, to see what one takes. */
const USAGE_ROWS = 100_000;

/** The columns of each kind of row, apart from account or key, and day or time. */
const ROWS = {
  'usage (account_id, day, used)': '1',
  'key_usage (key_id, day, used)': '1',
  'request_counts (account_id, day, endpoint, status_class, count)': "'card', 2, 5",
  'key_counts (key_id, day, endpoint, code, count)': "'card', '', 5",
  'recent_requests (account_id, at, request_id, key_id, endpoint, status, ms)':
    "gen_random_uuid()::text, 1, 'card', 200, 1.5",
};

const SIZES = `
  select relname as table, pg_total_relation_size(oid)::int as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 16`;

await globalSetup();
const { location, remove } = await createDatabase('PostgreSQL');
const client = new pg.Client({ connectionString: location });
try {
  const game = values.game === undefined ? [] : ['--game', values.game];
  const { seconds } = await runCommand(location, ['import', 'tcgcsv', values.data, ...game]);
  console.log(`import: ${seconds.toFixed(1)} s`);
  await client.connect();
  await fillUsage();
  await client.query('vacuum analyze');
  for (const { table, bytes } of (await client.query(SIZES)).rows) await print(table, bytes);
} finally {
  await client.end();
  await remove();
  await globalTeardown();
}

async function fillUsage(): Promise<void> {
  await client.query(`
    insert into accounts (id, email, plan, created_at)
    select id, id || '@shop.example', 'free', 0 from generate_series(1, 1000) id`);
  for (const [columns, values] of Object.entries(ROWS)) {
    await client.query(
      `insert into ${columns}
       select 1 + at % 1000, at / 1000, ${values} from generate_series(0, $1 - 1) at`,
      [USAGE_ROWS],
    );
  }
}

async function print(table: string, bytes: number): Promise<void> {
  const { rows } = await client.query(`select count(*)::int as count from "${table}"`);
  const count = Number(rows[0]?.count);
  const each = count === 0 ? '' : `${(bytes / count).toFixed(0)} bytes each`;
  console.log(
    `${table.padEnd(20)} ${(bytes / 1e6).toFixed(1).padStart(8)} MB ${count} rows, ${each}`,
  );
}
