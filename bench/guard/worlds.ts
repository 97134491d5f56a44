/** The sources in which mistakes are planted, each with its real days. */
import { type Day, parseDay } from '../../src/domain/day.ts';
import { amountsOf, readTree } from './data.ts';
import { besideScryfall, justtcg, pricecharting, quotes, scryfall } from './feed-worlds.ts';
import {
  DAYS,
  daysFrom,
  magicDays,
  magicRows,
  onlyCards,
  type Sources,
  setsOfCards,
  snapshotWorld,
  someGroups,
  splitKey,
} from './kit.ts';
import type { Row, World } from './model.ts';
import { makeDays } from './moves.ts';
import { publishBackfill } from './publish.ts';

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

/** TCGCSV's ten real days of Magic, market prices only, and made days after them. */
async function magic(sources: Sources): Promise<World> {
  const groups = someGroups(await readTree(sources.data, ['mtg']), sources);
  const rows = magicRows(sources, groups);
  return {
    name: 'magic',
    about: 'TCGCSV, Magic: ten real days (market only), the six after them made of real day ratios',
    ...snapshotWorld(groups, [...magicDays(sources)], rows, sources.random),
  };
}

/** TCGCSV's one day of Pokémon with all four figures, and made days after it. */
async function pokemon(sources: Sources): Promise<World> {
  const { data, moves, random } = sources;
  const all = await readTree(data, ['pokemon']);
  const groups = someGroups(all, sources);
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
  return { days, rows, groups: onlyCards(groups, new Set(rows.map(({ card }) => card))) };
}

const LONG_PAST = 76;
