import type { Kysely } from 'kysely';
import { addDays, type Day } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { DayPrices } from '../../domain/price.ts';
import { sealedId, sealedSpan } from '../../history/spans.ts';
import type { Database, HistoryRecentRow } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import { readPages } from '../engine/paging.ts';
import {
  asNumber,
  DamagedHistory,
  LOOK_BACK,
  recentDays,
  SEALED_BLOCKS,
  sealedDays,
} from './blocks.ts';
import { FIRST_SERIES } from './series.ts';

/** The market price of a printing on a day and on the newest earlier day. */
export interface DayMove {
  readonly printing: number;
  readonly before: Day;
  /** In US cents, like `to`. */
  readonly from: Cents;
  readonly to: Cents;
}

/** The moves of some printings, and the number of damaged histories. */
export interface DayMoves {
  readonly moves: readonly DayMove[];
  readonly damaged: number;
}

const PAGE_ROWS = 1000;

/**
 * Yields, page by page, how the market price of each printing moved on a day. Includes every
 * printing with a market price on that day and on one of the 90 days before it, even if the price
 * stayed the same.
 */
export async function* movesOfDay(
  store: Store,
  day: Day,
  game?: GameSlug,
): AsyncGenerator<DayMoves> {
  const pages = readPages(
    (above) => recentSince(store.db, day, above, game),
    (row) => row.printing_id,
  );
  for await (const page of pages) {
    const older = await sealedBefore(store, page, day);
    const found = page.map((row) => moveOf(row, older.get(row.printing_id) ?? [], day));
    const moves = found.flatMap((move) => (move === undefined || move === DAMAGED ? [] : move));
    yield { moves, damaged: found.filter((move) => move === DAMAGED).length };
  }
}

function recentSince(
  db: Kysely<Database>,
  day: Day,
  above: number,
  game: GameSlug | undefined,
): Promise<HistoryRecentRow[]> {
  const rows = db
    .selectFrom('history_recent')
    .where('last_day', '>=', day)
    .where('printing_id', '>', above)
    .where('printing_id', '<', FIRST_SERIES)
    .selectAll('history_recent')
    .orderBy('printing_id')
    .limit(PAGE_ROWS);
  if (game === undefined) return rows.execute();
  return rows
    .innerJoin('printings', 'printings.id', 'history_recent.printing_id')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('sets.game', '=', game)
    .execute();
}

/** Decodes a block; throws if the block is damaged. */
type Read = () => readonly DayPrices[];

/** Returns the sealed blocks of printings whose recent block does not reach back far enough. */
async function sealedBefore(
  { db, engine }: Store,
  page: readonly HistoryRecentRow[],
  day: Day,
): Promise<Map<number, Read[]>> {
  const from = addDays(day, -LOOK_BACK);
  const ids = page.flatMap(({ printing_id, first_day }) => {
    if (first_day < day) return [];
    return [...new Set([sealedId(printing_id, from), sealedId(printing_id, day)])];
  });
  const blocks = new Map<number, Read[]>();
  for (const row of (await engine.lookup(db, SEALED_BLOCKS, ids)).sort((a, b) => a.id - b.id)) {
    const { printing } = sealedSpan(row.id);
    const own = blocks.get(printing) ?? [];
    blocks.set(printing, [...own, () => sealedDays(row, asNumber, from, day)]);
  }
  return blocks;
}

const DAMAGED = 'damaged';

function moveOf(
  row: HistoryRecentRow,
  older: readonly Read[],
  day: Day,
): DayMove | typeof DAMAGED | undefined {
  try {
    const sealed = older.flatMap((read) => read());
    const days = [...sealed, ...recentDays(row, asNumber, addDays(day, -LOOK_BACK), day)];
    const priced = days.filter(({ market }) => market !== null);
    const [before, now] = priced.slice(-2);
    if (!before?.market || !now?.market || now.day !== day) return undefined;
    return { printing: row.printing_id, before: before.day, from: before.market, to: now.market };
  } catch (error) {
    if (error instanceof DamagedHistory) return DAMAGED;
    throw error;
  }
}
