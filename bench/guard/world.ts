import { addDays, type Day, type Millis, parseDay, startOfDay } from '../../src/domain/day.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import {
  type Amounts,
  cents,
  type Importer,
  type Random,
  type Report,
  type Row,
  type World,
} from './model.ts';

type Catalogue = readonly Pick<Group, 'set' | 'cards'>[];

/** 20:05 UTC, when TCGCSV publishes. */
const PUBLISHED: Millis = 20 * 3_600_000 + 5 * 60_000;
const DAYS_BEFORE = 3;
/** Days before, three possible days to begin, and ten days of a mistake. */
const DAYS = 16;
/** One in this many printings is not listed before the mistakes begin. */
const UNLISTED = 25;
/** The standard deviation of a day's price move: half of all prices move by under 2 %. */
const NOISE = 0.03;

/** Makes a catalogue of TCGCSV, with two printings of each card that move a little every day. */
export function makeWorld(sets: number, cards: number, random: Random): World {
  const first = parseDay('2026-01-01') as Day;
  const days = Array.from({ length: DAYS }, (_, index) => addDays(first, index));
  const groups = Array.from({ length: sets }, (_, index) => makeGroup(`${101 + index}`, cards));
  const all = groups.flatMap(({ set, cards: own }) =>
    own.flatMap(({ externalId: card }): Row[] => {
      const normal = 50 * 200 ** random();
      return [
        { card, printing: 'Normal', set: set.externalId, days: makeDays(normal, random) },
        {
          card,
          printing: 'Holofoil',
          set: set.externalId,
          days: makeDays(normal * (1.2 + 2 * random()), random),
        },
      ];
    }),
  );
  const unlisted = new Set(all.filter(() => random() * UNLISTED < 1));
  return {
    days,
    daysBefore: DAYS_BEFORE,
    rows: all.filter((row) => !unlisted.has(row)),
    unlisted: [...unlisted],
    ...publisher(groups, addDays(first, -1)),
  };
}

/** Returns how a catalogue and its days are imported. */
export function publisher(groups: Catalogue, before: Day): Pick<World, 'prepare' | 'publish'> {
  const known = groups.map(({ set }) => ({ set, cards: 'unchanged' as const }));
  return {
    prepare: (to) => publish(to, before, groups, []),
    publish: (to, day, reports) => publish(to, day, known, reports),
  };
}

/** Makes a set with so many cards. */
export function makeGroup(id: string, size: number) {
  const set = { externalId: id, game: 'pokemon', code: `S${id}`, name: `Set ${id}` } as const;
  const cards = Array.from({ length: size }, (_, index) => ({
    externalId: `${id}${index}`,
    name: `Card ${id}${index}`,
    number: String(index),
    rarity: 'Rare',
    image: null,
  }));
  return { set: { ...set, releaseDate: null }, cards };
}

/** Listings move with the market price, as real ones do: low 0.7, mid 1.1 and high 3 times. */
function makeDays(first: number, random: Random): Amounts[] {
  let market = first;
  return Array.from({ length: DAYS }, () => {
    market *= 1 + NOISE * (random() + random() + random() - 1.5);
    return {
      market: cents(market),
      low: cents(market * 0.7),
      mid: cents(market * 1.1),
      high: cents(market * 3),
    };
  });
}

/** Imports a day of TCGCSV; sets without reports are imported without prices. */
async function publish(
  { store, settings }: Importer,
  day: Day,
  groups: Catalogue,
  reports: readonly Report[],
): Promise<void> {
  const observedAt = startOfDay(day) + PUBLISHED;
  const bySet = Map.groupBy(reports, ({ row }) => row.set);
  const rest = { idSpace: 'tcgcsv', observedAt, skipped: {}, files: [] };
  const snapshot = {
    source: 'tcgcsv',
    games: ['pokemon' as const],
    marketplace: 'tcgplayer',
    observedAt,
    groupCount: groups.length,
    async *groups() {
      for (const { set, cards } of groups) {
        const listings = (bySet.get(set.externalId) ?? []).map(({ row, amounts }) => ({
          externalId: row.card,
          printing: row.printing,
          prices: { market: null, low: null, mid: null, high: null, ...amounts },
        }));
        yield { kind: 'read', group: { ...rest, set, cards, listings } } as const;
      }
    },
  };
  await importSnapshot(store, snapshot, { clock: () => observedAt, ...settings });
}
