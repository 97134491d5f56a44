/** The real days alone, with nothing made and nothing wrong: what is held of them is held wrongly. */
import { join } from 'node:path';
import { addDays, type Day, parseDay } from '../../src/domain/day.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import { parseGrades } from '../../src/sources/contract/feed.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { amountsOf, readItems, readTree } from './data.ts';
import { quoteDays } from './feed-worlds.ts';
import {
  eachDay,
  listingsOf,
  type RealDays,
  reportsOf,
  setsOfCards,
  splitKey,
  withoutCards,
} from './kit.ts';
import { type Amounts, type Importer, type Report, type Row, rowKey, type World } from './model.ts';
import { publishBackfill, publishFeed, publishSnapshot } from './publish.ts';

export const TRUE_WORLDS: readonly ((sources: RealDays) => Promise<World>)[] = [
  archiveDays,
  archiveAtOnce,
  scryfallAlone,
  scryfallWithTcgcsv,
  priceChartingOnce,
  nearMintQuotes,
];

const TREE_DAY = parseDay('2025-06-25') as Day;
const NOTHING_PLANTED = { daysBefore: 0, unlisted: [], isAtOnce: false } as const;

/** All days of TCGCSV's archive, imported day by day; Pokémon's sets seven months before, too. */
async function archiveDays(sources: RealDays): Promise<World> {
  const { groups, rows, days } = await archiveRows(sources);
  const known = withoutCards(groups);
  return {
    name: 'archive, day by day',
    about: 'TCGCSV: 132 days of Lorcana, ten of Magic, one of Pokémon and one seven months before',
    ...{ ...NOTHING_PLANTED, source: 'tcgcsv', days, rows },
    prepare: (to) => publishSnapshot(to, addDays(TREE_DAY, -1), groups, []),
    publish: eachDay(days, (to, day, reports) => {
      return publishSnapshot(to, day, reportedGroups(known, reports), reports);
    }),
  };
}

/** The same days in one import of the archive; Pokémon's earlier day is imported before. */
async function archiveAtOnce(sources: RealDays): Promise<World> {
  const { groups, rows, days } = await archiveRows(sources);
  const first = reportsOf(rows, 0);
  return {
    name: 'archive, at once',
    about: 'the same days in one import of the archive',
    ...{ ...NOTHING_PLANTED, source: 'tcgcsv', days, rows, isAtOnce: true },
    prepare: (to) => publishSnapshot(to, TREE_DAY, groups, first),
    publish: (to, published) => {
      const all = published.map(({ index, reports }) => ({ day: dayAt(days, index), reports }));
      const shape = { source: 'tcgcsv-archive', marketplace: 'tcgplayer' };
      return publishBackfill(to, all.slice(1), shape);
    },
  };
}

function reportedGroups<Own extends Pick<Group, 'set'>>(
  groups: readonly Own[],
  reports: readonly Report[],
): Own[] {
  const reported = new Set(reports.map(({ row }) => row.set));
  return groups.filter(({ set }) => reported.has(set.externalId));
}

/** Returns the days of the archive, and before them the day of Pokémon's tree. */
async function archiveRows({ data, archive }: RealDays) {
  const all = await readTree(data, ['mtg', 'lorcana', 'pokemon']);
  const sets = setsOfCards(all);
  const days = [TREE_DAY, ...archive.keys()];
  const keys = new Set([...archive.values()].flatMap((prices) => [...prices.keys()]));
  const used = new Set([...keys].flatMap((key) => sets.get(splitKey(key).card) ?? []));
  const groups = all.filter(({ set }) => used.has(set.externalId));
  const pokemon = groups.filter(({ set }) => set.game === 'pokemon');
  const before = new Map(
    listingsOf(pokemon).map(({ row, amounts }) => [rowKey(row), amounts] as const),
  );
  const rows = [...keys].flatMap((key): Row[] => {
    const { card, printing } = splitKey(key);
    const set = sets.get(card);
    const own = [before.get(key), ...[...archive.values()].map((prices) => prices.get(key))];
    return set === undefined ? [] : [{ card, printing, set, days: own }];
  });
  return { groups, rows, days };
}

const SCRYFALL_DAYS = ['2026-01-19', '2026-01-28'] as const;

/** Scryfall on two days, nine days apart. */
async function scryfallAlone(sources: RealDays): Promise<World> {
  const { groups, rows, days, shape } = await scryfallDays(sources);
  return {
    name: 'Scryfall, two days',
    about: 'Scryfall on two days, nine days apart, with no other source',
    ...{ ...NOTHING_PLANTED, source: 'scryfall', days, rows },
    prepare: (to) => publishSnapshot(to, addDays(dayAt(days, 0), -1), groups, []),
    publish: eachDay(days, (to, day, reports) => publishFeed(to, day, shape, reports)),
  };
}

/** Scryfall after TCGCSV on the same two days. */
async function scryfallWithTcgcsv(sources: RealDays): Promise<World> {
  const world = await scryfallAlone(sources);
  const { groups, days, shape } = await scryfallDays(sources);
  const { rows: tcgcsv, days: all } = await archiveRows(sources);
  const known = withoutCards(groups);
  const beside = async (to: Importer, day: Day, reports: readonly Report[]) => {
    const own = reportsOf(tcgcsv, all.indexOf(day));
    await publishSnapshot(to, day, known, own);
    await publishFeed(to, day, shape, reports);
  };
  return {
    ...world,
    name: 'Scryfall beside TCGCSV',
    about: 'Scryfall on two days, each time after TCGCSV of the same day',
    publish: eachDay(days, beside),
  };
}

async function scryfallDays({ data }: RealDays) {
  const groups = await readTree(data, ['mtg']);
  const days = SCRYFALL_DAYS.map((date) => parseDay(date) as Day);
  const cards = new Map<string, FeedItem['card']>();
  const found = new Map<string, { row: Omit<Row, 'days'>; days: (Amounts | undefined)[] }>();
  for (const [index, date] of SCRYFALL_DAYS.entries()) {
    const file = join(data, `scryfall/default-cards-${date}.json.gz`);
    for (const { card, observations } of await readItems(openScryfall, file)) {
      cards.set(card.externalId, card);
      for (const { marketplace, printing, prices } of observations) {
        if (marketplace !== 'tcgplayer' || prices.market === null) continue;
        const row = { card: card.externalId, printing, set: card.setName ?? '' };
        const own = found.get(rowKey(row)) ?? { row, days: days.map(() => undefined) };
        own.days[index] = amountsOf({ prices });
        found.set(rowKey(row), own);
      }
    }
  }
  const rows = [...found.values()].map(({ row, days: own }) => ({ ...row, days: own }));
  return { groups, days, rows, shape: { source: 'scryfall', marketplace: 'tcgplayer', cards } };
}

/** PriceCharting's first import, beside TCGCSV's prices of months ago. */
async function priceChartingOnce({ data }: RealDays): Promise<World> {
  const groups = await readTree(data, ['pokemon']);
  const file = join(data, 'pricecharting/pokemon-cards.csv');
  const items = await readItems(openPriceCharting, file, {
    grades: parseGrades(['grade_9=psa_9']),
  });
  const day = parseDay('2026-03-01') as Day;
  const days = [day, addDays(day, 1)];
  const cards = new Map(items.map(({ card }) => [card.externalId, card]));
  const rows = items.flatMap(({ card, observations: [one] }): Row[] => {
    if (!one) return [];
    const amounts = amountsOf(one);
    const row = { card: card.externalId, printing: one.printing, set: card.setName ?? '' };
    return [{ ...row, days: [amounts, amounts] }];
  });
  const shape = { source: 'pricecharting', marketplace: 'pricecharting', cards };
  return {
    name: 'PriceCharting',
    about: 'PriceCharting, the same day imported on two days, beside TCGCSV of eight months before',
    ...{ ...NOTHING_PLANTED, source: 'pricecharting', days, rows },
    prepare: (to) => publishSnapshot(to, TREE_DAY, groups, listingsOf(groups)),
    publish: eachDay(days, (to, own, reports) => publishFeed(to, own, shape, reports)),
  };
}

/** The operator's own near mint prices of 199 days, a file a day. */
async function nearMintQuotes(sources: RealDays): Promise<World> {
  const { groups, rows, days } = await quoteDays(sources, Number.POSITIVE_INFINITY);
  return {
    name: 'quotes',
    about: 'quotes, Lorcana: near mint prices of 199 days, a file a day, with no other source',
    ...{ ...NOTHING_PLANTED, source: 'quotes', days, rows },
    prepare: (to) => publishSnapshot(to, addDays(dayAt(days, 0), -1), groups, []),
    publish: eachDay(days, (to, day, reports) => {
      return publishBackfill(to, [{ day, reports }], { source: 'quotes', marketplace: 'my-shop' });
    }),
  };
}

function dayAt(days: readonly Day[], index: number): Day {
  return days[index] ?? (0 as Day);
}
