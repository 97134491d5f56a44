import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from './engine.ts';

/**
 * How the schema came to be, oldest first. Append only: a migration that has been released is
 * never edited, because databases out there have already run it.
 */
export function migrations(engine: Engine): Record<string, Migration> {
  const { blob, bigint } = engine.types;
  return {
    '0001-catalogue': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('sets')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('game', 'text', (column) => column.notNull())
          .addColumn('code', 'text', (column) => column.notNull())
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('release_date', 'text')
          .addColumn('revision', 'integer', (column) => column.notNull())
          .execute();
        await db.schema
          .createTable('set_keys')
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('key', 'text', (column) => column.notNull())
          .addColumn('set_id', 'integer', (column) => column.notNull().references('sets.id'))
          .addPrimaryKeyConstraint('set_keys_pk', ['source', 'key'])
          .execute();
        await db.schema
          .createTable('cards')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('public_id', 'text', (column) => column.notNull().unique())
          .addColumn('set_id', 'integer', (column) => column.notNull().references('sets.id'))
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('number', 'text')
          .addColumn('rarity', 'text')
          .addColumn('image', 'text')
          .addColumn('revision', 'integer', (column) => column.notNull())
          .execute();
        await db.schema
          .createTable('card_keys')
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('key', 'text', (column) => column.notNull())
          .addColumn('card_id', 'integer', (column) => column.notNull().references('cards.id'))
          .addPrimaryKeyConstraint('card_keys_pk', ['source', 'key'])
          .execute();
        await db.schema.createIndex('card_keys_card').on('card_keys').column('card_id').execute();
        await db.schema
          .createTable('printings')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('card_id', 'integer', (column) => column.notNull().references('cards.id'))
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('market', 'integer')
          .addColumn('low', 'integer')
          .addColumn('mid', 'integer')
          .addColumn('high', 'integer')
          .addColumn('conditions', 'text')
          .addColumn('graded', 'text')
          .addColumn('sources', 'text', (column) => column.notNull())
          .addColumn('observed_at', bigint)
          .addColumn('revision', 'integer', (column) => column.notNull())
          .addUniqueConstraint('printings_card_name', ['card_id', 'name'])
          .execute();
        await db.schema
          .createTable('catalog_state')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('revision', 'integer', (column) => column.notNull())
          .addColumn('writing', 'integer', (column) => column.notNull())
          .execute();
        await sql`insert into catalog_state (id, revision, writing) values (1, 0, 0)`.execute(db);
      },
    },
    '0002-imports': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('imports')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('started_at', bigint, (column) => column.notNull())
          .addColumn('finished_at', bigint)
          .addColumn('observed_at', bigint)
          .addColumn('summary', 'text')
          .execute();
        await db.schema
          .createTable('source_files')
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('path', 'text', (column) => column.notNull())
          .addColumn('digest', 'text', (column) => column.notNull())
          .addColumn('etag', 'text')
          .addColumn('observed_at', bigint, (column) => column.notNull())
          .addPrimaryKeyConstraint('source_files_pk', ['source', 'path'])
          .execute();
        await db.schema
          .createTable('import_lock')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('holder', 'text')
          .addColumn('expires_at', bigint, (column) => column.notNull())
          .execute();
        await sql`insert into import_lock (id, holder, expires_at) values (1, null, 0)`.execute(db);
      },
    },
    '0003-history': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('history')
          .addColumn('id', bigint, (column) => column.primaryKey())
          .addColumn('block', blob, (column) => column.notNull())
          .execute();
        const recent = db.schema
          .createTable('history_recent')
          .addColumn('printing_id', 'integer', (column) => column.primaryKey())
          .addColumn('first_day', 'integer', (column) => column.notNull())
          .addColumn('last_day', 'integer', (column) => column.notNull())
          .addColumn('block', blob, (column) => column.notNull());
        await engine.rewritable(recent).execute();
        const corrections = db.schema
          .createTable('history_corrections')
          .addColumn('printing_id', 'integer', (column) => column.notNull())
          .addColumn('day', 'integer', (column) => column.notNull())
          .addColumn('replaced_at', bigint, (column) => column.notNull())
          .addColumn('market', 'integer')
          .addColumn('low', 'integer')
          .addColumn('mid', 'integer')
          .addColumn('high', 'integer')
          .addPrimaryKeyConstraint('history_corrections_pk', ['printing_id', 'day', 'replaced_at']);
        await engine.clustered(corrections).execute();
      },
    },
    '0004-accounts': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('accounts')
          .addColumn('id', 'integer', engine.autoIncrement)
          .addColumn('email', 'text', (column) => column.notNull().unique())
          .addColumn('plan', 'text', (column) => column.notNull())
          .addColumn('created_at', bigint, (column) => column.notNull())
          .addColumn('disabled_at', bigint)
          .execute();
        await db.schema
          .createTable('api_keys')
          .addColumn('id', 'integer', engine.autoIncrement)
          .addColumn('account_id', 'integer', (column) =>
            column.notNull().references('accounts.id'),
          )
          .addColumn('hash', 'text', (column) => column.notNull().unique())
          .addColumn('hint', 'text', (column) => column.notNull())
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('created_at', bigint, (column) => column.notNull())
          .addColumn('expires_at', bigint)
          .addColumn('revoked_at', bigint)
          .execute();
        await db.schema
          .createIndex('api_keys_account')
          .on('api_keys')
          .column('account_id')
          .execute();
        const usage = db.schema
          .createTable('usage')
          .addColumn('account_id', 'integer', (column) =>
            column.notNull().references('accounts.id'),
          )
          .addColumn('day', 'integer', (column) => column.notNull())
          .addColumn('used', 'integer', (column) => column.notNull())
          .addPrimaryKeyConstraint('usage_pk', ['account_id', 'day']);
        await engine.clustered(usage).execute();
      },
    },
  };
}
