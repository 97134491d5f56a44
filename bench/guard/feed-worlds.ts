/** Worlds of sources that report prices of cards that the catalogue has already. */
import { join } from 'node:path';
import { addDays, type Day, parseDay } from '../../src/domain/day.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import { parseGrades } from '../../src/sources/contract/feed.ts';
import { EMPTY_REFERENCE } from '../../src/sources/kit/observations.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { openQuotes } from '../../src/sources/quotes/read.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { amountsOf, NOW, readItems, readTree } from './data.ts';
import {
  DAYS,
  DAYS_BEFORE,
  daysFrom,
  eachDay,
  listingsOf,
  magicDays,
  magicRows,
  onlyCards,
  reportsOf,
  type Sources,
  setsOfCards,
  someGroups,
  withoutCards,
} from './kit.ts';
import { type Amounts, cents, type Row, type World } from './model.ts';
import { makeDays } from './moves.ts';
import { type FeedShape, publishBackfill, publishFeed, publishSnapshot } from './publish.ts';

/** Scryfall after TCGCSV has failed: its last prices are older than they count. */
export async function scryfall(sources: Sources): Promise<World> {
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
export async function besideScryfall(sources: Sources): Promise<World> {
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
  const { data } = sources;
  const groups = someGroups(await readTree(data, ['mtg']), sources);
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
export async function pricecharting({ data, moves, random }: Sources): Promise<World> {
  const items = await readItems(openPriceCharting, join(data, 'pricecharting/pokemon-cards.csv'), {
    grades: parseGrades(['grade_9=psa_9']),
  });
  const names = new Set(items.map(({ card }) => card.setName));
  const all = await readTree(data, ['pokemon']);
  const groups = all.filter(({ set }) => names.has(set.name) || names.has(shortName(set.name)));
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

/** Returns the name of a set without its series: `SM - Team Up` is `Team Up`. */
function shortName(name: string): string {
  return name.replace(/^.*?(: | - )/, '');
}

/** What worn copies cost of a near mint one, about. */
const WORN = {
  lightly_played: 0.87,
  moderately_played: 0.72,
  heavily_played: 0.55,
  damaged: 0.4,
} as const;

/** JustTCG's conditions: the real near mint prices of each day, and shares of them. */
export async function justtcg(sources: Sources): Promise<World> {
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
export async function quotes(sources: Sources): Promise<World> {
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

/** Returns the last days of the quotes, of those cards that the catalogue has. */
export async function quoteDays({ data }: Pick<Sources, 'data'>, count = DAYS + DAYS_BEFORE * 3) {
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
  const days = all.sort((a, b) => a - b).slice(-count);
  const rows = [...byCard].flatMap(([card, own]): Row[] => {
    const set = sets.get(card);
    if (set === undefined) return [];
    return [{ card, printing: undefined, set, days: days.map((day) => own.get(day)) }];
  });
  return { groups: onlyCards(groups, new Set(byCard.keys())), rows, days };
}
