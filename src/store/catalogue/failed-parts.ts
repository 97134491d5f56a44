import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Store } from '../connect.ts';
import type { BulkTable } from '../engine/engine.ts';
import { writeInChunks } from '../engine/paging.ts';
import { FAULT_EXAMPLES, type NamedFault } from './json-columns.ts';
import type { Database, FailedPartRow } from './schema.ts';

/** SQL of the parts of sources that the last imports could not read. */

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

/** The faults that made a part of a source unreadable. */
export interface PartFault {
  /** Identifies the part within its source: the path of a group or a file. */
  readonly part: string;
  /** Null if the part does not belong to one game. */
  readonly game: GameSlug | null;
  /** Omitted rows; null if the whole part was unreadable. */
  readonly badRows: number | null;
  /** The first faults, each with its position and its reason. */
  readonly examples: readonly NamedFault[];
}

/** A part that imports have not been able to read completely since some moment. */
export interface StoredPartFault extends PartFault {
  readonly source: string;
  /** The first and the last import that failed to read it. */
  readonly since: Millis;
  readonly lastAt: Millis;
}

/** Returns all parts that no later import could read, in order of source and part. */
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

/** An import's findings about the parts of a source. */
export interface FailedPartsUpdate {
  readonly failed: readonly PartFault[];
  /** The parts that no longer have faults. */
  readonly readAgain: readonly string[];
  readonly now: Millis;
}

/** Stores the faults of parts, keeps when each first failed, and deletes the `readAgain` parts. */
export async function replaceFailedParts(
  { engine, db }: Store,
  source: string,
  { failed, readAgain, now }: FailedPartsUpdate,
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
    await writeInChunks(readAgain, (chunk) =>
      transaction
        .deleteFrom('failed_parts')
        .where('source', '=', source)
        .where('part', 'in', chunk)
        .execute(),
    );
  });
}
