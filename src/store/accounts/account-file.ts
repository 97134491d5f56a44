/**
 * The tables that were in SQLite's main file until accounts got a file of their own, with the
 * columns that they had then, in an order in which rows can be copied.
 */
export const MOVED_TABLES = ['accounts', 'api_keys', 'password_resets'] as const;

/** Creates these tables, as the migrations of the main file did. */
export const ACCOUNT_TABLE_STATEMENTS = [
  `create table main.accounts (id integer primary key autoincrement, email text not null unique,
    plan text not null, created_at integer not null, disabled_at integer, password_hash text,
    operator integer not null default 0)`,
  `create table main.api_keys (id integer primary key autoincrement,
    account_id integer not null references accounts (id), hash text not null unique,
    hint text not null, name text not null, created_at integer not null, expires_at integer,
    revoked_at integer)`,
  'create index main.api_keys_account on api_keys (account_id)',
  `create table main.password_resets (token_hash text primary key,
    account_id integer not null references accounts (id), expires_at integer not null)`,
  'create index main.password_resets_account on password_resets (account_id)',
];
