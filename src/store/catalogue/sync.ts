import type { Kysely } from 'kysely';
import { dayOf, type Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Store } from '../connect.ts';
import type { BulkTable } from '../engine/engine.ts';
import { hasAnyPrice } from './observations.ts';
import type { Database, SourceCheckRow, SourceFiguresRow } from './schema.ts';

/** SQL of syncs: the last check of each source, and the number of its prices in the database. */

type Db = Kysely<Database>;

/** The last checks of a source for new data. */
export interface SourceCheck {
  readonly source: string;
  readonly askedAt: Millis;
  /** When a check last succeeded, with or without new data. */
  readonly succeededAt: Millis | null;
  /** When the source last answered over the web without an error. */
  readonly answeredAt: Millis | null;
  /** When a check last failed. The error stays until the next success. */
  readonly failedAt: Millis | null;
  readonly error: string | null;
  /** The earliest time for the next request, as the source asked. */
  readonly retryAt: Millis | null;
  /** Requests made on `requestsDay`. */
  readonly requests: number;
  readonly requestsDay: number;
  /** The source's own name for the version imported last. */
  readonly version: string | null;
}

/** The number of a game's cards that a source has prices for, as of the end of the last import. */
export interface SourceFigures {
  readonly source: string;
  readonly game: GameSlug;
  /** Cards of the game that the source has a price for. */
  readonly priced: number;
  /** Cards of the game. */
  readonly cards: number;
  /** When its newest price was observed. */
  readonly observedAt: Millis;
}

const CHECKS: BulkTable<SourceCheckRow> = {
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

const FIGURES: BulkTable<SourceFiguresRow> = {
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

/** Returns the last check of every source that was ever checked. */
export async function readChecks(db: Db): Promise<SourceCheck[]> {
  return (await db.selectFrom('source_checks').selectAll().execute()).map(checkOf);
}

/** Returns the last check of a source. If there was none, returns an empty one as of `now`. */
export async function readCheck(db: Db, source: string, now: Millis): Promise<SourceCheck> {
  const row = await db
    .selectFrom('source_checks')
    .where('source', '=', source)
    .selectAll()
    .executeTakeFirst();
  return row ? checkOf(row) : neverChecked(source, now);
}

function neverChecked(source: string, now: Millis): SourceCheck {
  return {
    source,
    askedAt: now,
    succeededAt: null,
    answeredAt: null,
    failedAt: null,
    error: null,
    retryAt: null,
    requests: 0,
    requestsDay: dayOf(now),
    version: null,
  };
}

function checkOf(row: SourceCheckRow): SourceCheck {
  return {
    source: row.source,
    askedAt: row.asked_at,
    succeededAt: row.succeeded_at,
    answeredAt: row.answered_at,
    failedAt: row.failed_at,
    error: row.error,
    retryAt: row.retry_at,
    requests: row.requests,
    requestsDay: row.requests_day,
    version: row.version,
  };
}

export async function writeCheck({ engine, db }: Store, check: SourceCheck): Promise<void> {
  const row: SourceCheckRow = {
    source: check.source,
    asked_at: check.askedAt,
    succeeded_at: check.succeededAt,
    answered_at: check.answeredAt,
    failed_at: check.failedAt,
    error: check.error,
    retry_at: check.retryAt,
    requests: check.requests,
    requests_day: check.requestsDay,
    version: check.version,
  };
  await db.transaction().execute((transaction) => engine.upsert(transaction, CHECKS, [row]));
}

/** Returns when the newest finished import of each source ended. */
export async function lastImports(db: Db): Promise<Map<string, Millis>> {
  const rows = await db
    .selectFrom('imports')
    .where('finished_at', 'is not', null)
    .groupBy('source')
    .select(({ fn }) => ['source', fn.max('finished_at').as('finished_at')])
    .execute();
  return new Map(rows.map((row) => [row.source, Number(row.finished_at)]));
}

/** Returns the number of finished imports of a source's data as of `observedAt`. */
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

/** Returns the counts last stored by `refreshFigures`. */
export async function readFigures(db: Db): Promise<SourceFigures[]> {
  const rows = await db.selectFrom('source_figures').selectAll().orderBy('source').execute();
  return rows.map(({ observed_at: observedAt, ...row }) => ({ ...row, observedAt }));
}

/**
 * Counts the cards of each game that each source has prices for, and stores the result. Reads every
 * observation, so call this only when nobody waits for the result.
 */
export async function refreshFigures(store: Store): Promise<void> {
  const rows = await countFigures(store.db);
  await store.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('source_figures').execute();
    await store.engine.upsert(transaction, FIGURES, rows);
  });
}

async function countFigures(db: Db): Promise<SourceFiguresRow[]> {
  const cards = await countCards(db);
  const rows = await db
    .selectFrom('observations')
    .innerJoin('printings', 'printings.id', 'observations.printing_id')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where(hasAnyPrice())
    .where('cards.product_type', 'is', null)
    .groupBy(['observations.source', 'sets.game'])
    .select(({ fn }) => [
      'observations.source',
      'sets.game',
      fn.count('cards.id').distinct().as('priced'),
      fn.max('observations.observed_at').as('observed_at'),
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

async function countCards(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('cards')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('cards.product_type', 'is', null)
    .groupBy('sets.game')
    .select(({ fn }) => ['sets.game', fn.countAll().as('count')])
    .execute();
  return new Map(rows.map(({ game, count }) => [game, Number(count)]));
}

/** The duration of a source, in milliseconds; null if never. */
export interface SourceTimes {
  readonly source: string;
  /** From the first request of the last sync to its end, including its import. */
  readonly sync: Millis | null;
  /** The last finished import. */
  readonly imported: Millis | null;
}

/** Returns the last duration of each source. Reads only a few rows. */
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
