import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import type { Millis } from '../../domain/day.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { StoredObservation } from '../catalogue/observations.ts';
import type { Database, QuarantineRow } from '../catalogue/schema.ts';
import { readPages, writeInChunks } from '../engine/paging.ts';
import type { PrintingDay } from '../history/index.ts';
import { entryOf, type QuarantineEntry, rowOf } from './entries.ts';

/** SQL of approvals of quarantine entries that can be undone. */

type Db = Kysely<Database>;

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
