import { type Expression, type Kysely, sql } from 'kysely';
import { dayOf, type Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { Store } from './connect.ts';
import type { BulkTable } from './engine.ts';
import type { Database, SourceCheckRow, SourceFiguresRow } from './schema.ts';

/** SQL of syncs: how each source was when it was asked, and what we have of it. */

type Db = Kysely<Database>;

const CHECKS: BulkTable = {
  name: 'source_checks',
  columns: {
    source: 'text',
    asked_at: 'int8',
    succeeded_at: 'int8',
    answered_at: 'int8',
    failed_at: 'int8',
    error: 'text',
    retry_at: 'int8',
    requests: 'int4',
    requests_day: 'int4',
    version: 'text',
  },
  key: ['source'],
};

const FIGURES: BulkTable = {
  name: 'source_figures',
  columns: {
    source: 'text',
    game: 'text',
    priced: 'int4',
    cards: 'int4',
    observed_at: 'int8',
  },
  key: ['source', 'game'],
};

/** How all sources were that were ever asked. */
export function readChecks(db: Db): Promise<SourceCheckRow[]> {
  return db.selectFrom('source_checks').selectAll().execute();
}

/** How a source was; the row of one that was never asked is empty. */
export async function readCheck(db: Db, source: string, now: Millis): Promise<SourceCheckRow> {
  const row = await db
    .selectFrom('source_checks')
    .where('source', '=', source)
    .selectAll()
    .executeTakeFirst();
  return (
    row ?? {
      source,
      asked_at: now,
      succeeded_at: null,
      answered_at: null,
      failed_at: null,
      error: null,
      retry_at: null,
      requests: 0,
      requests_day: dayOf(now),
      version: null,
    }
  );
}

export async function writeCheck({ engine, db }: Store, row: SourceCheckRow): Promise<void> {
  const columns = Object.keys(CHECKS.columns) as (keyof SourceCheckRow)[];
  await db.transaction().execute(async (transaction) => {
    await engine.upsert(transaction, CHECKS, [columns.map((column) => row[column])]);
  });
}

/** Imports of a source that came to an end: the newest of each. */
export async function lastImports(db: Db): Promise<Map<string, Millis>> {
  const rows = await db
    .selectFrom('imports')
    .where('finished_at', 'is not', null)
    .groupBy('source')
    .select(({ fn }) => ['source', fn.max('finished_at').as('finished_at')])
    .execute();
  return new Map(rows.map((row) => [row.source, Number(row.finished_at)]));
}

/** How many imports of one state of a source came to an end. */
export async function countImports(db: Db, source: string, observedAt: Millis): Promise<number> {
  const { count } = await db
    .selectFrom('imports')
    .where('source', '=', source)
    .where('observed_at', '=', observedAt)
    .where('finished_at', 'is not', null)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Figures as they were last counted. */
export function readFigures(db: Db): Promise<SourceFiguresRow[]> {
  return db.selectFrom('source_figures').selectAll().orderBy('source').execute();
}

/** Prices that are held back and wait for the operator. */
export interface HeldCount {
  readonly source: string;
  /** Null where what is held back is of no one game. */
  readonly game: GameSlug | null;
  readonly count: number;
}

export async function countHeld(db: Db): Promise<HeldCount[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where('decision', 'is', null)
    .groupBy(['source', 'game'])
    .select(({ fn }) => ['source', 'game', fn.countAll().as('count')])
    .execute();
  return rows.map(({ source, game, count }) => ({ source, game, count: Number(count) }));
}

/**
 * Counts what each source has of each game. It reads every quote: for a process that nobody waits
 * for.
 */
export async function refreshFigures(store: Store): Promise<void> {
  const rows = await countFigures(store.db);
  const columns = Object.keys(FIGURES.columns) as (keyof SourceFiguresRow)[];
  await store.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('source_figures').execute();
    const values = rows.map((row) => columns.map((column) => row[column]));
    await store.engine.upsert(transaction, FIGURES, values);
  });
}

async function countFigures(db: Db): Promise<SourceFiguresRow[]> {
  const cards = new Map(
    (await countCards(db)).map(({ game, count }) => [game, Number(count)] as const),
  );
  const rows = await db
    .selectFrom('quotes')
    .innerJoin('printings', 'printings.id', 'quotes.printing_id')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where(hasAnyPrice(), 'is not', null)
    .groupBy(['quotes.source', 'sets.game'])
    .select(({ fn }) => [
      'quotes.source',
      'sets.game',
      fn.count('cards.id').distinct().as('priced'),
      fn.max('quotes.observed_at').as('observed_at'),
    ])
    .execute();
  return rows.map(({ source, game, priced, observed_at }) => ({
    source,
    game,
    priced: Number(priced),
    cards: cards.get(game) ?? 0,
    observed_at: Number(observed_at),
  }));
}

function countCards(db: Db) {
  return db
    .selectFrom('cards')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .groupBy('sets.game')
    .select(({ fn }) => ['sets.game', fn.countAll().as('count')])
    .execute();
}

function hasAnyPrice(): Expression<unknown> {
  return sql`coalesce(cast(quotes.market as text), cast(quotes.low as text),
    cast(quotes.mid as text), cast(quotes.high as text), quotes.conditions, quotes.graded)`;
}
