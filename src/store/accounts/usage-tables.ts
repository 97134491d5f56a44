/**
 * The columns of the tables that requests write to. None has a foreign key, because on SQLite they
 * are in a file of their own (docs/adr/0025).
 */
const TABLES = {
  usage: `account_id integer not null, day integer not null, used integer not null,
    primary key (account_id, day)`,
  page_usage: `account_id integer not null, day integer not null, used integer not null,
    primary key (account_id, day)`,
  visitor_usage: `network integer not null, day integer not null, used integer not null,
    primary key (network, day)`,
  sessions: `token_hash text primary key, account_id integer not null,
    created_at bigint not null, expires_at bigint not null`,
  attempts: `subject text primary key, failures integer not null, last_at bigint not null`,
  request_counts: `account_id integer not null, day integer not null, endpoint text not null,
    status_class integer not null, count integer not null,
    primary key (account_id, day, endpoint, status_class)`,
  key_uses: `key_id integer primary key, at bigint not null, address text not null`,
  key_usage: `key_id integer not null, day integer not null, used integer not null,
    primary key (key_id, day)`,
  key_counts: `key_id integer not null, day integer not null, endpoint text not null,
    code text not null, count integer not null,
    primary key (key_id, day, endpoint, code)`,
  recent_requests: `account_id integer not null, at bigint not null, request_id text not null,
    key_id integer not null, endpoint text not null, status integer not null, code text,
    ms double precision not null,
    primary key (account_id, at, request_id)`,
};

/** The names of these tables. */
export const USAGE_TABLES: readonly string[] = Object.keys(TABLES);

/** Columns that came later, by table. Each allows null or has a default. */
const LATER_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sessions: {
    credential_version: 'integer not null default 0',
    last_used_at: 'bigint not null default 0',
    authenticated_at: 'bigint not null default 0',
    address: "text not null default ''",
    user_agent: "text not null default ''",
  },
};

/** What later columns hold in rows from before them, where the default is not right. */
const LATER_VALUES = ['sessions set last_used_at = created_at where last_used_at = 0'];

const INDEXES = {
  usage_day: 'usage (day)',
  key_counts_day: 'key_counts (day)',
  sessions_account: 'sessions (account_id)',
  sessions_end: 'sessions (expires_at)',
  attempts_age: 'attempts (last_at)',
};

/**
 * Returns the statements that create these tables and their indexes where they are missing. Both
 * engines take them, as SQLite reads `bigint` as an integer.
 *
 * @param schema The prefix of every name, with its dot.
 * @param ending What follows the columns of every table.
 */
export function usageTableStatements(schema = '', ending = ''): string[] {
  const tables = Object.entries(TABLES).map(([name, columns]) => {
    return `create table if not exists ${schema}${name} (${columns}) ${ending}`;
  });
  const indexes = Object.entries(INDEXES).map(([name, columns]) => {
    return `create index if not exists ${schema}${name} on ${columns}`;
  });
  return [...tables, ...indexes];
}

/** A column that a table of an older version lacks. */
export interface LaterColumn {
  readonly table: string;
  readonly name: string;
  /** Its type and default. */
  readonly definition: string;
}

/** The columns that tables of older versions may lack. */
export function laterColumns(): LaterColumn[] {
  return Object.entries(LATER_COLUMNS).flatMap(([table, columns]) => {
    return Object.entries(columns).map(([name, definition]) => ({ table, name, definition }));
  });
}

/** The statements that fill later columns, once they are there. */
export function laterValues(schema = ''): string[] {
  return LATER_VALUES.map((change) => `update ${schema}${change}`);
}
