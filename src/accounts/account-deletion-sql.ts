import type { Kysely } from 'kysely';
import type { AccountDatabase } from '../store/accounts/schema.ts';
import { USAGE_TABLES } from '../store/accounts/usage-tables.ts';
import type { Opened } from '../store/engine/engine.ts';
import { forgetInAudit } from './audit/audit-sql.ts';

/** How the rows of a table belong to an account: the column that names it, or null for none. */
const BELONGINGS = {
  password_resets: 'account_id',
  devices: 'account_id',
  totp: 'account_id',
  passkeys: 'account_id',
  recovery_codes: 'account_id',
  challenges: 'account_id',
  replays: 'account_id',
  usage: 'account_id',
  page_usage: 'account_id',
  sessions: 'account_id',
  request_counts: 'account_id',
  attempts: 'subject',
  key_uses: 'key_id',
  key_usage: 'key_id',
  key_counts: 'key_id',
  recent_requests: 'account_id',
  api_keys: 'account_id',
  webhooks: 'account_id',
  alert_lines: 'account_id',
  alert_events: 'account_id',
  alerts: 'account_id',
  accounts: 'id',
  // The address is taken out of its rows.
  audit: null,
  start_settings: null,
  plans: null,
  billing_events: 'account_id',
  outbox: 'account_id',
  billing_state: null,
  alert_progress: null,
  mail_key: null,
  visitor_usage: null,
  card_views: null,
  plan_version: null,
} as const satisfies Record<keyof AccountDatabase, string | null>;

type OwnedTable = {
  [Table in keyof typeof BELONGINGS]: (typeof BELONGINGS)[Table] extends null ? never : Table;
}[keyof typeof BELONGINGS];

/** The account to delete, and the subjects under which attempts at it are counted. */
export interface DoomedAccount {
  readonly id: number;
  readonly email: string;
  readonly attempts: readonly string[];
}

/** The outcome of a deletion. */
export interface Deletion {
  /** The row id of the account. The audit log keeps referring to the account by this id. */
  readonly id: number;
  /** Deleted rows, by table. */
  readonly rows: Readonly<Record<OwnedTable, number>>;
  /** Entries of the audit log that had its address and are kept without it. */
  readonly auditEntries: number;
  /** Whether the bytes are erased as well. If not, the next checkpoint of the files erases them. */
  readonly isErased: boolean;
}

/**
 * Deletes an account and everything that belongs to it. On SQLite, the tables of the usage file are
 * outside the transaction. If the process is killed before it deletes their rows, rows without an
 * account remain. They identify nobody, because ids are never reused. `recordFirst` records the
 * deletion, in its transaction.
 */
export async function deleteAccount(
  { db, engine }: Opened<AccountDatabase>,
  account: DoomedAccount,
  recordFirst: (transaction: Kysely<AccountDatabase>) => Promise<void> = async () => {},
): Promise<Deletion> {
  const keys = await db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', account.id)
    .execute();
  const values = {
    id: [account.id],
    account_id: [account.id],
    key_id: keys.map(({ id }) => id),
    subject: [...account.attempts],
  };
  const rows: [OwnedTable, number][] = [];
  const auditEntries = await db.transaction().execute(async (transaction) => {
    await recordFirst(transaction);
    for (const table of tablesIn('accounts')) {
      rows.push([table, await deleteOf(transaction, table, values[BELONGINGS[table]])]);
    }
    return forgetInAudit(transaction, account);
  });
  for (const table of tablesIn('usage')) {
    rows.push([table, await deleteOf(db, table, values[BELONGINGS[table]])]);
  }
  const isErased = await engine.eraseDeleted();
  return {
    id: account.id,
    rows: Object.fromEntries(rows) as Deletion['rows'],
    auditEntries,
    isErased,
  };
}

function tablesIn(file: 'accounts' | 'usage'): OwnedTable[] {
  const tables = Object.keys(BELONGINGS) as (keyof typeof BELONGINGS)[];
  const owned = tables.filter((table): table is OwnedTable => BELONGINGS[table] !== null);
  return owned.filter((table) => USAGE_TABLES.includes(table) === (file === 'usage'));
}

async function deleteOf(
  db: Kysely<AccountDatabase>,
  table: OwnedTable,
  values: readonly (number | string)[],
): Promise<number> {
  if (values.length === 0) return 0;
  const { dynamic } = db;
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where(dynamic.ref(BELONGINGS[table]), 'in', values)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
