import { sql } from 'kysely';
import { ageOf, type Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { countsAs } from '../../domain/sources.ts';
import { readFailedParts, type StoredPartFault } from '../catalogue/failed-parts.ts';
import {
  lastImports,
  readChecks,
  readFigures,
  type SourceCheck,
  type SourceFigures,
} from '../catalogue/sync.ts';
import type { Store } from '../connect.ts';
import { countQuarantined, type QuarantinedCount } from '../quarantine/quarantine.ts';

/** The state of a source for one game. */
export interface SourceHealth {
  readonly source: string;
  /** Null for a source without prices. */
  readonly game: GameSlug | null;
  /** When the source was last checked or imported without an error. */
  readonly succeededAt: Millis | null;
  /** When the newest of its prices was observed. */
  readonly observedAt: Millis | null;
  /** The time since `observedAt`. For a source without prices: since its last success. */
  readonly age: Millis | null;
  /** Whether its age has a limit. Without one, `stale` says nothing about freshness. */
  readonly watched: boolean;
  /** Whether its age exceeds the limit, or it is synced but never succeeded. */
  readonly stale: boolean;
  /** Cards of the game that it has prices for, and all cards of the game. */
  readonly priced: number;
  readonly cards: number;
  /** Its quarantined observations that wait for the operator. */
  readonly quarantined: number;
  /** Parts that could not be read completely, and that no import has read since. */
  readonly failedParts: readonly StoredPartFault[];
  /** The error of its last check, if that failed, and when it failed. */
  readonly error: string | null;
  readonly errorAt: Millis | null;
}

export interface HealthOptions {
  readonly now: Millis;
  /** The synced sources. They are listed even before their first success. */
  readonly synced: readonly string[];
  /** The age at which a source becomes stale; null if it never does. */
  readonly limitOf: (source: string) => Millis | null;
}

/** Returns the state of every source for each of its games. Reads only a few rows. */
export async function readHealth({ db }: Store, options: HealthOptions): Promise<SourceHealth[]> {
  const checks = new Map((await readChecks(db)).map((row) => [row.source, row]));
  const imports = new Map<string, Millis>();
  for (const [name, moment] of await lastImports(db)) {
    const source = countsAs(name);
    imports.set(source, Math.max(moment, imports.get(source) ?? 0));
  }
  const figures = Map.groupBy(await readFigures(db), ({ source }) => source);
  const quarantined = await countQuarantined(db);
  const failed = Map.groupBy(await readFailedParts(db), ({ source }) => countsAs(source));
  const names = new Set([
    ...[...options.synced, ...figures.keys(), ...checks.keys()],
    ...failed.keys(),
  ]);
  return [...names].flatMap((source) => {
    const known = { check: checks.get(source), importedAt: imports.get(source) ?? null };
    const rows = figures.get(source) ?? [undefined];
    const games = rows.map((row) => row?.game ?? null);
    return rows.map((row, index) => {
      const failedParts = failedPartsOf(failed.get(source) ?? [], games, index);
      return healthOf(source, row, { ...known, quarantined, failedParts }, options);
    });
  });
}

/** The failed parts of the game at `index`. The first game also gets the parts of other games. */
function failedPartsOf(
  failed: readonly StoredPartFault[],
  games: readonly (GameSlug | null)[],
  index: number,
): StoredPartFault[] {
  return failed.filter(({ game }) => {
    const own = games.indexOf(game);
    return (own === -1 ? 0 : own) === index;
  });
}

interface Known {
  readonly check: SourceCheck | undefined;
  readonly importedAt: Millis | null;
  readonly quarantined: readonly QuarantinedCount[];
  readonly failedParts: readonly StoredPartFault[];
}

function healthOf(
  source: string,
  figures: SourceFigures | undefined,
  { check, importedAt, quarantined, failedParts }: Known,
  { now, limitOf }: HealthOptions,
): SourceHealth {
  const game = figures?.game ?? null;
  const succeededAt = newest(check?.succeededAt ?? null, importedAt);
  const observedAt = figures?.observedAt ?? null;
  const since = observedAt ?? succeededAt;
  const limit = limitOf(source);
  const error = errorOf(check, importedAt);
  const own = quarantined.filter((row) => row.source === source && (!figures || row.game === game));
  return {
    source,
    game,
    succeededAt,
    observedAt,
    age: since === null ? null : ageOf(since, now),
    watched: limit !== null,
    stale: limit !== null && (since === null || now - since > limit),
    priced: figures?.priced ?? 0,
    cards: figures?.cards ?? 0,
    quarantined: own.reduce((sum, { count }) => sum + count, 0),
    failedParts,
    error,
    errorAt: error === null ? null : checkedAt(check),
  };
}

/** The error of the last check; null if a manual import has succeeded since. */
function errorOf(check: SourceCheck | undefined, importedAt: Millis | null): string | null {
  const isOver = importedAt !== null && importedAt > checkedAt(check);
  return isOver ? null : (check?.error ?? null);
}

function checkedAt(check: SourceCheck | undefined): Millis {
  return Math.max(check?.succeededAt ?? 0, check?.failedAt ?? 0);
}

function newest(one: Millis | null, other: Millis | null): Millis | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** Returns the latest moment recorded in the database; undefined if there is none. */
export async function latestMoment({ db, accounts }: Store): Promise<Millis | undefined> {
  const imported = await db
    .selectFrom('imports')
    .select((row) => row.fn.max('finished_at').as('at'))
    .executeTakeFirst();
  const recorded = await accounts.db
    .selectFrom('audit')
    .select((row) => row.fn.max('at').as('at'))
    .executeTakeFirst();
  const moments = [imported?.at, recorded?.at].filter((at) => typeof at === 'number');
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/**
 * Returns when a PostgreSQL server last archived its log, which allows restoring it; null for
 * never.
 */
export async function lastArchivedAt({ db }: Store): Promise<Millis | null> {
  const { rows } = await sql<{ readonly at: number | null }>`
    select (extract(epoch from last_archived_time) * 1000)::float8 as at from pg_stat_archiver
  `.execute(db);
  return rows[0]?.at ?? null;
}
