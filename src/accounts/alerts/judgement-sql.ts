import { type Kysely, sql } from 'kysely';
import type { AlertLine, AlertState } from '../../domain/alerts.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import { writeInChunks } from '../../store/engine/paging.ts';
import { ALERT_STATE, type AlertRecord, alertLine, alertRecord } from './alert-sql.ts';

/** SQL of the judgement of alerts: its progress, and the lines that a change concerns. */

type Db = Kysely<AccountDatabase>;

/** The progress of the judgement. */
export interface Progress {
  /** The publication that was judged last, or is being judged. */
  readonly revision: number;
  readonly id: string;
  /** The last judged change; null once the publication is judged. */
  readonly place: string | null;
}

/** Returns undefined before the first judgement. */
export async function readProgress(db: Db): Promise<Progress | undefined> {
  const row = await db.selectFrom('alert_progress').selectAll().executeTakeFirst();
  return row && { revision: row.revision, id: row.publication_id, place: row.place };
}

/** Notes that judgement begins after a publication, unless it has begun. */
export async function beginProgress(db: Db, { revision, id, place }: Progress): Promise<void> {
  await db
    .insertInto('alert_progress')
    .values({ id: 1, revision, publication_id: id, place })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Advances the judgement. Returns false, and does nothing, if another process has already done so.
 * Until the end of the transaction no other process judges, and no alert changes.
 */
export async function moveProgress(db: Db, from: Progress, to: Progress): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_progress')
    .set({ revision: to.revision, publication_id: to.id, place: to.place })
    .where('revision', '=', from.revision)
    .where('publication_id', '=', from.id)
    .where('place', 'is not distinct from', from.place)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Blocks all judging until the end of the transaction. Returns the last judged publication. */
export async function holdProgress(db: Db): Promise<number> {
  const row = await db
    .updateTable('alert_progress')
    .set((progress) => ({ revision: progress.ref('revision') }))
    .returning('revision')
    .executeTakeFirst();
  return row?.revision ?? 0;
}

/** Lets alerts of a former line of publications be judged from a publication on. */
export async function restartAlerts(db: Db, since: number): Promise<void> {
  await db.updateTable('alerts').set({ since }).where('since', '>', since).execute();
}

export async function hasAlerts(db: Db): Promise<boolean> {
  const row = await db.selectFrom('alerts').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** A price that an alert watches, between two judgements. */
export interface WatchedLine extends AlertLine {
  readonly alert: AlertRecord;
  /** Null until a price is judged. */
  readonly state: AlertState | null;
  /** Whether it waits for a price to leave quarantine. */
  readonly isHeld: boolean;
}

/** Returns the lines of cards, from all alerts that judge a publication. */
export async function watchedLines(
  db: Db,
  revision: number,
  cards: readonly string[],
): Promise<WatchedLine[]> {
  if (cards.length === 0) return [];
  const rows = await activeAlerts(db, revision)
    .innerJoin('alert_lines', 'alert_lines.alert_id', 'alerts.id')
    .select(['card', 'printing', 'copy', 'state', 'held'])
    .where('card', 'in', cards)
    .execute();
  return rows.map((row) => ({
    ...alertLine(row),
    alert: alertRecord(row),
    state: ALERT_STATE.read(row.state),
    isHeld: row.held === 1,
  }));
}

/** Returns the alerts on whole sets that judge a publication. */
export async function alertsOnSets(
  db: Db,
  revision: number,
  sets: readonly string[],
): Promise<AlertRecord[]> {
  if (sets.length === 0) return [];
  const rows = await activeAlerts(db, revision).where('set_id', 'in', sets).execute();
  return rows.map(alertRecord);
}

function activeAlerts(db: Db, revision: number) {
  return db
    .selectFrom('alerts')
    .innerJoin('accounts', 'accounts.id', 'alerts.account_id')
    .selectAll('alerts')
    .where('paused_at', 'is', null)
    .where('since', '<', revision)
    .where('accounts.disabled_at', 'is', null);
}

/** Returns the cards whose prices wait for a printing to leave quarantine. */
export async function heldCards(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_lines')
    .select('card')
    .distinct()
    .where('held', '=', 1)
    .execute();
  return rows.map(({ card }) => card);
}

/** Stores the states of lines. Lines of an alert on a set are added with their first state. */
export async function saveLines(db: Db, lines: readonly WatchedLine[]): Promise<void> {
  const rows = lines.map(({ alert, card, printing, copy, state, isHeld }) => ({
    alert_id: alert.id,
    account_id: alert.accountId,
    card,
    printing,
    copy,
    state: ALERT_STATE.write(state),
    held: isHeld ? 1 : 0,
  }));
  await writeInChunks(rows, (chunk) => {
    return db
      .insertInto('alert_lines')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['card', 'alert_id', 'printing', 'copy']).doUpdateSet({
          state: sql.ref('excluded.state'),
          held: sql.ref('excluded.held'),
        }),
      )
      .execute();
  });
}
