import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { HistoryDay, Provenance } from '../../domain/price.ts';
import { LAST_DAY } from '../../history/codec.ts';
import { sortDays } from '../../history/days.ts';
import { type BlockDay, UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import { RECENT_KEPT, recentLimit, SPAN_DAYS, sealedId, sealedSpan } from '../../history/spans.ts';
import type { Database, HistoryRecentRow, HistoryRow } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import {
  asNumber,
  DamagedHistory,
  RECENT_BLOCKS,
  recentDays,
  recentRow,
  SEALED_BLOCKS,
  sealedRow,
} from './blocks.ts';
import { numberProvenances, readProvenances } from './provenances.ts';
import { sealedBlock } from './stored-blocks.ts';

/** Replaces damaged blocks with days from another history, or gives up their days. */

/** Reads the days of one of our printings from another history, in ascending order. */
export type Replacement = (printing: number, from: Day, to: Day) => Promise<readonly HistoryDay[]>;

export interface RepairOptions {
  /** The source of replacement days. */
  readonly replacement?: Replacement;
  /** Whether to give up days that cannot be replaced. Otherwise their block stays unchanged. */
  readonly leaveOut: boolean;
}

/** The result of repairing the damaged blocks of a printing. */
export interface Repair {
  readonly printing: number;
  /** The first and the last day that the damaged blocks can hold. */
  readonly from: Day;
  readonly to: Day;
  /** Days that could still be read and were kept. */
  readonly kept: number;
  /** Days taken from the replacement. */
  readonly replaced: number;
  /** `replaced`: the replacement has the lost days; `left out`: some were given up. */
  readonly outcome: 'replaced' | 'left out' | 'still damaged';
}

/**
 * Repairs the history of a printing with damaged blocks, in one transaction. Days of other blocks
 * stay. Without `leaveOut` nothing changes unless the replacement has the lost days: the first and
 * the last day of a recent block, which are known, or any day of a sealed block.
 */
export function repairHistory(
  store: Store,
  printing: number,
  options: RepairOptions,
): Promise<Repair> {
  return store.db.transaction().execute(async (transaction) => {
    const { days, lost } = await salvage(transaction, printing);
    const found = await Promise.all(lost.map((range) => replace(printing, range, options)));
    const incoming = found.flat();
    const isWhole = lost.every((range, index) => covers(found[index] ?? [], range));
    const about = {
      printing,
      from: Math.min(...lost.map(({ from }) => from)) as Day,
      to: Math.max(...lost.map(({ to }) => to)) as Day,
      kept: days.length,
    };
    if (!isWhole && !options.leaveOut) return { ...about, replaced: 0, outcome: 'still damaged' };
    const numbered = await withNumbers(transaction, incoming);
    // Days that could be read take precedence.
    await rewrite(store, transaction, printing, sortDays([...numbered, ...days]));
    const outcome = isWhole ? 'replaced' : 'left out';
    return { ...about, replaced: incoming.length, outcome };
  });
}

/** Days of a damaged block. */
interface LostDays {
  readonly from: Day;
  readonly to: Day;
  /** Whether the block is known to have held the first and the last of these days. */
  readonly isExact: boolean;
}

interface Salvaged {
  /** The days of all readable blocks. */
  readonly days: readonly BlockDay[];
  readonly lost: readonly LostDays[];
}

async function salvage(db: Kysely<Database>, printing: number): Promise<Salvaged> {
  const days: BlockDay[] = [];
  const lost: LostDays[] = [];
  const recent = await db
    .selectFrom('history_recent')
    .where('printing_id', '=', printing)
    .selectAll()
    .executeTakeFirst();
  const end = recent ? ((recent.first_day - 1) as Day) : (LAST_DAY as Day);
  for (const row of await sealedRowsOf(db, printing)) {
    const { firstDay: from } = sealedSpan(row.id);
    const read = readable(() => sealedBlock(row).read(asNumber));
    const to = Math.min(from + SPAN_DAYS - 1, Math.max(end, from)) as Day;
    if (read) days.push(...read);
    else lost.push({ from, to, isExact: false });
  }
  const newest = recent && readable(() => recentDays(recent, asNumber));
  if (newest) days.push(...newest);
  else lost.push(lostRecent(recent, days));
  return { days: await knownOnly(db, days), lost };
}

/** The days of a recent block that is damaged, or missing although sealed blocks exist. */
function lostRecent(recent: HistoryRecentRow | undefined, sealed: readonly BlockDay[]): LostDays {
  if (recent && recent.first_day <= recent.last_day) {
    return { from: recent.first_day as Day, to: recent.last_day as Day, isExact: true };
  }
  const from = ((sealed.at(-1)?.day ?? -1) + 1) as Day;
  return { from, to: LAST_DAY as Day, isExact: false };
}

function sealedRowsOf(db: Kysely<Database>, printing: number): Promise<HistoryRow[]> {
  return db
    .selectFrom('history')
    .where('id', '>=', sealedId(printing, 0 as Day))
    .where('id', '<=', sealedId(printing, LAST_DAY as Day))
    .selectAll()
    .orderBy('id')
    .execute();
}

function readable(read: () => BlockDay[]): BlockDay[] | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedHistory) return undefined;
    throw error;
  }
}

/** Sets provenance numbers that `history_sources` does not have to unknown. */
async function knownOnly(db: Kysely<Database>, days: readonly BlockDay[]): Promise<BlockDay[]> {
  const known = await readProvenances(db);
  return days.map((day) => {
    return known.has(day.provenance) ? day : { ...day, provenance: UNKNOWN_PROVENANCE };
  });
}

async function replace(
  printing: number,
  { from, to }: LostDays,
  { replacement }: RepairOptions,
): Promise<readonly HistoryDay[]> {
  return replacement ? replacement(printing, from, to) : [];
}

function covers(found: readonly HistoryDay[], { from, to, isExact }: LostDays): boolean {
  if (!isExact) return found.length > 0;
  return found[0]?.day === from && found.at(-1)?.day === to;
}

async function withNumbers(
  transaction: Kysely<Database>,
  days: readonly HistoryDay[],
): Promise<BlockDay[]> {
  const wanted = new Set<Provenance>();
  for (const { provenance } of days) if (provenance) wanted.add(provenance);
  const { numbers } = await numberProvenances(transaction, wanted);
  return days.map(({ provenance, ...prices }) => ({
    ...prices,
    provenance: (provenance && numbers.get(provenance)) ?? UNKNOWN_PROVENANCE,
  }));
}

/** Rewrites all blocks of a printing from its days. */
async function rewrite(
  { engine }: Store,
  transaction: Kysely<Database>,
  printing: number,
  days: readonly BlockDay[],
): Promise<void> {
  await transaction.deleteFrom('history_recent').where('printing_id', '=', printing).execute();
  await transaction
    .deleteFrom('history')
    .where('id', '>=', sealedId(printing, 0 as Day))
    .where('id', '<=', sealedId(printing, LAST_DAY as Day))
    .execute();
  if (days.length === 0) return;
  const sealing = days.length > recentLimit(printing) ? days.slice(0, -RECENT_KEPT) : [];
  const spans = Map.groupBy(sealing, ({ day }) => sealedId(printing, day));
  const sealed = [...spans].map(([id, own]) => sealedRow(id, own));
  await engine.upsert(transaction, SEALED_BLOCKS, sealed);
  const recent = recentRow(printing, days.slice(sealing.length));
  await engine.upsert(transaction, RECENT_BLOCKS, [recent]);
}
