import type { Kysely } from 'kysely';
import type { AccountDatabase, AuditRow } from './account-schema.ts';

/** SQL of the audit log. Rows are added and, when they are old, deleted; never changed. */

type Db = Kysely<AccountDatabase>;

export async function insertAudit(db: Db, row: Omit<AuditRow, 'id'>): Promise<void> {
  await db.insertInto('audit').values(row).execute();
}
