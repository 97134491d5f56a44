import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { isLasting, VALIDATION_RULES, type ValidationRule } from '../../domain/quarantined.ts';
import { countsAs } from '../../domain/sources.ts';
import { writeInChunks } from '../engine/paging.ts';
import type { StoredObservation } from './observations.ts';
import type { Database } from './schema.ts';

/** SQL that deletes other records of days rolled back from a source: see `history/roll-back.ts`. */

type Db = Kysely<Database>;

/** Observations of a source between two moments, optionally only of one game or some sets. */
export interface ObservedSpan {
  /** By its name in the table of sources. */
  readonly source: string;
  readonly from: Millis;
  readonly before: Millis;
  readonly game?: GameSlug | undefined;
  /** Row ids of sets. */
  readonly sets?: readonly number[] | undefined;
}

export async function deleteObservations(
  db: Db,
  observations: readonly StoredObservation[],
): Promise<void> {
  const series = Map.groupBy(observations, ({ source, marketplace }) => `${source}/${marketplace}`);
  for (const own of series.values()) {
    const [first] = own;
    if (!first) continue;
    const { source, marketplace } = first;
    const printings = own.map(({ printingRowId }) => printingRowId);
    await writeInChunks(printings, (chunk) =>
      db
        .deleteFrom('observations')
        .where('printing_id', 'in', chunk)
        .where('source', '=', source)
        .where('marketplace', '=', marketplace)
        .execute(),
    );
  }
}

/**
 * Deletes the quarantine entries of a span and the operator's decisions on them. Returns how many
 * rows were deleted. An approved finish, id or currency stays approved: it does not concern a day.
 */
export async function deleteQuarantinedIn(db: Db, span: ObservedSpan): Promise<number> {
  const lasting = (Object.keys(VALIDATION_RULES) as ValidationRule[]).filter(isLasting);
  let rows = db
    .deleteFrom('quarantine')
    .where('source', '=', span.source)
    .where('observed_at', '>=', span.from)
    .where('observed_at', '<', span.before)
    .where((row) =>
      row.or([
        row('decision', 'is', null),
        row('decision', '<>', 'approved'),
        row('rule', 'not in', lasting),
      ]),
    );
  if (span.game !== undefined) rows = rows.where('game', '=', span.game);
  if (span.sets !== undefined) rows = rows.where('set_id', 'in', span.sets);
  const { numDeletedRows } = await rows.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Deletes the records of files read in a span, so that the next import and the next sync read these
 * files again. Returns how many files.
 */
export async function forgetFilesIn(
  db: Db,
  { source, from, before }: ObservedSpan,
): Promise<number> {
  const files = await db.selectFrom('source_files').select('source').distinct().execute();
  const checks = await db.selectFrom('source_checks').select('source').execute();
  const imports = await db.selectFrom('imports').select('source').distinct().execute();
  const all = new Set([...files, ...checks, ...imports].map((row) => row.source));
  const names = [...all].filter((name) => countsAs(name) === source);
  if (names.length === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('source_files')
    .where('source', 'in', names)
    .where('observed_at', '>=', from)
    .where('observed_at', '<', before)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('imports')
    .set({ observed_at: null })
    .where('source', 'in', names)
    .where('observed_at', '>=', from)
    .where('observed_at', '<', before)
    .execute();
  await db
    .updateTable('source_checks')
    .set({ version: null })
    .where('source', 'in', names)
    .execute();
  return Number(numDeletedRows);
}
