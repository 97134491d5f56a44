import { type Kysely, sql } from 'kysely';
import { Type } from 'typebox';
import type { Millis } from '../../domain/day.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { StoredObservation } from '../catalogue/observations.ts';
import type { Database, QuarantineRow } from '../catalogue/schema.ts';
import { readPages, writeInChunks } from '../engine/paging.ts';
import type { PrintingDay } from '../history/index.ts';
import { entryOf, type QuarantineEntry, rowOf } from './entries.ts';

/** SQL of the decisions on quarantine entries that can be undone. */

type Db = Kysely<Database>;

/** The entries decided on at one moment. */
export interface ListedDecision {
  readonly decision: 'approved' | 'rejected';
  readonly decidedAt: Millis;
  readonly count: number;
  /** The names of the sets, most entries first; null for entries without a set. */
  readonly sets: readonly (string | null)[];
  readonly rules: readonly string[];
}

interface DecidedRow extends Pick<ListedDecision, 'decision'> {
  readonly decided_at: number | string;
  readonly count: number | string;
  readonly name: string | null;
  readonly rule: string;
}

const DECIDED = sql`
  select 'approved' as decision, decided_at, set_id, rule, count(*) as count from approvals
    group by decided_at, set_id, rule
  union all
  select 'rejected' as decision, decided_at, set_id, rule, count(*) as count from quarantine
    where decision = 'rejected' group by decided_at, set_id, rule`;

/** Returns decisions, newest first, and the total number of decisions. */
export async function listDecisions(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly decisions: ListedDecision[]; readonly total: number }> {
  const { rows } = await sql<DecidedRow>`with decided as (${DECIDED}),
    newest as (select distinct decision, decided_at from decided
      order by decided_at desc, decision limit ${limit} offset ${offset})
    select decided.decision, decided.decided_at, decided.count, decided.rule, sets.name
      from newest
      join decided on decided.decision = newest.decision
        and decided.decided_at = newest.decided_at
      left join sets on sets.id = decided.set_id
      order by decided.decided_at desc, decided.decision, decided.count desc, decided.set_id,
        decided.rule`.execute(db);
  const counted = await sql<{ total: number | string }>`with decided as (${DECIDED})
    select count(*) as total from (select distinct decision, decided_at from decided) as moments`.execute(
    db,
  );
  const byMoment = Map.groupBy(rows, (row) => `${row.decision} ${row.decided_at}`);
  const decisions = [...byMoment.values()].flatMap((own) => decisionOf(own) ?? []);
  return { decisions, total: Number(counted.rows[0]?.total) };
}

function decisionOf(rows: readonly DecidedRow[]): ListedDecision | undefined {
  const [first] = rows;
  if (!first) return undefined;
  return {
    decision: first.decision,
    decidedAt: Number(first.decided_at),
    count: rows.reduce((sum, { count }) => sum + Number(count), 0),
    sets: [...new Set(rows.map(({ name }) => name))],
    rules: [...new Set(rows.map(({ rule }) => rule))],
  };
}

/** The data needed to undo the approval of a quarantine entry. */
export interface ApprovalUndo {
  /** The entry before its approval. */
  readonly entry: QuarantineEntry;
  /** The observations of its source for its printings, before and after the approval. */
  readonly before: readonly StoredObservation[];
  readonly after: readonly StoredObservation[];
  /** The history of its source on the approved days, before the approval. */
  readonly days: readonly PrintingDay[];
}

const ROWS = Type.Array(Type.Object({}));

const UNDO = jsonColumn<Omit<ApprovalUndo, 'entry'> & { readonly entry: QuarantineRow }>(
  'approvals.undo',
  Type.Object({
    entry: Type.Object({ id: Type.Integer(), rule: Type.String() }),
    before: ROWS,
    after: ROWS,
    days: ROWS,
  }),
);

export interface Approval extends ApprovalUndo {
  readonly id: number;
  readonly decidedAt: Millis;
}

export function insertApprovals(
  db: Db,
  undos: readonly ApprovalUndo[],
  decidedAt: Millis,
): Promise<void> {
  const rows = undos.map((undo) => {
    const entry = rowOf(undo.entry);
    const { set_id, rule } = entry;
    return { decided_at: decidedAt, set_id, rule, undo: UNDO.write({ ...undo, entry }) };
  });
  return writeInChunks(rows, (chunk) => db.insertInto('approvals').values(chunk).execute());
}

const PAGE_ROWS = 1000;

/** Yields the approvals of one decision in pages, newest first. */
export function approvalPages(db: Db, decidedAt: Millis): AsyncGenerator<Approval[]> {
  const rows = db
    .selectFrom('approvals')
    .where('decided_at', '=', decidedAt)
    .select(['id', 'undo'])
    .orderBy('id', 'desc')
    .limit(PAGE_ROWS);
  const read = async (above: number) => {
    const page = await (above < 0 ? rows : rows.where('id', '<', above)).execute();
    return page.map(({ id, undo }) => {
      const { entry, ...rest } = UNDO.read(undo);
      return { id, decidedAt, entry: entryOf(entry), ...rest };
    });
  };
  return readPages(read, ({ id }) => id);
}

export function deleteApprovals(db: Db, ids: readonly number[]): Promise<void> {
  return writeInChunks(ids, (chunk) =>
    db.deleteFrom('approvals').where('id', 'in', chunk).execute(),
  );
}

/** Deletes approvals made before a moment, which then can no longer be undone. */
export async function forgetApprovals(db: Db, before: Millis): Promise<void> {
  await db.deleteFrom('approvals').where('decided_at', '<', before).execute();
}
