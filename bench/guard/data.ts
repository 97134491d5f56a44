/** Reads the real days of prices that mistakes are planted in. */
import { join } from 'node:path';
import type { Day, Millis } from '../../src/domain/day.ts';
import { GAMES, type GameSlug } from '../../src/domain/games.ts';
import type { Observation } from '../../src/domain/observation.ts';
import { CONDITIONS, FIGURES, type PriceFigures } from '../../src/domain/price.ts';
import type { FeedItem, FeedOptions, OpenFeed } from '../../src/sources/contract/feed.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openTcgcsv } from '../../src/sources/tcgcsv/read.ts';
import { findDays, openArchive } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import type { AmountName, Amounts } from './model.ts';

/** A moment after all days of the data. */
export const NOW: Millis = Date.parse('2026-06-01T00:00:00Z');

/** Prices of a day by `product printing`. */
export type DayOfPrices = ReadonlyMap<string, Amounts>;

/** Returns the groups of TCGCSV's tree of some games, with their cards and prices. */
export async function readTree(data: string, slugs: readonly GameSlug[]): Promise<Group[]> {
  const games = GAMES.filter(({ slug }) => slugs.includes(slug));
  const folder = await openFolder(join(data, 'tcgcsv'));
  const snapshot = await openTcgcsv(folder, { games, observedAt: NOW });
  const groups: Group[] = [];
  for await (const outcome of snapshot.groups(() => undefined)) {
    if (outcome.kind === 'read') groups.push(outcome.group);
  }
  return groups;
}

/** Returns every day of TCGCSV's archive, oldest first. */
export async function readArchive(data: string): Promise<Map<Day, DayOfPrices>> {
  const unpacker = new Unpacker();
  const days = new Map<Day, Map<string, Amounts>>();
  try {
    const found = await findDays(join(data, 'tcgcsv-archive'), unpacker);
    const archive = openArchive({ days: found, now: NOW, again: true });
    for await (const { outcome } of archive.parts(() => undefined)) {
      if (outcome.kind !== 'read') throw new Error(`${outcome.name} cannot be read`);
      for (const { listings } of outcome.part.chunks) {
        for (const { externalId, printing, day, prices } of listings) {
          const own = days.get(day) ?? new Map<string, Amounts>();
          days.set(day, own.set(`${externalId} ${printing}`, amountsOf({ prices })));
        }
      }
    }
  } finally {
    await unpacker.close();
  }
  return days;
}

/** Returns all items of a feed's file. */
export async function readItems(
  open: OpenFeed,
  location: string,
  options: Partial<FeedOptions> = {},
): Promise<FeedItem[]> {
  const feed = await open(location, {
    ...{ now: NOW, games: null, observedAt: NOW, files: {} },
    ...options,
  });
  const items: FeedItem[] = [];
  for await (const batch of feed.batches()) items.push(...batch.items);
  return items;
}

/** Returns all known amounts of an observation by their names. */
export function amountsOf(of: Partial<Pick<Observation, 'prices' | 'conditions' | 'graded'>>) {
  const amounts: Record<string, number> = {};
  for (const [name, amount] of Object.entries({ ...of.prices, ...of.conditions, ...of.graded })) {
    if (amount !== null) amounts[name] = amount;
  }
  return amounts as Amounts;
}

/** Returns amounts as the parts of an observation: figures, conditions and grades. */
export function partsOf(amounts: Amounts): Pick<Observation, 'prices' | 'conditions' | 'graded'> {
  const names = Object.keys(amounts) as AmountName[];
  const pick = (isPart: (name: AmountName) => boolean) => {
    return Object.fromEntries(names.filter(isPart).map((name) => [name, amounts[name]]));
  };
  const isFigure = (name: string) => (FIGURES as readonly string[]).includes(name);
  const isCondition = (name: string) => (CONDITIONS as readonly string[]).includes(name);
  return {
    prices: pricesOf(amounts),
    conditions: pick(isCondition),
    graded: pick((name) => !isFigure(name) && !isCondition(name)),
  };
}

/** Returns the four figures among amounts; missing ones are null. */
export function pricesOf({ market, low, mid, high }: Amounts): PriceFigures {
  return { market: market ?? null, low: low ?? null, mid: mid ?? null, high: high ?? null };
}
