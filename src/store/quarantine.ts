import { type Kysely, sql } from 'kysely';
import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { Observation } from '../domain/observation.ts';
import type { ValidationRule } from '../domain/validation-rules.ts';
import type { Store } from './connect.ts';
import type { BulkTable } from './engine.ts';
import type { Database, QuarantineRow } from './schema.ts';

/** SQL of what is held back, and of what the operator says of it. */

type Db = Kysely<Database>;

/** A quote that is held back, as the column `quote` has it. */
export type QuarantinedObservation = Omit<Observation, 'printing' | 'past'> & {
  /** On how many days its source has said about the same; 0 for a day of its past. */
  readonly days: number;
};

/** What is held back for being too many: printings that keep the price that they had. */
export interface QuarantinedDelisting {
  /** Row ids. */
  readonly printings: readonly number[];
}

export type NewQuarantineRow = Omit<QuarantineRow, 'id'>;

const QUARANTINE: BulkTable = {
  name: 'quarantine',
  columns: {
    id: 'int4',
    source: 'text',
    origin: 'text',
    game: 'text',
    set_id: 'int4',
    card_id: 'int4',
    printing_id: 'int4',
    printing: 'text',
    reason: 'text',
    detail: 'text',
    quote: 'text',
    source_key: 'text',
    observed_at: 'int8',
    held_at: 'int8',
    decided_at: 'int8',
    decision: 'text',
  },
  key: ['id'],
};

/** How many rows, or keys, go into one statement. */
const AT_ONCE = 500;

/** Everything that was ever held back of these cards and is not struck off. */
export async function readQuarantined(db: Db, cards: readonly number[]): Promise<QuarantineRow[]> {
  const found: QuarantineRow[] = [];
  for (const some of chunks(cards, AT_ONCE * 10)) {
    const rows = db.selectFrom('quarantine').where('card_id', 'in', some).selectAll();
    found.push(...(await rows.execute()));
  }
  return found;
}

/** Where some cards belong, by row id of the card. */
export async function readScopes(
  db: Db,
  cards: readonly number[],
): Promise<Map<number, { readonly game: GameSlug; readonly set: number; readonly name: string }>> {
  const scopes = new Map<number, { game: GameSlug; set: number; name: string }>();
  for (const some of chunks(cards, AT_ONCE * 10)) {
    const rows = await db
      .selectFrom('cards')
      .innerJoin('sets', 'sets.id', 'cards.set_id')
      .where('cards.id', 'in', some)
      .select(['cards.id', 'sets.game', 'sets.id as set', 'sets.name'])
      .execute();
    for (const { id, ...scope } of rows) scopes.set(id, scope);
  }
  return scopes;
}

export async function insertQuarantined(db: Db, rows: readonly NewQuarantineRow[]): Promise<void> {
  for (const some of chunks(rows, AT_ONCE)) {
    await db
      .insertInto('quarantine')
      .values([...some])
      .execute();
  }
}

/** Overwrites rows that there are. */
export async function updateQuarantined(
  { engine }: Store,
  transaction: Db,
  rows: readonly QuarantineRow[],
): Promise<void> {
  const columns = Object.keys(QUARANTINE.columns) as (keyof QuarantineRow)[];
  const values = rows.map((row) => columns.map((column) => row[column]));
  await engine.upsert(transaction, QUARANTINE, values);
}

export async function deleteQuarantined(db: Db, ids: readonly number[]): Promise<void> {
  for (const some of chunks(ids, AT_ONCE)) {
    await db.deleteFrom('quarantine').where('id', 'in', some).execute();
  }
}

/** What to look for; what is left out means all of it. */
export interface QuarantineFilter {
  readonly ids?: readonly number[] | undefined;
  readonly source?: string | undefined;
  readonly game?: GameSlug | undefined;
  readonly reason?: string | undefined;
  /** Whether to look for what the operator has decided on, or for what waits; both unless told. */
  readonly isDecided?: boolean | undefined;
  /** At most so many. */
  readonly limit?: number | undefined;
}

/** Something that is held back, with what it is about in words. */
export interface ListedQuarantineRow extends QuarantineRow {
  /** The public id of the card. */
  readonly card: string | null;
  readonly card_name: string | null;
  readonly set_name: string | null;
}

/** What is held back, oldest first. */
export function listQuarantined(db: Db, filter: QuarantineFilter): Promise<ListedQuarantineRow[]> {
  const { ids, source, game, reason, isDecided, limit } = filter;
  let rows = db
    .selectFrom('quarantine')
    .leftJoin('cards', 'cards.id', 'quarantine.card_id')
    .leftJoin('sets', 'sets.id', 'quarantine.set_id')
    .selectAll('quarantine')
    .select(['cards.public_id as card', 'cards.name as card_name', 'sets.name as set_name'])
    .orderBy('quarantine.id');
  if (ids) rows = rows.where('quarantine.id', 'in', ids);
  if (source !== undefined) rows = rows.where('quarantine.source', '=', source);
  if (game !== undefined) rows = rows.where('quarantine.game', '=', game);
  if (reason !== undefined) rows = rows.where('quarantine.reason', '=', reason);
  if (isDecided !== undefined) {
    rows = rows.where('quarantine.decision', isDecided ? 'is not' : 'is', null);
  }
  if (limit !== undefined) rows = rows.limit(limit);
  return rows.execute();
}

/** What a source had lost too much of, whatever was said of it. */
export function readMassDelistings(db: Db, source: string): Promise<QuarantineRow[]> {
  return db
    .selectFrom('quarantine')
    .where('source', '=', source)
    .where('reason', '=', 'lost-prices')
    .selectAll()
    .execute();
}

export async function rejectQuarantined(db: Db, ids: readonly number[], at: Millis): Promise<void> {
  for (const some of chunks(ids, AT_ONCE)) {
    await db
      .updateTable('quarantine')
      .set({ decision: 'rejected', decided_at: at })
      .where('id', 'in', some)
      .execute();
  }
}

/** How much of a source waits for the operator, for one reason. */
export interface ReasonCount {
  readonly source: string;
  readonly reason: string;
  readonly count: number;
}

export async function countHeldByReason(db: Db): Promise<ReasonCount[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where('decision', 'is', null)
    .groupBy(['source', 'reason'])
    .orderBy('source')
    .orderBy('reason')
    .select(({ fn }) => ['source', 'reason', fn.countAll().as('count')])
    .execute();
  return rows.map(({ source, reason, count }) => ({ source, reason, count: Number(count) }));
}

/** The cards, by row id, of which a source's prices are held back for a reason, not let through. */
export async function cardsHeldFor(
  db: Db,
  source: string,
  reason: ValidationRule,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('quarantine')
    .where('source', '=', source)
    .where('reason', '=', reason)
    .where((row) => row.or([row('decision', 'is', null), row('decision', '=', 'rejected')]))
    .select('card_id')
    .distinct()
    .execute();
  return new Set(rows.flatMap(({ card_id }) => card_id ?? []));
}

/** How many priced quotes a source has of each of these sets. */
export async function countPriced(
  db: Db,
  source: string,
  sets: readonly number[],
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const some of chunks(sets, AT_ONCE)) {
    const rows = await db
      .selectFrom('quotes')
      .innerJoin('printings', 'printings.id', 'quotes.printing_id')
      .innerJoin('cards', 'cards.id', 'printings.card_id')
      .where('quotes.source', '=', source)
      .where('cards.set_id', 'in', some)
      .where(isPriced())
      .groupBy('cards.set_id')
      .select(({ fn }) => ['cards.set_id', fn.countAll().as('count')])
      .execute();
    for (const { set_id, count } of rows) counts.set(set_id, Number(count));
  }
  return counts;
}

function isPriced() {
  return sql<boolean>`coalesce(cast(quotes.market as text), cast(quotes.low as text),
    cast(quotes.mid as text), cast(quotes.high as text), quotes.conditions, quotes.graded)
    is not null`;
}

/** The printings of which a source has said anything since a moment. */
export async function printingsObservedSince(
  db: Db,
  source: string,
  printings: readonly number[],
  moment: Millis,
): Promise<Set<number>> {
  const told = new Set<number>();
  for (const some of chunks(printings, AT_ONCE)) {
    const rows = await db
      .selectFrom('quotes')
      .where('printing_id', 'in', some)
      .where('source', '=', source)
      .where('observed_at', '>', moment)
      .select('printing_id')
      .execute();
    for (const { printing_id } of rows) told.add(printing_id);
  }
  return told;
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
