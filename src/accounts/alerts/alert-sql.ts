import type { Kysely, Selectable } from 'kysely';
import { Type } from 'typebox';
import type {
  AlertKind,
  AlertLine,
  AlertMail,
  AlertRule,
  AlertState,
} from '../../domain/alerts.ts';
import type { CopyName } from '../../domain/copy.ts';
import type { Millis } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { AccountDatabase, AlertLineRow, AlertRow } from '../../store/accounts/schema.ts';
import { writeInChunks } from '../../store/engine/paging.ts';

/** SQL of the alerts of accounts. */

type Db = Kysely<AccountDatabase>;

const OptionalCents = Type.Union([Type.Null(), Type.Integer()]);

/** `alert_lines.state`. */
export const ALERT_STATE = jsonColumn<AlertState>(
  'alert_lines.state',
  Type.Object({ price: OptionalCents, armed: Type.Boolean() }),
);

/** An alert as stored in the database. */
export interface AlertRecord extends AlertRule {
  readonly id: number;
  readonly accountId: number;
  /** Empty without a name. */
  readonly name: string;
  /** The public id of the set that it watches; null if it watches lines. */
  readonly set: string | null;
  readonly mail: AlertMail;
  readonly createdAt: Millis;
  /** The number of the last publication that it does not judge. */
  readonly since: number;
  readonly pausedAt: Millis | null;
}

export function alertRecord(row: Selectable<AlertRow>): AlertRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    kind: row.kind as AlertKind,
    amount: row.amount as Cents | null,
    percent: row.percent,
    days: row.days,
    set: row.set_id,
    mail: row.mail as AlertMail,
    createdAt: row.created_at,
    since: row.since,
    pausedAt: row.paused_at,
  };
}

/** Reads the price that a row watches. */
export function alertLine({
  card,
  printing,
  copy,
}: Pick<AlertLineRow, 'card' | 'printing' | 'copy'>): AlertLine {
  return { card, printing, copy: copy as CopyName | '' };
}

/** A line with the state in which its judgement begins; null to begin with its current price. */
export interface StartedLine extends AlertLine {
  readonly state: AlertState | null;
}

export async function insertAlert(
  db: Db,
  { accountId, set, createdAt, ...alert }: Omit<AlertRecord, 'id' | 'pausedAt'>,
  lines: readonly StartedLine[],
): Promise<AlertRecord> {
  const { name, kind, amount, percent, days, mail, since } = alert;
  const row = await db
    .insertInto('alerts')
    .values({
      account_id: accountId,
      name,
      kind,
      amount,
      percent,
      days,
      mail,
      since,
      set_id: set,
      created_at: createdAt,
      paused_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const added = alertRecord(row);
  await insertLines(db, added, lines);
  return added;
}

async function insertLines(
  db: Db,
  { id, accountId }: Pick<AlertRecord, 'id' | 'accountId'>,
  lines: readonly StartedLine[],
): Promise<void> {
  const rows = lines.map(({ card, printing, copy, state }) => {
    return {
      alert_id: id,
      account_id: accountId,
      card,
      printing,
      copy,
      state: ALERT_STATE.write(state),
    };
  });
  await writeInChunks(rows, (chunk) => db.insertInto('alert_lines').values(chunk).execute());
}

/** An alert in a list. */
export interface ListedAlert extends AlertRecord {
  /** Watched prices; null for a set. */
  readonly lineCount: number | null;
  /** The watched price, if it is only one. */
  readonly line: AlertLine | null;
  /** When it fired last; null for never. */
  readonly firedAt: Millis | null;
}

/** Returns the alerts of an account, newest first. */
export async function listAlerts(db: Db, accountId: number): Promise<ListedAlert[]> {
  const own = listedAlerts(db).where('account_id', '=', accountId).orderBy('id', 'desc');
  return listed(await own.execute());
}

/** Returns an alert of an account; undefined if the account has no alert with this id. */
export async function findAlert(
  db: Db,
  id: number,
  accountId: number,
): Promise<ListedAlert | undefined> {
  const found = listedAlerts(db).where('id', '=', id).where('account_id', '=', accountId);
  return listed(await found.execute())[0];
}

function listedAlerts(db: Db) {
  return db
    .selectFrom('alerts')
    .selectAll()
    .select(({ selectFrom }) => {
      const lines = selectFrom('alert_lines').whereRef('alert_id', '=', 'alerts.id');
      const events = selectFrom('alert_events').whereRef('alert_id', '=', 'alerts.id');
      return [
        lines.select(({ fn }) => fn.countAll().as('count')).as('count'),
        lines.select(({ fn }) => fn.min('card').as('card')).as('card'),
        lines.select(({ fn }) => fn.min('printing').as('printing')).as('printing'),
        lines.select(({ fn }) => fn.min('copy').as('copy')).as('copy'),
        events.select(({ fn }) => fn.max('published_at').as('fired')).as('fired'),
      ];
    });
}

type ListedRow = Awaited<ReturnType<ReturnType<typeof listedAlerts>['execute']>>[number];

function listed(rows: readonly ListedRow[]): ListedAlert[] {
  return rows.map((row) => {
    const { card, printing, copy, fired } = row;
    const isSingle = row.set_id === null && Number(row.count) === 1;
    const isNamed = card !== null && printing !== null && copy !== null;
    return {
      ...alertRecord(row),
      lineCount: row.set_id === null ? Number(row.count) : null,
      line: isSingle && isNamed ? alertLine({ card, printing, copy }) : null,
      firedAt: fired,
    };
  });
}

/** Returns the prices that an alert watches; for a set, only the judged ones. */
export async function linesOf(db: Db, alert: number): Promise<AlertLine[]> {
  const rows = await db
    .selectFrom('alert_lines')
    .select(['card', 'printing', 'copy'])
    .where('alert_id', '=', alert)
    .orderBy('card')
    .orderBy('printing')
    .orderBy('copy')
    .execute();
  return rows.map(alertLine);
}

export async function countAlerts(db: Db, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function pauseAlert(db: Db, id: number, at: Millis): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ paused_at: at })
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .execute();
}

/** Resumes judging an alert. Its lines begin like those of a new alert. */
export async function resumeAlert(
  db: Db,
  alert: Pick<AlertRecord, 'id' | 'accountId' | 'since'>,
  lines: readonly StartedLine[],
): Promise<void> {
  const { id, since } = alert;
  await db.updateTable('alerts').set({ paused_at: null, since }).where('id', '=', id).execute();
  await db.deleteFrom('alert_lines').where('alert_id', '=', id).execute();
  await insertLines(db, alert, lines);
}

export async function setMail(db: Db, id: number, mail: AlertMail): Promise<void> {
  await db.updateTable('alerts').set({ mail }).where('id', '=', id).execute();
}

/** Deletes an alert with its log. */
export async function deleteAlert(db: Db, id: number): Promise<void> {
  await db.deleteFrom('alert_events').where('alert_id', '=', id).execute();
  await db.deleteFrom('alert_lines').where('alert_id', '=', id).execute();
  await db.deleteFrom('alerts').where('id', '=', id).execute();
}
