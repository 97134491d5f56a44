import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { Cents } from '../domain/money.ts';
import type { Observation } from '../domain/observation.ts';
import type { DayPrices } from '../domain/price.ts';
import type { ValidationRule } from '../domain/validation-rules.ts';
import type { Store } from './connect.ts';
import type { BulkTable } from './engine.ts';
import { queryInChunks, readPages, writeInChunks } from './paging.ts';
import type { Database, QuarantineRow } from './schema.ts';

/** SQL of quarantined observations and of the operator's decisions on them. */

type Db = Kysely<Database>;

/** A quarantined observation, as the column `observation` has it as JSON. */
export type QuarantinedObservation = Omit<Observation, 'printing' | 'earlierDays'> & {
  /** On how many days its source has reported about the same; 0 for a day of its backfill. */
  readonly days: number;
  /** The names of the amounts that are quarantined; without it all of them are. */
  readonly amounts?: readonly string[];
  /** What was last accepted of them, in cents. */
  readonly was?: Readonly<Record<string, Cents>>;
  /** Days that were quarantined before: approving the entry writes them to the history. */
  readonly earlierDays?: readonly DayPrices[];
};

/** What the column `observation` has as JSON for the rule `mass-delisting`. */
export interface QuarantinedDelisting {
  /** Row ids of the printings, which keep the price that they had. */
  readonly printings: readonly number[];
}

export type NewQuarantineRow = Omit<QuarantineRow, 'id'>;

const QUARANTINE: BulkTable<QuarantineRow> = {
  name: 'quarantine',
  columns: {
    id: 'int4',
    source: 'text',
    marketplace: 'text',
    game: 'text',
    set_id: 'int4',
    card_id: 'int4',
    printing_id: 'int4',
    printing: 'text',
    rule: 'text',
    detail: 'text',
    observation: 'text',
    external_id: 'text',
    observed_at: 'int8',
    quarantined_at: 'int8',
    decided_at: 'int8',
    decision: 'text',
  },
  key: ['id'],
};

/** Returns everything that is quarantined of cards, whatever the operator decided on it. */
export function readQuarantined(db: Db, cards: readonly number[]): Promise<QuarantineRow[]> {
  return queryInChunks(cards, (chunk) =>
    db.selectFrom('quarantine').where('card_id', 'in', chunk).selectAll().execute(),
  );
}

/** The game of a card, and the row id and the name of its set. */
export interface CardScope {
  readonly game: GameSlug;
  readonly set: number;
  readonly name: string;
}

/** Returns the scopes of cards, by row id of the card. */
export async function readScopes(
  db: Db,
  cards: readonly number[],
): Promise<Map<number, CardScope>> {
  const rows = await queryInChunks(cards, (chunk) =>
    db
      .selectFrom('cards')
      .innerJoin('sets', 'sets.id', 'cards.set_id')
      .where('cards.id', 'in', chunk)
      .select(['cards.id', 'sets.game', 'sets.id as set', 'sets.name'])
      .execute(),
  );
  return new Map(rows.map(({ id, ...scope }) => [id, scope]));
}

export function insertQuarantined(db: Db, rows: readonly NewQuarantineRow[]): Promise<void> {
  return writeInChunks(rows, (chunk) => db.insertInto('quarantine').values(chunk).execute());
}

/** Overwrites rows that exist. */
export function updateQuarantined(
  { engine }: Store,
  transaction: Db,
  rows: readonly QuarantineRow[],
): Promise<void> {
  return engine.upsert(transaction, QUARANTINE, rows);
}

export function deleteQuarantined(db: Db, ids: readonly number[]): Promise<void> {
  return writeInChunks(ids, (chunk) =>
    db.deleteFrom('quarantine').where('id', 'in', chunk).execute(),
  );
}

/** Which rows are meant; what is left out restricts nothing. */
export interface QuarantineFilter {
  readonly ids?: readonly number[] | undefined;
  readonly source?: string | undefined;
  readonly game?: GameSlug | undefined;
  readonly rule?: string | undefined;
  /** The row ids of sets. */
  readonly sets?: readonly number[] | undefined;
  /** Quarantined at this moment or later, and before that one. */
  readonly since?: Millis | undefined;
  readonly until?: Millis | undefined;
  /** Observed at its source at this moment or later, and before that one. */
  readonly observedSince?: Millis | undefined;
  readonly observedUntil?: Millis | undefined;
  /** True for what the operator has decided on, false for what waits for a decision. */
  readonly isDecided?: boolean | undefined;
  readonly decision?: 'approved' | 'rejected' | undefined;
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
  const { ids, source, game, rule, sets, isDecided, decision, above, upTo } = filter;
  const { since, until, observedSince, observedUntil } = filter;
  let rows = db.selectFrom('quarantine');
  if (ids) rows = rows.where((row) => isAmong(row, 'quarantine.id', ids));
  if (source !== undefined) rows = rows.where('quarantine.source', '=', source);
  if (game !== undefined) rows = rows.where('quarantine.game', '=', game);
  if (rule !== undefined) rows = rows.where('quarantine.rule', '=', rule);
  if (sets) rows = rows.where((row) => isAmong(row, 'quarantine.set_id', sets));
  if (since !== undefined) rows = rows.where('quarantine.quarantined_at', '>=', since);
  if (until !== undefined) rows = rows.where('quarantine.quarantined_at', '<', until);
  if (observedSince !== undefined) {
    rows = rows.where('quarantine.observed_at', '>=', observedSince);
  }
  if (observedUntil !== undefined) rows = rows.where('quarantine.observed_at', '<', observedUntil);
  if (isDecided !== undefined) {
    rows = rows.where('quarantine.decision', isDecided ? 'is not' : 'is', null);
  }
  if (decision !== undefined) rows = rows.where('quarantine.decision', '=', decision);
  if (above !== undefined) rows = rows.where('quarantine.id', '>', above);
  if (upTo !== undefined) rows = rows.where('quarantine.id', '<=', upTo);
  return rows;
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

/** Returns the mass delistings of a source, whatever the operator decided on them. */
export function readMassDelistings(db: Db, source: string): Promise<QuarantineRow[]> {
  return db
    .selectFrom('quarantine')
    .where('source', '=', source)
    .where('rule', '=', 'mass-delisting' satisfies ValidationRule)
    .selectAll()
    .execute();
}

export function rejectQuarantined(db: Db, ids: readonly number[], at: Millis): Promise<void> {
  return writeInChunks(ids, (chunk) =>
    db
      .updateTable('quarantine')
      .set({ decision: 'rejected', decided_at: at })
      .where('id', 'in', chunk)
      .execute(),
  );
}

/** How many observations of a source a rule has quarantined that wait for the operator. */
export interface RuleCount {
  readonly source: string;
  readonly rule: string;
  readonly count: number;
}

export async function countQuarantinedByRule(db: Db): Promise<RuleCount[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where('decision', 'is', null)
    .groupBy(['source', 'rule'])
    .orderBy('source')
    .orderBy('rule')
    .select(({ fn }) => ['source', 'rule', fn.countAll().as('count')])
    .execute();
  return rows.map(({ source, rule, count }) => ({ source, rule, count: Number(count) }));
}

/** How many observations of a source and game are quarantined and wait for the operator. */
export interface QuarantinedCount {
  readonly source: string;
  /** Null where the observations are not of one game. */
  readonly game: GameSlug | null;
  readonly count: number;
}

export async function countQuarantined(db: Db): Promise<QuarantinedCount[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where('decision', 'is', null)
    .groupBy(['source', 'game'])
    .select(({ fn }) => ['source', 'game', fn.countAll().as('count')])
    .execute();
  return rows.map(({ source, game, count }) => ({ source, game, count: Number(count) }));
}

/** Returns the row ids of cards of which a rule quarantined prices of a source, unless approved. */
export async function cardsQuarantinedFor(
  db: Db,
  source: string,
  rule: ValidationRule,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('quarantine')
    .where('source', '=', source)
    .where('rule', '=', rule)
    .where((row) => row.or([row('decision', 'is', null), row('decision', '=', 'rejected')]))
    .select('card_id')
    .distinct()
    .execute();
  return new Set(rows.flatMap(({ card_id }) => card_id ?? []));
}

/** A card and its set and printings, by row id. */
export interface CardRowIds {
  readonly card: number;
  readonly set: number;
  readonly printings: readonly number[];
}

/** Returns what is quarantined of a card and not approved, oldest first. */
export async function quarantinedOfCard(db: Db, ids: CardRowIds): Promise<QuarantineRow[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where((row) =>
      row.or([
        row('card_id', '=', ids.card),
        row.and([row('card_id', 'is', null), row('set_id', '=', ids.set)]),
      ]),
    )
    .where((row) => row.or([row('decision', 'is', null), row('decision', '=', 'rejected')]))
    .selectAll()
    .orderBy('id')
    .execute();
  return rows.filter((row) => concerns(row, ids));
}

/** Whether a row is about a card. That of a mass delisting is about some printings of a set. */
function concerns({ card_id, observation }: QuarantineRow, { printings }: CardRowIds): boolean {
  if (card_id !== null) return true;
  const delisting: Partial<QuarantinedDelisting> = JSON.parse(observation ?? '{}');
  return delisting.printings?.some((printing) => printings.includes(printing)) ?? false;
}
