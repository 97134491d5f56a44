import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresUrl, TEMPLATE } from './global-setup.ts';

/**
 * Databases of the server of a test run. Creating and dropping one takes a fifth of a second of the
 * server's time, so databases with the schema are emptied and reused, by all processes of the run.
 */

/** How long connections may take to close after a test has closed its store, in milliseconds. */
const CLOSING_MS = 5000;

/** The tables, their columns, indexes, triggers and functions, as one text. */
const SHAPE = `
  select md5(string_agg(line, ',' order by line)) as shape from (
    select concat(c.relname, c.relkind, c.relnatts) as line from pg_class c
      where c.relnamespace = 'public'::regnamespace
    union all select concat(t.tgname, t.tgrelid::regclass, t.tgenabled) from pg_trigger t
      where not t.tgisinternal
    union all select concat(p.proname, md5(p.prosrc)) from pg_proc p
      where p.pronamespace = 'public'::regnamespace
    union all select concat(s.setrole, array_to_string(s.setconfig, ',')) from pg_db_role_setting s
      join pg_database d on d.oid = s.setdatabase where d.datname = current_database()
  ) lines`;

/**
 * Deletes rows, which is faster than truncating small tables. Truncating discards the statistics
 * that a test has collected.
 */
const EMPTY = `
  do $$ declare entry record; begin
    for entry in select oid::regclass as name from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace and (reltuples <> -1 or relpages > 0
        or pg_relation_size(oid) > 400000)
    loop execute 'truncate ' || entry.name || ' cascade'; end loop;
    for entry in select oid::regclass as name from pg_class where relkind = 'r'
      and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0
    loop execute 'delete from ' || entry.name; end loop;
    for entry in select format('%I', sequencename) as name from pg_sequences
      where schemaname = 'public' and last_value is not null
    loop execute 'alter sequence ' || entry.name || ' restart'; end loop;
  end $$`;

/** The contents of a database after the schema's migrations. */
interface Pristine {
  readonly shape: string;
  /** Statements that insert the first rows and advance the sequences. */
  readonly restore: string;
}

/** Returns the URL of a database with the schema and only the migrations' rows. */
export async function takeDatabase(): Promise<string> {
  const server = await connected();
  const [idle] = await rows(
    server,
    `
    delete from idle_databases where name = (
      select name from idle_databases limit 1 for update skip locked) returning name`,
  );
  return idle ? urlOf(idle.name ?? '') : createDatabaseFrom(TEMPLATE);
}

/** Takes back a test's database. Fails if the test left a connection open. */
export async function giveBack(url: string): Promise<void> {
  const server = await connected();
  const name = new URL(url).pathname.slice(1);
  if (!(await empty(url))) return drop(url);
  await rows(server, `insert into idle_databases values ('${name}')`);
}

export async function createDatabaseFrom(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = await connected();
  await rows(server, `create database ${name} template ${template} strategy file_copy`);
  return urlOf(name);
}

/** Removes a database. The server waits a while for connections to close, and then fails. */
export async function drop(url: string): Promise<void> {
  const server = await connected();
  await rows(server, `drop database ${new URL(url).pathname.slice(1)}`);
}

/** Removes other rows, and returns whether the database is as the migrations left it. */
async function empty(url: string): Promise<boolean> {
  const { shape, restore } = await pristineState();
  const database = open(url);
  try {
    await closedByOthers(database);
    const [found] = await rows(database, SHAPE);
    if (found?.shape !== shape) return false;
    await rows(database, `set session_replication_role = replica; ${EMPTY}; ${restore}`);
    return true;
  } finally {
    await database.end();
  }
}

let pristine: Promise<Pristine> | undefined;

function pristineState(): Promise<Pristine> {
  pristine ??= readPristine();
  return pristine;
}

async function readPristine(): Promise<Pristine> {
  const server = await connected();
  const url = await createDatabaseFrom(TEMPLATE);
  const database = open(url);
  const [{ shape } = {}] = await rows(database, SHAPE);
  const tables = await rows(
    database,
    `select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`,
  );
  const statements: string[] = [];
  for (const { name } of tables) {
    const [{ all } = {}] = await rows(database, `select json_agg(t)::text as all from ${name} t`);
    if (!all) continue;
    const source = `json_populate_recordset(null::${name}, ${pg.escapeLiteral(all)})`;
    statements.push(`insert into ${name} overriding system value select * from ${source}`);
  }
  const sequences = await rows(
    database,
    `select format('%I', sequencename) as name,
    last_value::text as last from pg_sequences where last_value is not null`,
  );
  for (const { name, last } of sequences) statements.push(`select setval('${name}', ${last})`);
  await database.end();
  await rows(server, `drop database ${new URL(url).pathname.slice(1)}`);
  return { shape: String(shape), restore: statements.join('; ') };
}

/** Waits until this is the only connection to its database. */
async function closedByOthers(database: pg.Pool): Promise<void> {
  const deadline = performance.now() + CLOSING_MS;
  for (;;) {
    const others = await rows(
      database,
      `select query from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    if (others.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`The test left connections open, last with ${others[0]?.query}`);
    }
    await sleep(10);
  }
}

type Row = Readonly<Partial<Record<string, string>>>;

async function rows(database: pg.Pool, statement: string): Promise<readonly Row[]> {
  return (await database.query<Row>(statement)).rows;
}

/** One connection, which keeps the process alive only during its queries. */
function open(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    allowExitOnIdle: true,
    idleTimeoutMillis: 0,
  });
  // The server of a benchmark stops first. A later query would report a lost connection.
  pool.on('error', () => {});
  return pool;
}

let serverUrl: Promise<string> | undefined;
let server: Promise<pg.Pool> | undefined;

function connected(): Promise<pg.Pool> {
  serverUrl ??= postgresUrl();
  server ??= serverUrl.then(open);
  return server;
}

async function urlOf(name: string): Promise<string> {
  serverUrl ??= postgresUrl();
  const url = new URL(await serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
