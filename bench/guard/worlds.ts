/** The sources in which mistakes are planted, each with its real days. */
import { join } from 'node:path';
import { addDays, type Day, dayOf, parseDay } from '../../src/domain/day.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import { parseGrades } from '../../src/sources/contract/grades.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { EMPTY_REFERENCE } from '../../src/sources/kit/observations.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { openQuotes } from '../../src/sources/quotes/read.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { amountsOf, type DayOfPrices, NOW, readArchive, readItems, readTree } from './data.ts';
import { type Amounts, cents, type Importer, type Report, type Row, type World } from './model.ts';
import { makeDays, type Random, type RealMoves, realMoves } from './moves.ts';
import { type FeedShape, publishBackfill, publishFeed, publishSnapshot } from './publish.ts';

/** What all worlds are made of. */
export interface Sources {
  readonly data: string;
  readonly archive: ReadonlyMap<Day, DayOfPrices>;
  readonly moves: RealMoves;
  readonly random: Random;
}

/** The days before a mistake, and those on which mistakes begin and last: ten at least. */
const DAYS_BEFORE = 3;
const DAYS = 16;
/** Of so many printings one is not listed before the mistakes begin. */
const UNLISTED = 25;
/** How many printings of a large catalogue take part. */
const SOME_ROWS = 7000;

/** The worlds by name; each is built when it is asked for. */
export const WORLDS: Readonly<Record<string, (sources: Sources) => Promise<World>>> = {
  magic,
  pokemon,
  lorcana,
  archive: lorcanaAtOnce,
  scryfall,
  'beside scryfall': besideScryfall,
  pricecharting,
  justtcg,
  quotes,
};

/** Reads what several worlds need. */
export async function readSources(data: string): Promise<Omit<Sources, 'random'>> {
  const archive = await readArchive(data);
  return { data, archive, moves: realMoves(archive) };
}

/** TCGCSV's ten real days of Magic, market prices only, and made days after them. */
async function magic(sources: Sources): Promise<World> {
  const groups = someGroups(await readTree(sources.data, ['mtg']), sources.random);
  const rows = magicRows(sources, groups);
  return {
    name: 'magic',
    about: 'TCGCSV, Magic: ten real days (market only), the six after them made of real day ratios',
    ...snapshotWorld(groups, [...magicDays(sources)], rows, sources.random),
  };
}

function magicDays({ archive }: Sources): Day[] {
  const real = [...archive].filter(([, prices]) => prices.size > 20_000).map(([day]) => day);
  const last = real.at(-1) ?? (0 as Day);
  return [...real, ...Array.from({ length: DAYS - real.length }, (_, i) => addDays(last, i + 1))];
}

function magicRows(sources: Sources, groups: readonly Group[]): Row[] {
  const { archive, moves, random } = sources;
  const days = magicDays(sources);
  const sets = setsOfCards(groups);
  const keys = new Set(days.flatMap((day) => [...(archive.get(day)?.keys() ?? [])]));
  return [...keys].flatMap((key) => {
    const { card, printing } = splitKey(key);
    const set = sets.get(card);
    if (set === undefined) return [];
    const real = days.flatMap((day) => (archive.has(day) ? [archive.get(day)?.get(key)] : []));
    const last = real.at(-1);
    const made = last ? makeDays(last, days.length - real.length + 1, moves, random).slice(1) : [];
    return [{ card, printing, set, days: [...real, ...made] }];
  });
}

/** TCGCSV's one day of Pokémon with all four figures, and made days after it. */
async function pokemon({ data, moves, random }: Sources): Promise<World> {
  const all = await readTree(data, ['pokemon']);
  const groups = someGroups(all, random);
  const rows = groups.flatMap(({ set, listings }) =>
    listings.map(({ externalId, printing, prices }) => {
      const days = makeDays(amountsOf({ prices }), DAYS, moves, random);
      return { card: externalId, printing, set: set.externalId, days };
    }),
  );
  const first = parseDay('2025-06-25') as Day;
  return {
    name: 'pokemon',
    about:
      'TCGCSV, Pokémon: one real day (all figures), the others made of real day ratios of Magic',
    ...snapshotWorld(groups, daysFrom(first, DAYS), rows, random),
  };
}

/** Takes sets in random order until there are enough rows. */
function someGroups(groups: readonly Group[], random: Random): Group[] {
  const taken: Group[] = [];
  let rows = 0;
  const left = [...groups];
  while (rows < SOME_ROWS && left.length > 0) {
    const [group] = left.splice(Math.floor(random() * left.length), 1);
    if (!group || group.listings.length === 0) continue;
    taken.push(group);
    rows += group.listings.length;
  }
  return taken;
}

/** TCGCSV's real days of Lorcana's chase cards: a long past. */
async function lorcana(sources: Sources): Promise<World> {
  const { days, rows, groups } = await lorcanaDays(sources);
  const world = snapshotWorld(groups, days, rows, sources.random);
  return {
    name: 'lorcana',
    about: "TCGCSV, Lorcana's chase cards: 76 of the real days (market only)",
    ...{ ...world, daysBefore: days.length - DAYS, unlisted: [], rows },
  };
}

/** The same days, all in one import of the archive. */
async function lorcanaAtOnce(sources: Sources): Promise<World> {
  const { days, rows, groups } = await lorcanaDays(sources);
  const world = snapshotWorld(groups, days, rows, sources.random);
  return {
    ...world,
    ...{ name: 'archive', source: 'tcgcsv', rows, unlisted: [] },
    about: 'the same days of Lorcana in one import of the archive; the history is judged',
    ...{ isAtOnce: true, daysBefore: days.length - DAYS },
    publish: (to, published) => {
      const all = published.map(({ index, reports }) => {
        return { day: days[index] ?? (0 as Day), reports };
      });
      return publishBackfill(to, all, { source: 'tcgcsv-archive', marketplace: 'tcgplayer' });
    },
  };
}

async function lorcanaDays({ data, archive }: Sources) {
  const groups = await readTree(data, ['lorcana']);
  const sets = setsOfCards(groups);
  const days = [...archive.keys()].slice(-LONG_PAST);
  const keys = new Set(days.flatMap((day) => [...(archive.get(day)?.keys() ?? [])]));
  const rows = [...keys].flatMap((key): Row[] => {
    const { card, printing } = splitKey(key);
    const set = sets.get(card);
    if (set === undefined) return [];
    return [{ card, printing, set, days: days.map((day) => archive.get(day)?.get(key)) }];
  });
  const own = new Set(rows.map(({ set }) => set));
  return { days, rows, groups: groups.filter(({ set }) => own.has(set.externalId)) };
}

const LONG_PAST = 76;

/** Scryfall after TCGCSV has failed: its last prices are older than they count. */
async function scryfall(sources: Sources): Promise<World> {
  const { groups, rows, days, shape, tcgcsv } = await scryfallDays(sources);
  const lastOfTcgcsv = addDays(days[0] ?? (0 as Day), -OUTAGE);
  return {
    name: 'scryfall',
    about: `Scryfall, ${OUTAGE} days and more after TCGCSV's last day: two real days, those between moved as TCGCSV's`,
    ...{ source: 'scryfall', days, daysBefore: DAYS_BEFORE, rows, unlisted: [], isAtOnce: false },
    prepare: async (to) => {
      await publishSnapshot(to, lastOfTcgcsv, groups, reportsOf(tcgcsv, 0));
    },
    publish: eachDay(days, (to, day, reports) => publishFeed(to, day, shape, reports)),
  };
}

/** TCGCSV makes the mistakes, and Scryfall reports the truth beside it. */
async function besideScryfall(sources: Sources): Promise<World> {
  const { groups, rows, days, shape, tcgcsv } = await scryfallDays(sources);
  const known = withoutCards(groups);
  return {
    name: 'beside scryfall',
    about: 'TCGCSV, Magic, with Scryfall reporting the truth on the same days',
    ...{ source: 'tcgcsv', days, daysBefore: DAYS_BEFORE, rows: tcgcsv, unlisted: [] },
    isAtOnce: false,
    prepare: (to) => publishSnapshot(to, addDays(days[0] ?? (0 as Day), -1), groups, []),
    publish: eachDay(days, async (to, day, reports, index) => {
      await publishSnapshot(to, day, known, reports);
      await publishFeed(to, day, shape, reportsOf(rows, index));
    }),
  };
}

const OUTAGE = 9;

async function scryfallDays(sources: Sources) {
  const { data, random } = sources;
  const groups = someGroups(await readTree(data, ['mtg']), random);
  const tcgcsv = magicRows(sources, groups);
  const file = join(data, 'scryfall/default-cards-2026-01-19.json.gz');
  const items = await readItems(openScryfall, file);
  const days = magicDays(sources);
  const byCard = Map.groupBy(tcgcsv, ({ card }) => card);
  const cards = new Map<string, FeedItem['card']>();
  const rows = items.flatMap(({ card, observations }) => {
    const own = byCard.get(card.externalIds.tcgplayer ?? '') ?? [];
    return observations.flatMap(({ marketplace, printing, prices }): Row[] => {
      const same = own.find((row) => row.printing === printing);
      if (marketplace !== 'tcgplayer' || prices.market === null || !same) return [];
      cards.set(card.externalId, card);
      const moved = movedLike(same, prices.market);
      return [{ card: card.externalId, printing, set: card.setName ?? '', days: moved }];
    });
  });
  const shape: FeedShape = { source: 'scryfall', marketplace: 'tcgplayer', cards };
  return { groups, rows, days, shape, tcgcsv };
}

/** The days of a price that moves as another source's price of the same printing. */
function movedLike({ days }: Row, market: number): Row['days'] {
  const first = days[0]?.market;
  return days.map((amounts) => {
    if (!first || !amounts?.market) return undefined;
    return { market: cents((market * amounts.market) / first) };
  });
}

/** PriceCharting's raw and graded prices; TCGCSV's prices of the same cards are months old. */
async function pricecharting({ data, moves, random }: Sources): Promise<World> {
  const groups = await readTree(data, ['pokemon']);
  const items = await readItems(openPriceCharting, join(data, 'pricecharting/pokemon-cards.csv'), {
    grades: parseGrades(['grade_9=psa_9']),
  });
  const cards = new Map(items.map(({ card }) => [card.externalId, card]));
  const rows = items.flatMap(({ card, observations: [observation] }): Row[] => {
    if (!observation) return [];
    const days = makeDays(amountsOf(observation), DAYS, moves, random);
    const { printing } = observation;
    return [{ card: card.externalId, printing, set: card.setName ?? '', days }];
  });
  const days = daysFrom(parseDay('2026-03-01') as Day, DAYS);
  const shape: FeedShape = { source: 'pricecharting', marketplace: 'pricecharting', cards };
  return {
    name: 'pricecharting',
    about: 'PriceCharting, raw and graded: one real day, the others made of real day ratios',
    ...{ source: 'pricecharting', days, daysBefore: DAYS_BEFORE, rows, unlisted: [] },
    isAtOnce: false,
    prepare: (to) => {
      return publishSnapshot(to, parseDay('2025-06-25') as Day, groups, listingsOf(groups));
    },
    publish: eachDay(days, (to, day, reports) => publishFeed(to, day, shape, reports)),
  };
}

/** What worn copies cost of a near mint one, about. */
const WORN = {
  lightly_played: 0.87,
  moderately_played: 0.72,
  heavily_played: 0.55,
  damaged: 0.4,
} as const;

/** JustTCG's conditions: the real near mint prices of each day, and shares of them. */
async function justtcg(sources: Sources): Promise<World> {
  const { groups, rows: nearMint, days } = await quoteDays(sources);
  const { random } = sources;
  const printings = new Map(
    groups.flatMap(({ listings }) => listings.map((one) => [one.externalId, one.printing])),
  );
  const rows = nearMint.map((row): Row => {
    const own = Object.entries(WORN).map(([name, share]) => {
      return [name, share * (0.92 + random() * 0.16)] as const;
    });
    const worn = (near_mint: number) =>
      own.map(([name, share]) => [name, cents(near_mint * share)]);
    const withWorn = row.days.map((amounts) => {
      return amounts?.near_mint && { ...amounts, ...Object.fromEntries(worn(amounts.near_mint)) };
    });
    return { ...row, printing: printings.get(row.card) ?? 'Normal', days: withWorn as Row['days'] };
  });
  const cards = new Map(
    groups.flatMap(({ set, cards: own }) =>
      own === 'unchanged'
        ? []
        : own.map(({ externalId, name, number }) => {
            const externalIds = { tcgplayer: externalId };
            const reference = { ...EMPTY_REFERENCE, externalId, game: 'lorcana', name } as const;
            return [externalId, { ...reference, number, setName: set.name, externalIds }] as const;
          }),
    ),
  );
  const shape: FeedShape = { source: 'justtcg', marketplace: 'justtcg', cards };
  return {
    name: 'justtcg',
    about: 'JustTCG, Lorcana: real near mint prices of each day, worn copies at shares of them',
    ...{ source: 'justtcg', days, daysBefore: days.length - DAYS, rows, unlisted: [] },
    isAtOnce: false,
    prepare: (to) =>
      publishSnapshot(to, addDays(days[0] ?? (0 as Day), -1), groups, listingsOf(groups)),
    publish: eachDay(days, (to, day, reports) => publishFeed(to, day, shape, reports)),
  };
}

/** The operator's own near mint prices, a file a day. */
async function quotes(sources: Sources): Promise<World> {
  const { groups, rows, days } = await quoteDays(sources);
  return {
    name: 'quotes',
    about: 'quotes, Lorcana: real near mint prices of each day, a file a day',
    ...{ source: 'quotes', days, daysBefore: days.length - DAYS, rows, unlisted: [] },
    isAtOnce: false,
    prepare: (to) =>
      publishSnapshot(to, addDays(days[0] ?? (0 as Day), -1), groups, listingsOf(groups)),
    publish: eachDay(days, (to, day, reports) => {
      return publishBackfill(to, [{ day, reports }], { source: 'quotes', marketplace: 'my-shop' });
    }),
  };
}

async function quoteDays({ data }: Sources) {
  const groups = await readTree(data, ['lorcana']);
  const sets = setsOfCards(groups);
  const file = await openQuotes(join(data, 'quotes/lorcana-near-mint-daily.csv'), {
    ...{ format: 'csv', marketplace: 'my-shop', now: NOW },
    renamed: new Map([
      ['card_id', 'tcgplayer'],
      ['price', 'near_mint'],
    ]),
  });
  const byCard = new Map<string, Map<Day, Amounts>>();
  for await (const { outcome } of file.parts(() => undefined)) {
    if (outcome.kind !== 'read') continue;
    for (const { listings } of outcome.part.chunks) {
      for (const { externalId, day, conditions = {} } of listings) {
        const own = byCard.get(externalId) ?? new Map<Day, Amounts>();
        byCard.set(externalId, own.set(day, amountsOf({ conditions })));
      }
    }
  }
  const all = [...new Set([...byCard.values()].flatMap((own) => [...own.keys()]))];
  const days = all.sort((a, b) => a - b).slice(-DAYS - DAYS_BEFORE * 3);
  const rows = [...byCard].flatMap(([card, own]): Row[] => {
    const set = sets.get(card);
    if (set === undefined) return [];
    return [{ card, printing: undefined, set, days: days.map((day) => own.get(day)) }];
  });
  return { groups, rows, days };
}

type Published = Pick<
  World,
  'source' | 'days' | 'daysBefore' | 'rows' | 'unlisted' | 'prepare' | 'publish' | 'isAtOnce'
>;

function snapshotWorld(
  groups: readonly Group[],
  days: readonly Day[],
  rows: readonly Row[],
  random: Random,
): Published {
  const unlisted = new Set(rows.filter(() => random() * UNLISTED < 1));
  const known = withoutCards(groups);
  return {
    ...{ source: 'tcgcsv', days, daysBefore: DAYS_BEFORE, isAtOnce: false },
    rows: rows.filter((row) => !unlisted.has(row)),
    unlisted: [...unlisted],
    prepare: (to) => publishSnapshot(to, addDays(days[0] ?? (0 as Day), -1), groups, []),
    publish: eachDay(days, (to, day, reports) => publishSnapshot(to, day, known, reports)),
  };
}

type PublishDay = (
  to: Importer,
  day: Day,
  reports: readonly Report[],
  index: number,
) => Promise<void>;

function eachDay(days: readonly Day[], publish: PublishDay): World['publish'] {
  return async (to, published) => {
    for (const { index, reports } of published) {
      await publish(to, days[index] ?? dayOf(0), reports, index);
    }
  };
}

function withoutCards(groups: readonly Group[]): Pick<Group, 'set' | 'cards'>[] {
  return groups.map(({ set }) => ({ set, cards: 'unchanged' }));
}

function reportsOf(rows: readonly Row[], day: number): Report[] {
  return rows.flatMap((row) => {
    const amounts = row.days[day];
    return amounts ? [{ row, amounts }] : [];
  });
}

function listingsOf(groups: readonly Group[]): Report[] {
  return groups.flatMap(({ set, listings }) =>
    listings.map(({ externalId, printing, prices }) => {
      const row = { card: externalId, printing, set: set.externalId };
      return { row, amounts: amountsOf({ prices }) };
    }),
  );
}

/** The set of each card, by the ids of both at their source. */
function setsOfCards(groups: readonly Group[]): Map<string, string> {
  return new Map(
    groups.flatMap(({ set, cards }) =>
      cards === 'unchanged' ? [] : cards.map((card) => [card.externalId, set.externalId]),
    ),
  );
}

function splitKey(key: string): { card: string; printing: string } {
  const [card = '', ...printing] = key.split(' ');
  return { card, printing: printing.join(' ') };
}

function daysFrom(first: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, index) => addDays(first, index));
}
