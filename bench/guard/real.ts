import { addDays, type Day } from '../../src/domain/day.ts';
import { FIGURES } from '../../src/domain/price.ts';
import { readPrices } from '../../src/sources/tcgcsv/read.ts';
import { findDays } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import { type Amounts, type Random, type Row, rowKey, type World } from './model.ts';
import { makeGroup, publisher } from './world.ts';

/** Real days of TCGCSV's archive, for mistakes among prices that move as prices do. */

const DAYS_BEFORE = 4;
/** Days before, three possible days to begin, and ten days of a mistake. */
const DAYS = 16;
/** Smaller sets are left out. */
const LEAST_SET = 40;

type Reported = Omit<Row, 'days'> & { readonly days: (Amounts | undefined)[] };

/**
 * Reads the newest days of an archive, of so many sets that are reported on all of them. Where the
 * archive has too few days, its days follow once more in reverse: each price then moves back by the
 * steps by which it came.
 */
export async function readWorld(archive: string, sets: number, random: Random): Promise<World> {
  const read = await readRows(archive);
  const bySet = [...Map.groupBy(read.rows, ({ set }) => set)].filter(([, rows]) => {
    return rows.length >= LEAST_SET;
  });
  const chosen = bySet
    .map(([set, rows]) => ({ set, rows, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, sets);
  const first = (read.last - read.count + 1) as Day;
  const rows = chosen.flatMap(({ rows: own }) => own.map((row) => extended(row)));
  const groups = chosen.map(({ set, rows: own }) => {
    const cards = [...new Set(own.map(({ card }) => card))];
    const made = makeGroup(set, cards.length);
    return {
      ...made,
      cards: made.cards.map((card, at) => ({ ...card, externalId: cards[at] ?? '' })),
    };
  });
  return {
    days: Array.from({ length: DAYS }, (_, index) => addDays(first, index)),
    daysBefore: DAYS_BEFORE,
    rows,
    unlisted: [],
    ...publisher(groups, addDays(first, -1)),
  };
}

/** What a day of an archive reports of each printing. */
interface ArchiveDay {
  readonly day: Day;
  readonly rows: ReadonlyMap<string, readonly [row: Omit<Row, 'days'>, amounts: Amounts]>;
}

/** Reads the days since the archive has had most of its sets. */
async function readRows(archive: string) {
  const days = await readDays(archive);
  const most = Math.max(...days.map(({ rows }) => rows.size));
  const full = days.filter(({ rows }) => rows.size >= most / 2);
  const found = new Map<string, Reported>();
  for (const [index, { rows }] of full.entries()) {
    for (const [key, [row, amounts]] of rows) {
      const known = found.get(key) ?? { ...row, days: [] };
      known.days[index] = amounts;
      found.set(key, known);
    }
  }
  const last = full.at(-1)?.day ?? (0 as Day);
  return { rows: [...found.values()], last, count: full.length };
}

async function readDays(archive: string): Promise<ArchiveDay[]> {
  const unpacker = new Unpacker();
  const days: ArchiveDay[] = [];
  for (const { day, read } of (await findDays(archive, unpacker)).slice(-DAYS)) {
    const entries = (await (await read())?.entries()) ?? [];
    const rows = entries.flatMap(({ path, bytes }) => rowsOf(path.split('/').at(-2) ?? '', bytes));
    days.push({ day, rows: new Map(rows.map(([row, amounts]) => [rowKey(row), [row, amounts]])) });
  }
  await unpacker.close();
  return days;
}

function rowsOf(set: string, bytes: Uint8Array): [Omit<Row, 'days'>, Amounts][] {
  const priced = readPrices(bytes).listings.filter(({ prices }) => prices.market);
  return priced.map(({ externalId: card, printing, prices }) => {
    const known = FIGURES.flatMap((name) => (prices[name] ? [[name, prices[name]]] : []));
    return [{ card, printing, set }, Object.fromEntries(known) as Amounts];
  });
}

/** Continues a row with its days in reverse, back and forth. */
function extended({ days, ...row }: Reported): Row {
  const length = Math.max(2, days.length);
  const period = 2 * (length - 1);
  const at = (index: number) => {
    const place = index % period;
    return place < length ? place : period - place;
  };
  return { ...row, days: Array.from({ length: DAYS }, (_, index) => days[at(index)]) };
}
