import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SevenZip from '7z-wasm';
import type { Day } from '../../src/domain/day.ts';
import { type Cents, centsFromDollars } from '../../src/domain/money.ts';
import type { DayPrices, Provenance } from '../../src/domain/price.ts';

/** Years of days made from the real ones: prices that move as Magic's did in January 2026. */

const MAGIC = '1';
const MAGIC_DAYS = /^prices-(2026-01-(?:19|2[0-8]))\.ppmd\.7z$/;
/** On how many days of a hundred each of the four prices moves, each on its own. */
const MOVES = 0.32;
export const FIRST_DAY = 18_000 as Day;

/** What the real days hold, in cents. */
export interface RealPrices {
  /** Market prices on the newest day. */
  readonly prices: readonly number[];
  /** What market prices changed by from one day to the next, where they changed. */
  readonly amounts: readonly number[];
  /** On which share of the days the source only repeats the day before. */
  readonly repeats: number;
}

/** Reads the Magic days of the archive in `data`; `repeats` is what the days that are made have. */
export async function readRealPrices(data: string, repeats: number): Promise<RealPrices> {
  const folder = join(data, 'tcgcsv-archive');
  const files = readdirSync(folder).filter((file) => MAGIC_DAYS.test(file));
  const newest = new Map<string, number>();
  const amounts: number[] = [];
  for (const file of files.sort()) {
    for (const [printing, price] of await marketPrices(join(folder, file))) {
      const before = newest.get(printing) ?? price;
      if (price !== before) amounts.push(price - before);
      newest.set(printing, price);
    }
  }
  return { prices: [...newest.values()].filter((price) => price > 0), amounts, repeats };
}

async function marketPrices(archive: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const folder = mkdtempSync(join(tmpdir(), 'history-bench-'));
  try {
    await unpack(archive, folder);
    const [day = ''] = readdirSync(folder).filter((name) => name.startsWith('20'));
    for (const group of readdirSync(join(folder, day, MAGIC))) {
      const text = readFileSync(join(folder, day, MAGIC, group, 'prices'), 'utf8');
      const { results }: { results: Price[] } = JSON.parse(text);
      for (const { productId, subTypeName, marketPrice } of results) {
        const cents = marketPrice === null ? undefined : centsFromDollars(marketPrice);
        if (cents !== undefined) found.set(`${productId} ${subTypeName}`, cents);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return found;
}

interface Price {
  readonly productId: number;
  readonly subTypeName: string;
  readonly marketPrice: number | null;
}

async function unpack(archive: string, folder: string): Promise<void> {
  writeFileSync(join(folder, 'archive.7z'), readFileSync(archive));
  const sevenZip = await SevenZip.default({ print: () => {}, printErr: () => {} });
  sevenZip.FS.mkdir('/work');
  sevenZip.FS.mount(sevenZip.NODEFS, { root: folder }, '/work');
  sevenZip.FS.chdir('/work');
  sevenZip.callMain(['x', 'archive.7z', `*/${MAGIC}/*`]);
}

/** `count` days of a printing from {@link FIRST_DAY} on; the same printing gets the same days. */
export function makeDays(real: RealPrices, printing: number, count: number): DayPrices[] {
  const random = randomOf(printing);
  const start = pick(real.prices, random);
  let [market, low, mid, high] = [start, start, start, start];
  const days: DayPrices[] = [];
  for (let index = 0; index < count; index += 1) {
    market = move(market, real.amounts, random);
    low = move(low, real.amounts, random);
    mid = move(mid, real.amounts, random);
    high = move(high, real.amounts, random);
    days.push({ day: (FIRST_DAY + index) as Day, market, low, mid, high } as DayPrices);
  }
  return days;
}

const TCGCSV: Provenance = { source: 'tcgcsv', marketplace: 'tcgplayer', repeated: false };
const REPEATED: Provenance = { ...TCGCSV, repeated: true };
const EBAY: Provenance = { source: 'pricecharting', marketplace: 'ebay', repeated: false };
/** A week a year TCGCSV is away, and a fiftieth of the printings serve another marketplace. */
const OUTAGE_DAYS = 7;
const SERVED_FROM_ELSEWHERE = 50;

/** Where the prices of a day of a printing come from. */
export function provenanceOn({ repeats }: RealPrices, printing: number, day: Day): Provenance {
  const isOut = (day - FIRST_DAY) % 365 >= 365 - OUTAGE_DAYS;
  if (isOut && printing % SERVED_FROM_ELSEWHERE === 0) return EBAY;
  return randomOf(day)() < repeats ? REPEATED : TCGCSV;
}

/** A price that would fall below a cent moves up instead. */
function move(price: number, amounts: readonly number[], random: () => number): Cents {
  if (random() >= MOVES) return price as Cents;
  const amount = pick(amounts, random);
  return (price + amount < 1 ? price - amount : price + amount) as Cents;
}

function pick(values: readonly number[], random: () => number): number {
  return values[Math.floor(random() * values.length)] ?? 0;
}

/** Numbers from 0 to 1 by xorshift32, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
