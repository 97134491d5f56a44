import type { Millis } from '../../domain/day.ts';
import type { Store } from '../connect.ts';
import { readChecks, type SourceCheck } from './sync.ts';

/** How long a source took, in milliseconds; null if never. */
export interface SourceTimes {
  readonly source: string;
  /** From the first request of the last sync to its end, including its import. */
  readonly sync: Millis | null;
  /** The last finished import. */
  readonly imported: Millis | null;
}

/** Returns how long each source took the last time. Reads only a few rows. */
export async function readSourceTimes({ db }: Store): Promise<SourceTimes[]> {
  const syncs = new Map((await readChecks(db)).map((row) => [row.source, timeOf(row)]));
  const newest = db
    .selectFrom('imports')
    .where('finished_at', 'is not', null)
    .groupBy('source')
    .select(({ fn }) => fn.max('id').as('id'));
  const rows = await db.selectFrom('imports').where('id', 'in', newest).selectAll().execute();
  const imports = new Map(
    rows.map((row) => [row.source, (row.finished_at ?? row.started_at) - row.started_at]),
  );
  return [...new Set([...syncs.keys(), ...imports.keys()])].map((source) => ({
    source,
    sync: syncs.get(source) ?? null,
    imported: imports.get(source) ?? null,
  }));
}

/** Returns null while a requested sync has not finished. */
function timeOf({ askedAt, succeededAt, failedAt }: SourceCheck): Millis | null {
  const ended = Math.max(succeededAt ?? 0, failedAt ?? 0);
  return ended < askedAt ? null : ended - askedAt;
}
