import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import type { Millis } from '../../domain/day.ts';
import type { StoredObservation } from '../catalogue/observations.ts';
import type { Database, QuarantineRow } from '../catalogue/schema.ts';
import { jsonColumn } from '../engine/json-column.ts';
import { readPages, writeInChunks } from '../engine/paging.ts';
import type { PrintingDay } from '../history/index.ts';

/** SQL of approvals of quarantined prices that can be undone. */

type Db = Kysely<Database>;

/** What it takes to undo the approval of an entry of the quarantine. */
export interface ApprovalUndo {
  /** The entry as it waited. */
  readonly entry: QuarantineRow;
  /** What its source reported of its printings before the approval, and since. */
  readonly before: readonly StoredObservation[];
  readonly after: readonly StoredObservation[];
  /** What the history had of its source on the days that the approval was about. */
  readonly days: readonly PrintingDay[];
}

const ROWS = Type.Array(Type.Object({}));

const UNDO = jsonColumn<ApprovalUndo>(
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
    const { set_id, rule } = undo.entry;
    return { decided_at: decidedAt, set_id, rule, undo: UNDO.write(undo) };
  });
  return writeInChunks(rows, (chunk) => db.insertInto('approvals').values(chunk).execute());
}

const PAGE_ROWS = 1000;

/** Yields the approvals of one decision in pages, the last one first. */
export function approvalPages(db: Db, decidedAt: Millis): AsyncGenerator<Approval[]> {
  const rows = db
    .selectFrom('approvals')
    .where('decided_at', '=', decidedAt)
    .select(['id', 'undo'])
    .orderBy('id', 'desc')
    .limit(PAGE_ROWS);
  const read = async (above: number) => {
    const page = await (above < 0 ? rows : rows.where('id', '<', above)).execute();
    return page.map(({ id, undo }) => ({ id, decidedAt, ...UNDO.read(undo) }));
  };
  return readPages(read, ({ id }) => id);
}

export function deleteApprovals(db: Db, ids: readonly number[]): Promise<void> {
  return writeInChunks(ids, (chunk) =>
    db.deleteFrom('approvals').where('id', 'in', chunk).execute(),
  );
}

/** Forgets how to undo the approvals that were made before a moment. */
export async function forgetApprovals(db: Db, before: Millis): Promise<void> {
  await db.deleteFrom('approvals').where('decided_at', '<', before).execute();
}
