import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Store } from '../connect.ts';
import type { BulkTable } from '../engine/engine.ts';
import { writeInChunks } from '../engine/paging.ts';
import { FAULT_EXAMPLES, type NamedFault } from './json-columns.ts';
import type { Database, FailedPartRow } from './schema.ts';

/** SQL of what the last imports of sources could not read. */

const FAILED_PARTS: BulkTable<FailedPartRow> = {
  name: 'failed_parts',
  columns: {
    source: 'text',
    part: 'text',
    game: 'text',
    first_failed_at: 'int8',
    last_failed_at: 'int8',
    bad_rows: 'int4',
    examples: 'text',
  },
  key: ['source', 'part'],
};

/** What could not be read of a part of a source. */
export interface PartFault {
  /** What identifies the part within its source: a group's or a file's path. */
  readonly part: string;
  /** Null where the part is not of one game. */
  readonly game: GameSlug | null;
  /** How many rows were left out; null where nothing of the part could be read. */
  readonly badRows: number | null;
  /** The first faults: where each is, and what is wrong there. */
  readonly examples: readonly NamedFault[];
}

/** A part that imports could not read, or not all of, since some moment. */
export interface StoredPartFault extends PartFault {
  readonly source: string;
  /** When an import first failed to read it, and when one last did. */
  readonly since: Millis;
  readonly lastAt: Millis;
}

/** Returns all parts with faults that no later import has mended, in order of source and part. */
export async function readFailedParts(db: Kysely<Database>): Promise<StoredPartFault[]> {
  const rows = await db
    .selectFrom('failed_parts')
    .selectAll()
    .orderBy('source')
    .orderBy('part')
    .execute();
  return rows.map((row) => ({
    source: row.source,
    part: row.part,
    game: row.game,
    badRows: row.bad_rows,
    examples: FAULT_EXAMPLES.read(row.examples),
    since: row.first_failed_at,
    lastAt: row.last_failed_at,
  }));
}

/** What an import found out about the parts of its source. */
export interface FailedPartsUpdate {
  readonly failed: readonly PartFault[];
  /** The parts that have no fault any more. */
  readonly mended: readonly string[];
  readonly now: Millis;
}

/** Keeps the faults of parts, since when they first failed, and forgets those that are mended. */
export async function replaceFailedParts(
  { engine, db }: Store,
  source: string,
  { failed, mended, now }: FailedPartsUpdate,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const known = await readFailedParts(transaction);
    const since = new Map(known.map((one) => [`${one.source} ${one.part}`, one.since]));
    const rows = failed.map(({ part, game, badRows, examples }) => ({
      source,
      part,
      game,
      first_failed_at: since.get(`${source} ${part}`) ?? now,
      last_failed_at: now,
      bad_rows: badRows,
      examples: FAULT_EXAMPLES.write(examples),
    }));
    await engine.upsert(transaction, FAILED_PARTS, rows);
    await writeInChunks(mended, (chunk) =>
      transaction
        .deleteFrom('failed_parts')
        .where('source', '=', source)
        .where('part', 'in', chunk)
        .execute(),
    );
  });
}
