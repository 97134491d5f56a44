import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { DEFAULT_PLANS } from '../../domain/plans.ts';
import type { Engine } from '../engine/engine.ts';
import type { Schema } from '../engine/migrator.ts';
import { usageTableStatements } from './usage-tables.ts';

/**
 * The migrations of accounts, oldest first. Never change a released migration, because databases
 * have run it; append a new one. `schema.ts` has the row types, `usage-tables.ts` the tables that
 * requests write to.
 */
export const ACCOUNT_SCHEMA: Schema = {
  records: {
    migrationTableName: 'kysely_account_migration',
    migrationLockTableName: 'kysely_account_migration_lock',
  },
  migrations: (engine) => ({
    '0001-account-schema': { up: (db) => createAccounts(db, engine) },
    '0002-replays': { up: (db) => createReplays(db, engine) },
    '0003-card-views': { up: (db) => addUsageTables(db, engine) },
    '0004-how-to-get-plans': { up: addHowToGet },
    '0005-webhooks': { up: (db) => createWebhooks(db, engine) },
    '0006-alerts': { up: (db) => createAlerts(db, engine) },
    '0007-alert-mails': { up: (db) => addAlertMails(db, engine) },
    '0008-outbox-log': { up: addOutboxLog },
  }),
  first: '0001-account-schema',
  beforeFirst: '0010-requests',
};

async function createAccounts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements = [
    ...accounts(engine),
    ...audit(engine),
    ...secondFactors(engine),
    ...plansAndBilling(engine),
    ...(engine.hasAttachedFile ? [] : usageTableStatements()),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const { name, label, dailyRequests, price, historyDays, features } of DEFAULT_PLANS) {
    await sql`insert into plans (name, label, daily_requests, price, history_days, features)
      values (${name}, ${label}, ${dailyRequests}, ${price}, ${historyDays},
        ${JSON.stringify(features)})`.execute(db);
  }
}

function accounts({ ddl: { bigint, rowId } }: Engine): string[] {
  return [
    `create table accounts (id ${rowId}, email text not null unique, plan text not null,
      created_at ${bigint} not null, disabled_at ${bigint}, password_hash text,
      operator integer not null default 0, credential_version integer not null default 0,
      verified_at ${bigint}, limits text)`,
    'create index accounts_unverified on accounts (created_at) where verified_at is null',
    `create table api_keys (id ${rowId}, account_id integer not null references accounts (id),
      hash text not null unique, hint text not null, name text not null,
      created_at ${bigint} not null, expires_at ${bigint}, revoked_at ${bigint},
      restrictions text)`,
    'create index api_keys_account on api_keys (account_id)',
    `create table password_resets (token_hash text primary key,
      account_id integer not null references accounts (id), expires_at ${bigint} not null)`,
    'create index password_resets_account on password_resets (account_id)',
    `create table devices (token_hash text primary key,
      account_id integer not null references accounts (id), last_used_at ${bigint} not null)`,
    'create index devices_account on devices (account_id)',
    'create table start_settings (name text primary key, value text not null)',
  ];
}

function audit({ ddl: { bigint, rowId } }: Engine): string[] {
  return [
    `create table audit (id ${rowId}, at ${bigint} not null, action text not null,
      actor text not null, actor_email text, address text, request_id text, subject text,
      detail text)`,
    ...['at', 'subject', 'actor_email'].map((column) => {
      return `create index audit_${column} on audit (${column})`;
    }),
  ];
}

function secondFactors({ ddl: { bigint, rowId } }: Engine): string[] {
  return [
    `create table totp (account_id integer primary key references accounts (id),
      secret text not null, created_at ${bigint} not null, confirmed_at ${bigint},
      last_step integer not null)`,
    `create table passkeys (id ${rowId}, account_id integer not null references accounts (id),
      credential_id text not null unique, public_key text not null, counter ${bigint} not null,
      transports text not null, name text not null, created_at ${bigint} not null,
      last_used_at ${bigint})`,
    'create index passkeys_account on passkeys (account_id)',
    `create table recovery_codes (code_hash text primary key,
      account_id integer not null references accounts (id), used_at ${bigint})`,
    'create index recovery_codes_account on recovery_codes (account_id)',
    `create table challenges (token_hash text primary key, purpose text not null,
      account_id integer, credential_version integer not null, expires_at ${bigint} not null)`,
    'create index challenges_end on challenges (expires_at)',
  ];
}

function plansAndBilling({ ddl: { bigint } }: Engine): string[] {
  return [
    `create table plans (name text primary key, label text not null,
      daily_requests integer not null, price integer not null, burst_requests integer,
      burst_seconds integer, history_days integer, features text not null)`,
    'create table plan_version (id integer primary key, version integer not null)',
    'insert into plan_version (id, version) values (1, 1)',
    `create table billing_events (id text primary key, type text not null, account_id integer,
      payload text not null, created_at ${bigint} not null, next_at ${bigint},
      attempts integer not null, delivered_at ${bigint}, failed_at ${bigint}, error text)`,
    ...['next_at', 'created_at', 'account_id'].map((column) => {
      return `create index billing_events_${column} on billing_events (${column})`;
    }),
    'create table billing_state (id integer primary key, enabled integer not null)',
    'insert into billing_state (id, enabled) values (1, 0)',
  ];
}

/** Creates the usage tables that the database lacks. On SQLite, opening their file does that. */
async function addUsageTables(db: Kysely<unknown>, { hasAttachedFile }: Engine): Promise<void> {
  if (hasAttachedFile) return;
  for (const statement of usageTableStatements()) await sql.raw(statement).execute(db);
}

async function addHowToGet(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plans add column how_to_get text not null default ''`.execute(db);
}

async function createReplays(db: Kysely<unknown>, { ddl: { bigint } }: Engine): Promise<void> {
  await sql`create table replays (id text primary key,
    account_id integer not null references accounts (id), answer text not null,
    expires_at ${sql.raw(bigint)} not null)`.execute(db);
  for (const column of ['expires_at', 'account_id']) {
    await sql.raw(`create index replays_${column} on replays (${column})`).execute(db);
  }
}

/**
 * Creates the webhooks of accounts, and the outbox of every webhook. Waiting events for billing
 * move from `billing_events`, which stays for the processes of the release before.
 */
async function createWebhooks(db: Kysely<unknown>, { ddl: { bigint, rowId } }: Engine) {
  const statements = [
    `create table webhooks (id ${rowId}, account_id integer not null references accounts (id),
      url text not null, events text not null, secret text not null, previous_secret text,
      previous_until ${bigint}, created_at ${bigint} not null, disabled_at ${bigint},
      disabled_reason text)`,
    'create index webhooks_account on webhooks (account_id)',
    `create table outbox (id text primary key, webhook_id integer not null, type text not null,
      account_id integer, payload text not null, created_at ${bigint} not null,
      retry_until ${bigint} not null, next_at ${bigint}, attempts integer not null,
      delivered_at ${bigint}, failed_at ${bigint}, error text)`,
    'create index outbox_next on outbox (next_at, webhook_id)',
    'create index outbox_webhook on outbox (webhook_id, created_at)',
    'create index outbox_account on outbox (account_id)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * Creates alerts on prices. An alert on a whole set gets a line for each price once it was judged.
 * Alerts are found by card and by set, so the work for a publication is proportional to its
 * changes.
 */
async function createAlerts(db: Kysely<unknown>, { ddl: { bigint, rowId } }: Engine) {
  const statements = [
    `create table alerts (id ${rowId}, account_id integer not null references accounts (id),
      name text not null, kind text not null, amount integer, percent integer, days integer,
      set_id text, mail text not null, created_at ${bigint} not null, since integer not null,
      paused_at ${bigint})`,
    'create index alerts_account on alerts (account_id)',
    'create index alerts_set on alerts (set_id) where set_id is not null',
    `create table alert_lines (alert_id integer not null references alerts (id),
      account_id integer not null, card text not null, printing text not null, copy text not null,
      state text, held integer not null default 0,
      primary key (card, alert_id, printing, copy))`,
    'create index alert_lines_alert on alert_lines (alert_id)',
    'create index alert_lines_account on alert_lines (account_id)',
    'create index alert_lines_held on alert_lines (held) where held = 1',
    `create table alert_events (id text primary key, alert_id integer not null,
      account_id integer not null, at ${bigint} not null, published_at ${bigint} not null,
      publication integer not null, publication_id text not null, card text not null,
      printing text not null, copy text not null, before integer, after integer not null)`,
    'create index alert_events_alert on alert_events (alert_id, at)',
    'create index alert_events_account on alert_events (account_id, at)',
    'create index alert_events_at on alert_events (at)',
    `create table alert_progress (id integer primary key, revision integer not null,
      publication_id text not null, place text)`,
    'alter table plans add column alerts integer not null default 100',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const { name, alerts } of DEFAULT_PLANS) {
    await sql`update plans set alerts = ${alerts} where name = ${name}`.execute(db);
  }
}

/** Adds the moment for mailing an event of an alert, and the key that signs unsubscribe links. */
async function addAlertMails(db: Kysely<unknown>, { ddl: { bigint } }: Engine): Promise<void> {
  const statements = [
    `alter table alert_events add column mail_at ${bigint}`,
    'create index alert_events_mail on alert_events (mail_at, account_id) where mail_at is not null',
    'create table mail_key (id integer primary key, secret text not null)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  const secret = randomBytes(32).toString('base64url');
  await sql`insert into mail_key (id, secret) values (1, ${secret})`.execute(db);
}

/**
 * Adds the log of attempts, and an index that finds waiting events by webhook, however many others
 * wait.
 */
async function addOutboxLog(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column log text`.execute(db);
  await sql`create index outbox_waiting on outbox (webhook_id, next_at, id)
    where next_at is not null`.execute(db);
  await sql`drop index outbox_next`.execute(db);
}
