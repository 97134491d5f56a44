import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type AccountLimits, DEFAULT_PLANS, defaultHistoryDays } from '../../domain/plans.ts';
import type { Engine } from '../engine/engine.ts';

/**
 * Returns all migrations of the tables of accounts, oldest first. Only append to them: a released
 * migration has already run in existing databases. The first ones of them are in `migrations.ts`,
 * from the time when accounts and catalogue shared a file.
 */
export function accountMigrations(engine: Engine): Record<string, Migration> {
  const { bigint } = engine.types;
  return {
    '0001-apart': {
      up: (db: Kysely<unknown>) => engine.moveAccountsToTheirFile(db),
    },
    '0002-security': {
      async up(db: Kysely<unknown>) {
        const accounts = db.schema.alterTable('accounts');
        await accounts
          .addColumn('credential_version', 'integer', (column) => column.notNull().defaultTo(0))
          .execute();
        await accounts.addColumn('verified_at', bigint).execute();
        // Whoever had an account before addresses were verified goes on having it.
        await sql`update accounts set verified_at = created_at`.execute(db);
        await engine.updateUsageTables(db);
        await createAudit(db, engine);
      },
    },
    '0003-sign-in': {
      async up(db: Kysely<unknown>) {
        await createDevices(db, engine);
        await sql`create index accounts_unverified on accounts (created_at)
          where verified_at is null`.execute(db);
      },
    },
    '0004-second-factors': {
      async up(db: Kysely<unknown>) {
        await createSecondFactors(db, engine);
        await createChallenges(db, engine);
      },
    },
    '0005-keys': {
      async up(db: Kysely<unknown>) {
        // Without restrictions, a key goes on doing all that it could do.
        await db.schema.alterTable('api_keys').addColumn('restrictions', 'text').execute();
        await engine.updateUsageTables(db);
        await db.schema
          .createTable('start_settings')
          .addColumn('name', 'text', (column) => column.primaryKey())
          .addColumn('value', 'text', (column) => column.notNull())
          .execute();
      },
    },
    '0006-plans': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('accounts').addColumn('limits', 'text').execute();
        await createPlans(db);
      },
    },
    '0007-billing': {
      async up(db: Kysely<unknown>) {
        await createBilling(db, engine);
        // The index of the days of usage.
        await engine.updateUsageTables(db);
      },
    },
    '0008-shown-history': {
      up: limitShownHistory,
    },
    '0009-visitors': {
      up: (db: Kysely<unknown>) => engine.updateUsageTables(db),
    },
    '0010-requests': {
      up: (db: Kysely<unknown>) => engine.updateUsageTables(db),
    },
  };
}

/**
 * Limits the history of plans without the feature `history`, of which the pages show a part now.
 * Accounts that have the feature although their plan has not go on reading all of it.
 */
async function limitShownHistory(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number; limits: string }>`
    select accounts.id, accounts.limits from accounts
    join plans on plans.name = accounts.plan
    where accounts.limits is not null and plans.history_days is null`.execute(db);
  for (const { id, limits } of rows) {
    const own = JSON.parse(limits) as AccountLimits;
    if (!own.features?.includes('history') || own.historyDays !== undefined) continue;
    const whole = JSON.stringify({ ...own, historyDays: null });
    await sql`update accounts set limits = ${whole} where id = ${id}`.execute(db);
  }
  await sql`update plans set history_days = ${defaultHistoryDays([])}
    where history_days is null and features not like '%"history"%'`.execute(db);
  await sql`update plan_version set version = version + 1`.execute(db);
}

async function createDevices(db: Kysely<unknown>, { types }: Engine): Promise<void> {
  await db.schema
    .createTable('devices')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('last_used_at', types.bigint, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('devices_account').on('devices').column('account_id').execute();
}

async function createAudit(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', engine.autoIncrement)
    .addColumn('at', engine.types.bigint, (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('actor_email', 'text')
    .addColumn('address', 'text')
    .addColumn('request_id', 'text')
    .addColumn('subject', 'text')
    .addColumn('detail', 'text')
    .execute();
  for (const column of ['at', 'subject', 'actor_email'] as const) {
    await db.schema.createIndex(`audit_${column}`).on('audit').column(column).execute();
  }
}

async function createPlans(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('plans')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('daily_requests', 'integer', (column) => column.notNull())
    .addColumn('price', 'integer', (column) => column.notNull())
    .addColumn('burst_requests', 'integer')
    .addColumn('burst_seconds', 'integer')
    .addColumn('history_days', 'integer')
    .addColumn('features', 'text', (column) => column.notNull())
    .execute();
  for (const { name, label, dailyRequests, price, features } of DEFAULT_PLANS) {
    await sql`insert into plans (name, label, daily_requests, price, features)
      values (${name}, ${label}, ${dailyRequests}, ${price}, ${JSON.stringify(features)})`.execute(
      db,
    );
  }
  await db.schema
    .createTable('plan_version')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  await sql`insert into plan_version (id, version) values (1, 1)`.execute(db);
}

async function createBilling(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { bigint } = engine.types;
  await db.schema
    .createTable('billing_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('account_id', 'integer')
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('next_at', bigint)
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('delivered_at', bigint)
    .addColumn('failed_at', bigint)
    .addColumn('error', 'text')
    .execute();
  for (const column of ['next_at', 'created_at', 'account_id'] as const) {
    await db.schema
      .createIndex(`billing_events_${column}`)
      .on('billing_events')
      .column(column)
      .execute();
  }
  await db.schema
    .createTable('billing_state')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .execute();
  await sql`insert into billing_state (id, enabled) values (1, 0)`.execute(db);
}

async function createSecondFactors(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { bigint } = engine.types;
  await db.schema
    .createTable('totp')
    .addColumn('account_id', 'integer', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('confirmed_at', bigint)
    .addColumn('last_step', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'integer', engine.autoIncrement)
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', bigint, (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('last_used_at', bigint)
    .execute();
  await db.schema
    .createTable('recovery_codes')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('used_at', bigint)
    .execute();
  for (const table of ['passkeys', 'recovery_codes'] as const) {
    await db.schema.createIndex(`${table}_account`).on(table).column('account_id').execute();
  }
}

async function createChallenges(db: Kysely<unknown>, { types }: Engine): Promise<void> {
  await db.schema
    .createTable('challenges')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('account_id', 'integer')
    .addColumn('credential_version', 'integer', (column) => column.notNull())
    .addColumn('expires_at', types.bigint, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('challenges_end').on('challenges').column('expires_at').execute();
}
