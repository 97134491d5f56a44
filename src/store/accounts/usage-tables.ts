import {
  type AttachedTable,
  type Attachment,
  attachmentStatements,
} from '../engine/attached-file.ts';

/**
 * The tables that requests write to. On SQLite they are in a separate file (docs/adr/0025), so they
 * have no foreign keys. A column added later must be nullable or have a default, because SQLite
 * adds it when it opens an older file.
 */
const TABLES = {
  usage: {
    columns: 'account_id integer not null, day integer not null, used integer not null',
    key: 'account_id, day',
  },
  page_usage: {
    columns: 'account_id integer not null, day integer not null, used integer not null',
    key: 'account_id, day',
  },
  visitor_usage: {
    columns: 'network integer not null, day integer not null, used integer not null',
    key: 'network, day',
  },
  sessions: {
    columns: `token_hash text not null, account_id integer not null, created_at bigint not null,
      expires_at bigint not null, credential_version integer not null default 0,
      last_used_at bigint not null default 0, authenticated_at bigint not null default 0,
      address text not null default '', user_agent text not null default ''`,
    key: 'token_hash',
  },
  attempts: {
    columns: 'subject text not null, failures integer not null, last_at bigint not null',
    key: 'subject',
  },
  request_counts: {
    columns: `account_id integer not null, day integer not null, endpoint text not null,
      status_class integer not null, count integer not null`,
    key: 'account_id, day, endpoint, status_class',
  },
  key_uses: {
    columns: 'key_id integer not null, at bigint not null, address text not null',
    key: 'key_id',
  },
  key_usage: {
    columns: 'key_id integer not null, day integer not null, used integer not null',
    key: 'key_id, day',
  },
  key_counts: {
    columns: `key_id integer not null, day integer not null, endpoint text not null,
      code text not null, count integer not null`,
    key: 'key_id, day, endpoint, code',
  },
  card_views: {
    columns: 'card text not null, day integer not null, count integer not null',
    key: 'card, day',
  },
  recent_requests: {
    columns: `account_id integer not null, at bigint not null, request_id text not null,
      key_id integer not null, endpoint text not null, status integer not null, code text,
      ms double precision not null`,
    key: 'account_id, at, request_id',
  },
} satisfies Record<string, AttachedTable>;

const INDEXES = {
  usage_day: 'usage (day)',
  key_counts_day: 'key_counts (day)',
  card_views_day: 'card_views (day)',
  sessions_account: 'sessions (account_id)',
  sessions_end: 'sessions (expires_at)',
  attempts_age: 'attempts (last_at)',
};

/** The names of these tables. */
export const USAGE_TABLES: readonly string[] = Object.keys(TABLES);

/** Returns the statements that create these tables in a database without an attached file. */
export function usageTableStatements(): string[] {
  return attachmentStatements({ tables: TABLES, indexes: INDEXES });
}

/** Returns the usage file of a SQLite database. */
export function usageFile(database: string): Attachment {
  return {
    file: `${database}-usage`,
    tables: TABLES,
    indexes: INDEXES,
    onDamage:
      'A new one has begun: the quota of the day starts again, counts of requests are lost, and ' +
      'everybody has to sign in again.',
    onReplaced:
      'The file that is there now is used: quotas, counts of requests and sessions come from it.',
  };
}
