import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import { countsAs } from '../domain/sources.ts';
import type { Store } from './connect.ts';
import type { SourceCheckRow, SourceFiguresRow } from './schema.ts';
import { countHeld, type HeldCount, lastImports, readChecks, readFigures } from './sync.ts';

/** How a source does for one game. */
export interface SourceHealth {
  readonly source: string;
  /** Null for a source of which we have no price of any game. */
  readonly game: GameSlug | null;
  /** When it was last asked or imported without failing. */
  readonly succeededAt: Millis | null;
  /** When the newest of its prices was observed. */
  readonly observedAt: Millis | null;
  /** From then until now; of a source without prices, since its last success. */
  readonly age: Millis | null;
  /** Whether that is too long, or it never succeeded although it is synced. */
  readonly stale: boolean;
  /** Cards of the game of which it has a price, and all there are. */
  readonly priced: number;
  readonly cards: number;
  /** Its prices that are held back and wait for the operator. */
  readonly heldBack: number;
  /** What went wrong when it was last asked, if anything did, and when. */
  readonly error: string | null;
  readonly errorAt: Millis | null;
}

export interface HealthOptions {
  readonly now: Millis;
  /** The sources that are synced: they are told of even if nothing ever came of them. */
  readonly synced: readonly string[];
  /** The age from which a source counts as stale; null if it never does. */
  readonly limitOf: (source: string) => Millis | null;
}

/** How each source does for each game, from what was noted and counted: it reads a few rows. */
export async function readHealth({ db }: Store, options: HealthOptions): Promise<SourceHealth[]> {
  const checks = new Map((await readChecks(db)).map((row) => [row.source, row]));
  const imports = new Map<string, Millis>();
  for (const [name, moment] of await lastImports(db)) {
    const source = countsAs(name);
    imports.set(source, Math.max(moment, imports.get(source) ?? 0));
  }
  const figures = Map.groupBy(await readFigures(db), ({ source }) => source);
  const held = await countHeld(db);
  const names = new Set([...options.synced, ...figures.keys(), ...checks.keys()]);
  return [...names].flatMap((source) => {
    const known = { check: checks.get(source), importedAt: imports.get(source) ?? null };
    const rows = figures.get(source) ?? [undefined];
    return rows.map((row) => healthOf(source, row, { ...known, held }, options));
  });
}

interface Known {
  readonly check: SourceCheckRow | undefined;
  readonly importedAt: Millis | null;
  readonly held: readonly HeldCount[];
}

function healthOf(
  source: string,
  figures: SourceFiguresRow | undefined,
  { check, importedAt, held }: Known,
  { now, limitOf }: HealthOptions,
): SourceHealth {
  const game = figures?.game ?? null;
  const succeededAt = newest(check?.succeeded_at ?? null, importedAt);
  const observedAt = figures?.observed_at ?? null;
  const since = observedAt ?? succeededAt;
  const limit = limitOf(source);
  const error = errorOf(check, importedAt);
  const own = held.filter((row) => row.source === source && (!figures || row.game === game));
  return {
    source,
    game,
    succeededAt,
    observedAt,
    age: since === null ? null : now - since,
    stale: limit !== null && (since === null || now - since > limit),
    priced: figures?.priced ?? 0,
    cards: figures?.cards ?? 0,
    heldBack: own.reduce((sum, { count }) => sum + count, 0),
    error,
    errorAt: error === null ? null : notedAt(check),
  };
}

/** What is wrong; nothing any more once somebody has imported by hand. */
function errorOf(check: SourceCheckRow | undefined, importedAt: Millis | null): string | null {
  const isOver = importedAt !== null && importedAt > notedAt(check);
  return isOver ? null : (check?.error ?? null);
}

function notedAt(check: SourceCheckRow | undefined): Millis {
  return Math.max(check?.succeeded_at ?? 0, check?.failed_at ?? 0);
}

function newest(one: Millis | null, other: Millis | null): Millis | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
