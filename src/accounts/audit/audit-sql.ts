import {
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { ActorKind, AuditAction } from '../../domain/audit.ts';
import type { Millis } from '../../domain/day.ts';
import { emailSpellings } from '../../lib/email.ts';
import type { AccountDatabase, AuditRow } from '../../store/accounts/schema.ts';

/** SQL of the audit log. Only a deleted account changes entries: its address is removed. */

type Db = Kysely<AccountDatabase>;

/** An entry of the audit log: an action, who did it, and to what. */
export interface AuditRecord {
  readonly id: number;
  readonly at: Millis;
  readonly action: AuditAction;
  readonly actor: ActorKind;
  /** The e-mail address of the acting account; null for none. */
  readonly actorEmail: string | null;
  /** The network address; null on the command line. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** Its object, such as an e-mail address, key or source; null for none. */
  readonly subject: string | null;
  /** More about it, in words; never a secret. */
  readonly detail: string | null;
}

/** An account by its e-mail address or row id, the name of something else, or nothing. */
export type AuditName = string | number | null;

/** An entry to add. */
export type NewAudit = Omit<AuditRecord, 'id' | 'actorEmail' | 'subject'> & {
  readonly account: AuditName;
  readonly subject: AuditName;
};

/** An added entry, with the row ids of the accounts that it names. */
export interface RecordedAudit extends AuditRecord {
  readonly actorId: number | null;
  readonly subjectId: number | null;
}

/**
 * Adds an entry and returns it. The statement itself looks up accounts, and stores no address that
 * no account has: it may be a mistyped password, or belong to an account deleted in the meantime.
 */
export async function insertAudit(
  db: Db,
  { account, subject, requestId, ...entry }: NewAudit,
): Promise<RecordedAudit> {
  const {
    actor_id: actorId,
    subject_id: subjectId,
    ...row
  } = await db
    .insertInto('audit')
    .values({
      ...entry,
      actor_email: named(account),
      subject: named(subject),
      request_id: requestId,
    })
    .returningAll()
    .returning([accountId('actor_email').as('actor_id'), accountId('subject').as('subject_id')])
    .executeTakeFirstOrThrow();
  return { ...auditRecord(row), actorId, subjectId };
}

function auditRecord({
  actor_email: actorEmail,
  request_id: requestId,
  ...row
}: AuditRow): AuditRecord {
  const { action, actor } = row;
  return {
    ...row,
    action: action as AuditAction,
    actor: actor as ActorKind,
    actorEmail,
    requestId,
  };
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
  const spellings = emailSpellings(name);
  if (spellings.length === 0) return 'unknown account';
  return sql`coalesce((select email from accounts where email in (${sql.join(spellings)})
    order by case when email = ${name.toLowerCase()} then 0 else 1 end limit 1), 'unknown account')`;
}

/** Returns the name of a deleted account in the audit log. */
export function deletedName(id: number): string {
  return `deleted account #${id}`;
}

/** Chooses entries. Omitted parts restrict nothing. */
export interface AuditFilter {
  /** An e-mail address or {@link deletedName} of the actor or of the object. */
  readonly account?: string | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  /** From this moment on. */
  readonly since?: Millis | undefined;
  /** Before this moment. */
  readonly until?: Millis | undefined;
}

/** Returns a page of the entries, newest first. */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<AuditRecord[]> {
  const rows = await matching(db.selectFrom('audit'), filter)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(auditRecord);
}

/** Yields all entries in pages, newest first. */
export async function* auditPages(db: Db, filter: AuditFilter): AsyncGenerator<AuditRecord[]> {
  let below: number | undefined;
  for (;;) {
    const page = await matching(db.selectFrom('audit'), filter)
      .selectAll()
      .$if(below !== undefined, (rows) => rows.where(sql<boolean>`id < ${below}`))
      .orderBy('id', 'desc')
      .limit(PAGE)
      .execute();
    yield page.map(auditRecord);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    below = last.id;
  }
}

const PAGE = 500;

/** Returns the number of entries. */
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
    .$if(account !== undefined, (all) => all.where((row) => names(row, account ?? '')))
    .$if(action !== undefined, (all) => all.where('action', '=', action ?? ''))
    .$if(actor !== undefined, (all) => all.where('actor', '=', actor ?? ''))
    .$if(since !== undefined, (all) => all.where('at', '>=', since ?? 0))
    .$if(until !== undefined, (all) => all.where('at', '<', until ?? 0));
}

/** Whether an entry names an account by one of the spellings of its address, or by another text. */
function names(row: ExpressionBuilder<AccountDatabase, 'audit'>, account: string) {
  const spellings = [account, ...emailSpellings(account)];
  return row.or([row('actor_email', 'in', spellings), row('subject', 'in', spellings)]);
}

/** Deletes entries from before a moment, oldest first, at most `atMost`; returns how many. */
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

/** Replaces an account's e-mail address in all entries; returns the number of changed entries. */
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

/** Returns the non-default settings of the last start, as stored, by variable. */
export async function readStartSettings(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('start_settings').selectAll().execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Stores a setting of this start; undefined if it has its default. */
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
