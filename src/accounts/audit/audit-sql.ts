import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import { parseEmail } from '../../domain/email.ts';
import type { AccountDatabase, AuditRow } from '../../store/accounts/schema.ts';

/** SQL of the audit log. Rows are added and, when they are old, deleted; never changed. */

type Db = Kysely<AccountDatabase>;

/** An account by its e-mail address or row id, the name of something else, or nothing. */
export type AuditName = string | number | null;

/** A row to add. */
export type NewAuditRow = Omit<AuditRow, 'id' | 'actor_email' | 'subject'> & {
  readonly actor_email: AuditName;
  readonly subject: AuditName;
};

/** A row that was added, with the row ids of the accounts that it names. */
export type RecordedAudit = AuditRow & {
  readonly actor_id: number | null;
  readonly subject_id: number | null;
};

/**
 * Adds a row, and returns it. The statement itself looks accounts up: an address that no account has
 * is not stored, as it may be a mistyped password, or belong to somebody who was deleted meanwhile.
 */
export function insertAudit(db: Db, row: NewAuditRow): Promise<RecordedAudit> {
  return db
    .insertInto('audit')
    .values({ ...row, actor_email: named(row.actor_email), subject: named(row.subject) })
    .returningAll()
    .returning([accountId('actor_email').as('actor_id'), accountId('subject').as('subject_id')])
    .executeTakeFirstOrThrow();
}

function accountId(column: 'actor_email' | 'subject'): RawBuilder<number | null> {
  return sql`(select id from accounts where email = ${sql.ref(`audit.${column}`)})`;
}

function named(name: AuditName): RawBuilder<string | null> | string | null {
  if (typeof name === 'number') {
    return sql`coalesce((select email from accounts where id = ${name}),
      cast(${deletedName(name)} as text))`;
  }
  if (name === null || !name.includes('@')) return name;
  return sql`coalesce((select email from accounts where email = ${parseEmail(name) ?? ''}),
    'unknown account')`;
}

/** What the audit log calls an account that was deleted. */
export function deletedName(id: number): string {
  return `deleted account #${id}`;
}

/** Which rows are meant; what is left out restricts nothing. */
export interface AuditFilter {
  /** An e-mail address, or what a deleted account is called: who did it, or whom it was done to. */
  readonly account?: string | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  /** From this moment on. */
  readonly since?: Millis | undefined;
  /** Before this moment. */
  readonly until?: Millis | undefined;
}

/** Returns a page of the rows, the newest first. */
export function listAudit(
  db: Db,
  filter: AuditFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<AuditRow[]> {
  return matching(db.selectFrom('audit'), filter)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Yields all of the rows in pages, the newest first. */
export async function* auditPages(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await matching(db.selectFrom('audit'), filter)
      .selectAll()
      .where(sql<boolean>`id < ${below}`)
      .orderBy('id', 'desc')
      .limit(PAGE)
      .execute();
    yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    below = last.id;
  }
}

const PAGE = 500;

/** Returns how many rows there are. */
export async function countAudit(db: Db, filter: AuditFilter): Promise<number> {
  const { count } = await matching(db.selectFrom('audit'), filter)
    .select((audit) => audit.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function matching<Selected>(
  query: SelectQueryBuilder<AccountDatabase, 'audit', Selected>,
  { account, action, actor, since, until }: AuditFilter,
) {
  return query
    .$if(account !== undefined, (all) =>
      all.where((row) =>
        row.or([row('actor_email', '=', account ?? ''), row('subject', '=', account ?? '')]),
      ),
    )
    .$if(action !== undefined, (all) => all.where('action', '=', action ?? ''))
    .$if(actor !== undefined, (all) => all.where('actor', '=', actor ?? ''))
    .$if(since !== undefined, (all) => all.where('at', '>=', since ?? 0))
    .$if(until !== undefined, (all) => all.where('at', '<', until ?? 0));
}

/** Deletes some of the rows from before a moment, oldest first; returns how many. */
export async function deleteOldAudit(db: Db, before: Millis, atMost: number): Promise<number> {
  const rows = await db
    .deleteFrom('audit')
    .where('id', 'in', (old) =>
      old.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(atMost),
    )
    .returning('id')
    .execute();
  return rows.length;
}

/** Takes the e-mail address of an account out of all rows; returns how many name it from now on. */
export async function forgetInAudit(
  db: Db,
  { id, email }: { readonly id: number; readonly email: string },
): Promise<number> {
  const name = deletedName(id);
  const isNamed = sql<boolean>`actor_email = ${email} or subject = ${email}`;
  await db
    .updateTable('audit')
    .set({ detail: sql`replace(detail, ${email}, ${name})` })
    .where(sql<boolean>`detail like ${`%${email.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`)
    .execute();
  const rows = await db
    .updateTable('audit')
    .set({
      actor_email: sql`case when actor_email = ${email} then ${name} else actor_email end`,
      subject: sql`case when subject = ${email} then ${name} else subject end`,
    })
    .where(isNamed)
    .returning('id')
    .execute();
  return rows.length;
}

/** Returns the settings of the last start that were not the default, as stored, by variable. */
export async function readStartSettings(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('start_settings').selectAll().execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Stores a setting of this start; undefined for its default. */
export async function writeStartSetting(
  db: Db,
  name: string,
  value: string | undefined,
): Promise<void> {
  if (value === undefined) {
    await db.deleteFrom('start_settings').where('name', '=', name).execute();
    return;
  }
  await db
    .insertInto('start_settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
