import { type Kysely, sql } from 'kysely';
import type { Engine } from '../engine/engine.ts';
import type { Schema } from '../engine/migrator.ts';
import { findHistorySince } from './history-since.ts';
import type { Database } from './schema.ts';

/**
 * The migrations of the catalogue, oldest first. Never change a released migration, because
 * databases have run it: append a new one. `schema.ts` has the row types.
 */
export const CATALOGUE_SCHEMA: Schema = {
  records: {
    migrationTableName: 'kysely_migration',
    migrationLockTableName: 'kysely_migration_lock',
  },
  migrations: (engine) => ({
    '0001-catalogue-schema': { up: (db) => createCatalogue(db, engine) },
    '0002-confidence': { up: addConfidence },
    '0003-origins': { up: (db) => addToPrintings(db, ['origins text']) },
    '0004-agreement': { up: addAgreement },
    '0005-products': { up: addProducts },
    '0006-copies': { up: addCopies },
    '0007-languages': { up: (db) => addCardNames(db, engine) },
    '0008-money': { up: addExchangeRates },
    '0009-native': { up: (db) => addToPrintings(db, ['native text']) },
    '0010-trade': { up: addTrade },
    '0011-contents': { up: (db) => addToPublished(db, 'cards', ['contents text']) },
    '0012-history-since': { up: addHistorySince },
    '0013-facts': { up: (db) => addCardFacts(db, engine) },
    '0014-source-sets': { up: addSourceSets },
    '0015-changes': { up: (db) => addChanges(db, engine) },
    '0017-changes-by-game': { up: (db) => orderChangesByGame(db, engine) },
    '0018-known-at': { up: (db) => addJournal(db, engine) },
  }),
  first: '0001-catalogue-schema',
  beforeFirst: '0018-lock-since',
};

async function createCatalogue(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements = [
    ...contents(engine),
    ...observed(engine),
    ...history(engine),
    ...imports(engine),
    ...ROWS,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await sql`insert into publications (revision, id, predecessor, published_at)
    values (0, ${crypto.randomUUID()}, null, ${Date.now()})`.execute(db);
  for (const [table, key] of Object.entries(SUPERSEDED)) {
    await addSuperseded(db, engine, table, key);
  }
  await sql`create index superseded_card_external_ids_card
    on superseded_card_external_ids (card_id)`.execute(db);
}

/** Adds the table that keeps the overwritten rows of another one, and the trigger that fills it. */
async function addSuperseded(
  db: Kysely<unknown>,
  engine: Engine,
  table: string,
  key: readonly string[],
): Promise<void> {
  await sql`create table ${sql.table(`superseded_${table}`)} as
    select * from ${sql.table(table)} where 1 = 0`.execute(db);
  await sql
    .raw(`create unique index superseded_${table}_key on superseded_${table} (${key.join(', ')})`)
    .execute(db);
  await engine.keepSuperseded(db, table, key);
}

async function addCardNames(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await sql
    .raw(`create table card_names (card_id integer not null references cards (id),
      language text not null, name text not null, revision integer not null,
      constraint card_names_pk primary key (card_id, language)) ${engine.ddl.clustered}`)
    .execute(db);
  await addSuperseded(db, engine, 'card_names', ['card_id', 'language']);
}

async function addCardFacts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await sql
    .raw(`create table card_facts (card_id integer primary key references cards (id),
      facts text not null, words text not null, numbers text not null, artist text,
      revision integer not null)`)
    .execute(db);
  await addSuperseded(db, engine, 'card_facts', ['card_id']);
}

async function addSourceSets(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table source_sets (source text not null, external_id text not null,
      facts text not null, constraint source_sets_pk primary key (source, external_id))`)
    .execute(db);
}

async function addChanges(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await sql
    .raw(`create table changes (revision integer not null, previous integer not null,
      card_id integer not null, printing_id integer not null, name text,
      market integer, low integer, mid integer, high integer, conditions text, graded text,
      constraint changes_pk primary key (revision, previous, card_id, printing_id))
      ${engine.ddl.clustered}`)
    .execute(db);
  await sql
    .raw('create index changes_printing on changes (card_id, printing_id, revision)')
    .execute(db);
  await sql.raw('alter table publications add column has_changes integer').execute(db);
}

/**
 * Puts the game into the key of changes, so the changes of one game are read without the others.
 */
async function orderChangesByGame(db: Kysely<unknown>, { ddl }: Engine): Promise<void> {
  const columns = `revision, previous, card_id, printing_id, name,
    market, low, mid, high, conditions, graded`;
  for (const statement of [
    `create table kept_changes as select ${columns} from changes`,
    'drop table changes',
    `create table changes (revision integer not null, game text not null,
      previous integer not null, card_id integer not null, printing_id integer not null, name text,
      market integer, low integer, mid integer, high integer, conditions text, graded text,
      constraint changes_pk primary key (revision, game, previous, card_id, printing_id))
      ${ddl.clustered}`,
    'create index changes_printing on changes (card_id, printing_id, revision)',
    `create table changed_games (revision integer not null, game text not null,
      constraint changed_games_pk primary key (revision, game)) ${ddl.clustered}`,
    `insert into changes (game, ${columns})
      select s.game, ${columns.replaceAll(/\w+/g, 'k.$&')} from kept_changes k
      join cards c on c.id = k.card_id join sets s on s.id = c.set_id`,
    'insert into changed_games (revision, game) select distinct revision, game from changes',
    'drop table kept_changes',
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/**
 * Adds the journal of the history: the publication that recorded each day, and the publication that
 * replaced it. The key of corrections gains the publication.
 */
async function addJournal(db: Kysely<unknown>, { ddl }: Engine): Promise<void> {
  const statements = [
    `create table history_recordings (day integer not null, source_id integer not null,
      revision integer not null,
      constraint history_recordings_pk primary key (day, source_id)) ${ddl.clustered}`,
    `create table history_late (printing_id integer not null, last_day integer not null,
      revision integer not null, first_day integer not null,
      constraint history_late_pk primary key (printing_id, last_day, revision)) ${ddl.clustered}`,
    `create table newest_days (game text not null, revision integer not null, day integer,
      constraint newest_days_pk primary key (game, revision)) ${ddl.clustered}`,
    'alter table publications add column has_journal integer',
    'alter table catalog_state add column dated_from integer not null default 0',
    `create table dated_corrections (printing_id integer not null, day integer not null,
      revision integer not null default 0, replaced_at ${ddl.bigint} not null, market integer,
      low integer, mid integer, high integer, source_id integer,
      withdrawn integer not null default 0, constraint dated_corrections_pk primary key (printing_id, day, revision, replaced_at)) ${ddl.clustered}`,
    `insert into dated_corrections select printing_id, day, 0, replaced_at, market, low, mid, high,
      source_id, 0 from history_corrections`,
    'drop table history_corrections',
    'alter table dated_corrections rename to history_corrections',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

function addToPrintings(db: Kysely<unknown>, columns: readonly string[]): Promise<void> {
  return addToPublished(db, 'printings', columns);
}

/** The trigger copies rows unchanged, so both tables need the same order of columns. */
async function addToPublished(
  db: Kysely<unknown>,
  table: keyof typeof SUPERSEDED,
  columns: readonly string[],
): Promise<void> {
  for (const name of [`superseded_${table}`, table]) {
    for (const column of columns) {
      await sql.raw(`alter table ${name} add column ${column}`).execute(db);
    }
  }
}

function addProducts(db: Kysely<unknown>): Promise<void> {
  return addToPublished(db, 'cards', ['product_type text', 'upc text']);
}

function addConfidence(db: Kysely<unknown>): Promise<void> {
  const interval = ['interval_low integer', 'interval_high integer'];
  return addToPrintings(db, ['confidence integer', ...interval, 'dispute text']);
}

async function addAgreement(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table observations add column agreed_on integer').execute(db);
}

/** Adds the histories of conditions and grades, and renames the grades of no company. */
async function addCopies(db: Kysely<unknown>): Promise<void> {
  const table = `create table history_series (id integer primary key, printing_id integer not null,
    name text not null, constraint history_series_name unique (printing_id, name))`;
  await sql.raw(table).execute(db);
  for (const [table, column] of [
    ['observations', 'graded'],
    ['quarantine', 'observation'],
  ] as const) {
    const renamed = `replace(replace(replace(${column}, '"grade_', '"any_'),
      '"cgc-pristine_10"', '"cgc_10_pristine"'), '"bgs-black_10"', '"bgs_10_black_label"')`;
    const isConcerned = `${column} like '%"grade_%' or ${column} like '%-pristine_10"%'
      or ${column} like '%-black_10"%'`;
    await sql.raw(`update ${table} set ${column} = ${renamed} where ${isConcerned}`).execute(db);
  }
}

async function addTrade(db: Kysely<unknown>): Promise<void> {
  await addToPrintings(db, ['trade text']);
  await sql.raw('alter table observations add column trade text').execute(db);
}

async function addExchangeRates(db: Kysely<unknown>): Promise<void> {
  const table = `create table exchange_rates (currency text not null, day integer not null,
    dollars text not null, revision integer not null,
    constraint exchange_rates_pk primary key (currency, day))`;
  await sql.raw(table).execute(db);
}

async function addHistorySince(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table catalog_state add column history_since integer').execute(db);
  await findHistorySince(db as Kysely<Database>);
}

/** The tables whose overwritten rows are kept until the next publication, with their keys. */
const SUPERSEDED = {
  sets: ['id'],
  cards: ['id'],
  card_external_ids: ['id_space', 'external_id'],
  printings: ['id'],
};

/** The tables of published contents: sets, cards and printings. */
function contents({ ddl: { bigint } }: Engine): string[] {
  return [
    `create table sets (id integer primary key, game text not null, code text not null,
      name text not null, release_date text, revision integer not null, public_set_id text)`,
    'create unique index sets_public_set_id on sets (public_set_id)',
    `create table set_external_ids (id_space text not null, external_id text not null,
      set_id integer not null references sets (id),
      constraint set_external_ids_pk primary key (id_space, external_id))`,
    `create table cards (id integer primary key, public_id text not null unique,
      set_id integer not null references sets (id), name text not null, number text, rarity text,
      image text, revision integer not null)`,
    'create index cards_set on cards (set_id)',
    `create table card_external_ids (id_space text not null, external_id text not null,
      card_id integer not null references cards (id), revision integer not null default 0,
      constraint card_external_ids_pk primary key (id_space, external_id))`,
    'create index card_external_ids_card on card_external_ids (card_id)',
    `create table printings (id integer primary key,
      card_id integer not null references cards (id), name text not null,
      market integer, low integer, mid integer, high integer, conditions text, graded text,
      sources text not null, revision integer not null, figures_at ${bigint},
      conditions_at ${bigint}, graded_at ${bigint}, marketplace text,
      base_1d integer, base_7d integer, base_30d integer, change_doubts text,
      constraint printings_card_name unique (card_id, name))`,
    `create table catalog_state (id integer primary key, revision integer not null,
      writing integer not null, rates text)`,
    `create table publications (revision integer primary key, id text not null unique,
      predecessor text, published_at ${bigint} not null)`,
  ];
}

/** The tables of sources' reports, and of the data that validation rules quarantine. */
function observed({ ddl: { bigint, rowId, clustered, rewritable } }: Engine): string[] {
  return [
    `create table observations (printing_id integer not null, source text not null,
      marketplace text not null, currency text not null,
      market integer, low integer, mid integer, high integer, conditions text, graded text,
      observed_at ${bigint} not null, fetched_at ${bigint}, external_id text,
      constraint observations_pk primary key (printing_id, source, marketplace))
      ${clustered} ${rewritable}`,
    `create table marketplace_changes (id ${rowId}, printing_id integer not null,
      from_marketplace text not null, to_marketplace text not null, day integer not null,
      changed_at ${bigint} not null)`,
    'create index marketplace_changes_changed on marketplace_changes (changed_at)',
    `create table quarantine (id ${rowId}, source text not null, marketplace text, game text,
      set_id integer, card_id integer, printing_id integer, printing text, rule text not null,
      detail text not null, observation text, external_id text, observed_at ${bigint},
      quarantined_at ${bigint} not null, decided_at ${bigint}, decision text)`,
    'create index quarantine_card on quarantine (card_id, source)',
    'create index quarantine_source on quarantine (source, rule)',
    `create table approvals (id ${rowId}, decided_at ${bigint} not null, set_id integer,
      rule text not null, undo text not null)`,
    'create index approvals_decided on approvals (decided_at)',
  ];
}

function history({ ddl: { bigint, blob, rowId, clustered, rewritable } }: Engine): string[] {
  return [
    `create table history (id ${bigint} primary key, block ${blob} not null)`,
    `create table history_recent (printing_id integer primary key, first_day integer not null,
      last_day integer not null, block ${blob} not null) ${rewritable}`,
    `create table history_corrections (printing_id integer not null, day integer not null,
      replaced_at ${bigint} not null, market integer, low integer, mid integer, high integer,
      source_id integer,
      constraint history_corrections_pk primary key (printing_id, day, replaced_at)) ${clustered}`,
    `create table history_sources (id ${rowId}, source text not null, marketplace text not null,
      repeated integer not null,
      constraint history_sources_unique unique (source, marketplace, repeated))`,
  ];
}

/** The tables that record imports and syncs. */
function imports({ ddl: { bigint } }: Engine): string[] {
  return [
    `create table imports (id integer primary key, source text not null,
      started_at ${bigint} not null, finished_at ${bigint}, observed_at ${bigint}, summary text)`,
    `create table source_files (source text not null, path text not null, digest text not null,
      etag text, observed_at ${bigint} not null,
      constraint source_files_pk primary key (source, path))`,
    `create table import_lock (id integer primary key, holder text,
      expires_at ${bigint} not null, taken_at ${bigint})`,
    `create table source_checks (source text primary key, asked_at ${bigint} not null,
      succeeded_at ${bigint}, answered_at ${bigint}, failed_at ${bigint}, error text,
      retry_at ${bigint}, requests integer not null, requests_day integer not null, version text)`,
    `create table source_figures (source text not null, game text not null,
      priced integer not null, cards integer not null, observed_at ${bigint} not null,
      constraint source_figures_pk primary key (source, game))`,
    `create table failed_parts (source text not null, part text not null, game text,
      first_failed_at ${bigint} not null, last_failed_at ${bigint} not null, bad_rows integer,
      examples text not null, constraint failed_parts_pk primary key (source, part))`,
  ];
}

/** The rows of single-row tables and locks, which are only updated. */
const ROWS = [
  'insert into catalog_state (id, revision, writing) values (1, 0, 0)',
  'insert into import_lock (id, holder, expires_at) values (1, null, 0), (2, null, 0)',
];
