import type { Kysely } from 'kysely';
import { type Day, endOfDay, type Millis, MS_PER_DAY, startOfDay } from '../../domain/day.ts';
import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { cardsById, printingsById, setsById } from '../catalogue/catalogue.ts';
import { readFailedParts, type StoredPartFault } from '../catalogue/failed-parts.ts';
import { type FailedImport, failedImports } from '../catalogue/imports.ts';
import {
  type MarketplaceChange,
  marketplaceChangesReader,
} from '../catalogue/marketplace-changes.ts';
import type { Database } from '../catalogue/schema.ts';
import { readSetCoverage, type SetCoverage } from '../catalogue/set-coverage.ts';
import type { Store } from '../connect.ts';
import { type DayMove, movesOfDay, newestHistoryDays } from '../history/index.ts';
import {
  groupQuarantined,
  type QuarantineExample,
  type QuarantineGroup,
  quarantineExamples,
} from '../quarantine/groups.ts';
import { countMatching, listQuarantined } from '../quarantine/quarantine.ts';
import type { SourceHealth } from './health.ts';

/** The facts about a day that an operator should know. `ReportOptions.limit` bounds each list. */
export interface DailyReport {
  readonly day: Day;
  readonly coverage: readonly GameCoverage[];
  readonly moves: MovesReport;
  readonly quarantine: QuarantineReport;
  /** The sources whose prices are stale or whose last check failed. */
  readonly sources: readonly SourceHealth[];
  /** The last import of each source, if it failed or could not read everything. */
  readonly failedImports: readonly FailedImport[];
  /** The parts of sources that are still unreadable, oldest first. */
  readonly failedParts: Counted<StoredPartFault>;
  /** Printings whose marketplace changed on the day or later, newest first. */
  readonly marketplaceChanges: Counted<MarketplaceChange>;
  /** Sets whose figures are a week older than the newest figures of their game, oldest first. */
  readonly oldSets: Counted<SetCoverage>;
  /** Sets that have cards but no market price, newest first. */
  readonly unpricedSets: Counted<SetCoverage>;
}

/** The first items of a list, and the total number of items. */
export interface Counted<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

export interface GameCoverage {
  readonly game: GameSlug;
  readonly sets: number;
  readonly cards: number;
  /** Cards with a market price. */
  readonly priced: number;
}

export interface MovesReport {
  /** Printings with a market price on the day and on an earlier day. */
  readonly compared: number;
  readonly moved: number;
  /** Damaged histories, which were omitted. */
  readonly damaged: number;
  readonly byPercent: readonly NamedMove[];
  readonly byMoney: readonly NamedMove[];
}

/** A move of a market price, with the name of its card. */
export interface NamedMove extends DayMove {
  /** The public id and the name of the card. */
  readonly card: string;
  readonly name: string;
  readonly printingName: string;
  readonly set: string;
  readonly game: GameSlug;
}

export interface QuarantineReport {
  /** Quarantined prices that were observed on the day. */
  readonly observed: number;
  readonly byRule: readonly QuarantineGroup[];
  readonly bySet: Counted<QuarantineGroup>;
  /** All entries that wait for the operator; the items are the oldest ones. */
  readonly waiting: Counted<QuarantineExample>;
}

export interface ReportOptions {
  /** By default the newest day with a price. */
  readonly day?: Day | undefined;
  readonly game?: GameSlug | undefined;
  /** The maximum number of items in each list. */
  readonly limit: number;
  readonly now: Millis;
  readonly health: readonly SourceHealth[];
}

/** Reads the report of a day. Memory use does not grow with the catalogue. */
export async function readDailyReport(store: Store, options: ReportOptions): Promise<DailyReport> {
  const { game, limit, health } = options;
  const day = options.day ?? (await newestDay(store, options));
  const sets = await readSetCoverage(store.db, game);
  return {
    day,
    coverage: coverageByGame(sets),
    moves: await readMoves(store, day, options),
    quarantine: await readQuarantine(store, day, options),
    sources: health.filter(({ stale, error, game: its }) => {
      return (stale || error !== null) && (game === undefined || its === game || its === null);
    }),
    failedImports: (await failedImports(store.db)).slice(0, limit),
    failedParts: first(await failedParts(store, game), limit),
    marketplaceChanges: await readMarketplaceChanges(store, day, options),
    oldSets: first(oldSets(sets), limit),
    unpricedSets: first(unpricedSets(sets), limit),
  };
}

async function newestDay(store: Store, { game, now }: ReportOptions): Promise<Day> {
  const days = await newestHistoryDays(store);
  const wanted = game === undefined ? [...days.values()] : [days.get(game) ?? 0];
  const newest = Math.max(0, ...wanted);
  return (newest === 0 ? Math.floor(now / MS_PER_DAY) : newest) as Day;
}

function first<Item>(items: readonly Item[], limit: number): Counted<Item> {
  return { count: items.length, first: items.slice(0, limit) };
}

function coverageByGame(sets: readonly SetCoverage[]): GameCoverage[] {
  return GAME_SLUGS.flatMap((game) => {
    const own = sets.filter((set) => set.game === game);
    if (own.length === 0) return [];
    const sum = (of: (set: SetCoverage) => number) => own.reduce((all, set) => all + of(set), 0);
    return {
      game,
      sets: own.length,
      cards: sum((set) => set.cards),
      priced: sum((set) => set.priced),
    };
  });
}

async function failedParts({ db }: Store, game: GameSlug | undefined): Promise<StoredPartFault[]> {
  const parts = await readFailedParts(db);
  const own = parts.filter((part) => game === undefined || part.game === game || !part.game);
  return own.sort((a, b) => a.since - b.since);
}

async function readMarketplaceChanges(
  store: Store,
  day: Day,
  { game, limit }: ReportOptions,
): Promise<Counted<MarketplaceChange>> {
  const page = { game, sinceDay: day, limit };
  const { changes, total } = await marketplaceChangesReader(store)(page);
  return { count: total, first: changes };
}

/** Figures of a set are old when they lag this far behind the newest figures of the game. */
const OLD_MS = 7 * MS_PER_DAY;

function oldSets(sets: readonly SetCoverage[]): SetCoverage[] {
  const newest = new Map<GameSlug, Millis>();
  for (const { game, figuresAt } of sets) {
    newest.set(game, Math.max(newest.get(game) ?? 0, figuresAt ?? 0));
  }
  const old = sets.filter(({ game, figuresAt }) => {
    return figuresAt !== null && (newest.get(game) ?? 0) - figuresAt > OLD_MS;
  });
  return old.sort((a, b) => (a.figuresAt ?? 0) - (b.figuresAt ?? 0));
}

function unpricedSets(sets: readonly SetCoverage[]): SetCoverage[] {
  const unpriced = sets.filter(({ priced }) => priced === 0);
  return unpriced.sort((a, b) => ((a.releaseDate ?? '') < (b.releaseDate ?? '') ? 1 : -1));
}

/** The smallest change worth reporting, in cents. */
const LEAST_CHANGE = 100;
/** For a move by percent to be reported, the higher price must be at least this many cents. */
const LEAST_PRICE = 500;

async function readMoves(
  store: Store,
  day: Day,
  { game, limit }: ReportOptions,
): Promise<MovesReport> {
  const counts = { compared: 0, moved: 0, damaged: 0 };
  let [byPercent, byMoney]: [readonly DayMove[], readonly DayMove[]] = [[], []];
  for await (const { moves, damaged } of movesOfDay(store, day, game)) {
    counts.compared += moves.length;
    counts.damaged += damaged;
    counts.moved += moves.filter(({ from, to }) => from !== to).length;
    const large = moves.filter((move) => changeOf(move) >= LEAST_CHANGE);
    const dear = large.filter(({ from, to }) => Math.max(from, to) >= LEAST_PRICE);
    byPercent = largest([...byPercent, ...dear], shareOf, limit);
    byMoney = largest([...byMoney, ...large], changeOf, limit);
  }
  const names = await nameMoves(store.db, [...byPercent, ...byMoney]);
  const named = (move: DayMove) => names.get(move) ?? [];
  return { ...counts, byPercent: byPercent.flatMap(named), byMoney: byMoney.flatMap(named) };
}

function largest(
  moves: readonly DayMove[],
  sizeOf: (move: DayMove) => number,
  limit: number,
): DayMove[] {
  return moves.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, limit);
}

function changeOf({ from, to }: DayMove): number {
  return Math.abs(to - from);
}

/** The ratio of the higher price to the lower: halving counts as much as doubling. */
function shareOf({ from, to }: DayMove): number {
  return Math.max(from, to) / Math.min(from, to);
}

async function nameMoves(
  db: Kysely<Database>,
  moves: readonly DayMove[],
): Promise<Map<DayMove, NamedMove>> {
  const rows = await printingsById(db, [...new Set(moves.map(({ printing }) => printing))]);
  const printings = new Map(rows.map((row) => [row.rowId, row]));
  const cards = await cardsById(db, [...new Set(rows.map(({ cardRowId }) => cardRowId))]);
  const sets = await setsById(db, [
    ...new Set([...cards.values()].map(({ setRowId }) => setRowId)),
  ]);
  const named = moves.flatMap((move): [DayMove, NamedMove][] => {
    const printing = printings.get(move.printing);
    const card = printing && cards.get(printing.cardRowId);
    const set = card && sets.get(card.setRowId);
    if (!set) return [];
    const names = { card: card.id, name: card.name, printingName: printing.name };
    return [[move, { ...move, ...names, set: set.name, game: set.game }]];
  });
  return new Map(named);
}

async function readQuarantine(
  store: Store,
  day: Day,
  { game, limit }: ReportOptions,
): Promise<QuarantineReport> {
  const waiting = { game, isDecided: false };
  const observedSince = startOfDay(day);
  const observedUntil = endOfDay(day);
  const ofDay = { ...waiting, observedSince, observedUntil };
  const byRule = await groupQuarantined(store, 'rule', ofDay);
  const { count } = await countMatching(store.db, waiting);
  const oldest = await listQuarantined(store.db, { ...waiting, limit });
  return {
    observed: byRule.reduce((sum, group) => sum + group.count, 0),
    byRule,
    bySet: first(await groupQuarantined(store, 'set', ofDay), limit),
    waiting: { count, first: await quarantineExamples(store, oldest) },
  };
}
