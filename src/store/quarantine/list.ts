import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Database, QuarantineRow } from '../catalogue/schema.ts';
import { readPages } from '../engine/paging.ts';

/** SQL that lists what is quarantined, and that takes the operator's decisions on it. */

type Db = Kysely<Database>;

/** Which rows are meant; what is left out restricts nothing. */
export interface QuarantineFilter {
  readonly ids?: readonly number[] | undefined;
  readonly source?: string | undefined;
  readonly game?: GameSlug | undefined;
  readonly rule?: string | undefined;
  /** The row ids of sets. */
  readonly sets?: readonly number[] | undefined;
  /** False for what is of no set. */
  readonly hasSet?: false | undefined;
  /** Quarantined at this moment or later, and before that one. */
  readonly since?: Millis | undefined;
  readonly until?: Millis | undefined;
  /** Observed at its source at this moment or later, and before that one. */
  readonly observedSince?: Millis | undefined;
  readonly observedUntil?: Millis | undefined;
  /** True for what the operator has decided on, false for what waits for a decision. */
  readonly isDecided?: boolean | undefined;
  readonly decision?: 'approved' | 'rejected' | undefined;
  /** Decided on at this very moment, which tells one decision from the others. */
  readonly decidedAt?: Millis | undefined;
  /** Rows after this id, and rows up to that one. */
  readonly above?: number | undefined;
  readonly upTo?: number | undefined;
  /** How many rows to list at most. */
  readonly limit?: number | undefined;
}

/** A quarantined observation with the names of what it is about. */
export interface ListedQuarantineRow extends QuarantineRow {
  /** The public id of the card. */
  readonly card: string | null;
  readonly card_name: string | null;
  readonly set_name: string | null;
}

/** Returns what is quarantined, oldest first. */
export function listQuarantined(db: Db, filter: QuarantineFilter): Promise<ListedQuarantineRow[]> {
  const rows = matching(db, filter)
    .leftJoin('cards', 'cards.id', 'quarantine.card_id')
    .leftJoin('sets', 'sets.id', 'quarantine.set_id')
    .selectAll('quarantine')
    .select(['cards.public_id as card', 'cards.name as card_name', 'sets.name as set_name'])
    .orderBy('quarantine.id');
  const { limit } = filter;
  return (limit === undefined ? rows : rows.limit(limit)).execute();
}

/** Yields what is quarantined, oldest first, in pages, whatever becomes of a page meanwhile. */
export function quarantinePages(
  db: Db,
  filter: QuarantineFilter,
): AsyncGenerator<ListedQuarantineRow[]> {
  const first = filter.above ?? -1;
  return readPages(
    (above) => listQuarantined(db, { ...filter, above: Math.max(above, first), limit: PAGE_ROWS }),
    ({ id }) => id,
  );
}

const PAGE_ROWS = 1000;

/** What a filter means at one moment. */
export interface Matching {
  readonly count: number;
  /** How many rows each rule has quarantined, most first. */
  readonly rules: readonly (readonly [rule: string, count: number])[];
  /** The highest id; 0 when there are none. */
  readonly lastId: number;
}

/** Counts what a filter means, whatever its limit. */
export async function countMatching(db: Db, filter: QuarantineFilter): Promise<Matching> {
  const rows = await matching(db, filter)
    .groupBy('quarantine.rule')
    .select(({ fn }) => [
      'quarantine.rule',
      fn.countAll().as('count'),
      fn.max('quarantine.id').as('lastId'),
    ])
    .execute();
  const rules = rows.map(({ rule, count }) => [rule, Number(count)] as const);
  return {
    count: rules.reduce((sum, [, count]) => sum + count, 0),
    rules: rules.sort(([, a], [, b]) => b - a),
    lastId: Math.max(0, ...rows.map(({ lastId }) => lastId)),
  };
}

function matching(db: Db, filter: QuarantineFilter) {
  const { ids, source, game, rule, sets, hasSet, above, upTo } = filter;
  const { since, until, observedSince, observedUntil } = filter;
  let rows = withDecision(db.selectFrom('quarantine'), filter);
  if (ids) rows = rows.where((row) => isAmong(row, 'quarantine.id', ids));
  if (source !== undefined) rows = rows.where('quarantine.source', '=', source);
  if (game !== undefined) rows = rows.where('quarantine.game', '=', game);
  if (rule !== undefined) rows = rows.where('quarantine.rule', '=', rule);
  if (sets) rows = rows.where((row) => isAmong(row, 'quarantine.set_id', sets));
  if (hasSet === false) rows = rows.where('quarantine.set_id', 'is', null);
  if (since !== undefined) rows = rows.where('quarantine.quarantined_at', '>=', since);
  if (until !== undefined) rows = rows.where('quarantine.quarantined_at', '<', until);
  if (observedSince !== undefined) {
    rows = rows.where('quarantine.observed_at', '>=', observedSince);
  }
  if (observedUntil !== undefined) rows = rows.where('quarantine.observed_at', '<', observedUntil);
  if (above !== undefined) rows = rows.where('quarantine.id', '>', above);
  if (upTo !== undefined) rows = rows.where('quarantine.id', '<=', upTo);
  return rows;
}

function withDecision(
  rows: SelectQueryBuilder<Database, 'quarantine', object>,
  { isDecided, decision, decidedAt }: QuarantineFilter,
) {
  let decided = rows;
  if (isDecided !== undefined) {
    decided = decided.where('quarantine.decision', isDecided ? 'is not' : 'is', null);
  }
  if (decision !== undefined) decided = decided.where('quarantine.decision', '=', decision);
  if (decidedAt !== undefined) decided = decided.where('quarantine.decided_at', '=', decidedAt);
  return decided;
}

/** The condition that a column is one of these ids. PostgreSQL refuses an empty list. */
function isAmong(
  row: ExpressionBuilder<Database, 'quarantine'>,
  column: 'quarantine.id' | 'quarantine.set_id',
  ids: readonly number[],
) {
  return ids.length === 0 ? row.lit(false) : row(column, 'in', ids);
}

/** Rejects what a filter means of the rows that wait for a decision; returns how many. */
export function rejectMatching(db: Db, filter: QuarantineFilter, at: Millis): Promise<number> {
  const rejected = { decision: 'rejected', decided_at: at } as const;
  return setDecision(db, { ...filter, isDecided: false }, rejected);
}

/** Lets rejected rows that a filter means wait for a decision again; returns how many. */
export function undoRejections(db: Db, filter: QuarantineFilter): Promise<number> {
  const undecided = { decision: null, decided_at: null };
  return setDecision(db, { ...filter, isDecided: undefined, decision: 'rejected' }, undecided);
}

async function setDecision(
  db: Db,
  filter: QuarantineFilter,
  change: Pick<QuarantineRow, 'decision' | 'decided_at'>,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('quarantine')
    .set(change)
    .where('id', 'in', matching(db, filter).select('quarantine.id'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
