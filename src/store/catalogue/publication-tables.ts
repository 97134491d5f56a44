import { type Kysely, sql } from 'kysely';
import type { Engine } from '../engine/engine.ts';

/** The migration that names publications, and keeps what a running import overwrites. */

const TABLES = {
  sets: ['id'],
  cards: ['id'],
  card_external_ids: ['id_space', 'external_id'],
  printings: ['id'],
} as const;

export async function namePublications(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createPublications(db, engine);
  await db.schema
    .alterTable('card_external_ids')
    .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  for (const table of ['sets', 'cards', 'printings']) await showUnpublished(db, table);
  for (const [table, key] of Object.entries(TABLES)) {
    await keepSuperseded(db, engine, table, key);
  }
  await db.schema
    .createIndex('superseded_card_external_ids_card')
    .on('superseded_card_external_ids')
    .column('card_id')
    .execute();
}

async function createPublications(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('publications')
    .addColumn('revision', 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('predecessor', 'text')
    .addColumn('published_at', engine.types.bigint, (column) => column.notNull())
    .execute();
  await sql`insert into publications (revision, id, predecessor, published_at)
    select revision, ${crypto.randomUUID()}, null, ${Date.now()} from catalog_state`.execute(db);
}

/** What a killed import of before has overwritten is lost, so that what it wrote is shown. */
async function showUnpublished(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`update ${sql.table(table)} set revision = (select revision from catalog_state)
    where revision > (select revision from catalog_state)`.execute(db);
}

/** Makes a table with the same columns, into which the engine puts rows before an update. */
async function keepSuperseded(
  db: Kysely<unknown>,
  engine: Engine,
  table: string,
  key: readonly string[],
): Promise<void> {
  const superseded = `superseded_${table}`;
  await sql`create table ${sql.table(superseded)} as select * from ${sql.table(table)}
    where 1 = 0`.execute(db);
  await db.schema
    .createIndex(`${superseded}_key`)
    .on(superseded)
    .columns([...key])
    .unique()
    .execute();
  await engine.keepSuperseded(db, table, key);
}
