/** What worlds are built from. */
import { addDays, type Day, dayOf } from '../../src/domain/day.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { amountsOf, type DayOfPrices, readArchive } from './data.ts';
import type { Importer, Report, Row, World } from './model.ts';
import { makeDays, type Random, type RealMoves, realMoves } from './moves.ts';
import { publishSnapshot } from './publish.ts';

/** What was read of the data for all worlds. */
export interface RealDays {
  /** The folder of the data. */
  readonly data: string;
  readonly archive: ReadonlyMap<Day, DayOfPrices>;
  readonly moves: RealMoves;
}

/** What a world is made of. */
export interface Sources extends RealDays {
  readonly random: Random;
  /** How many printings of a large catalogue take part, about. */
  readonly size: number;
}

/** Reads what several worlds need. */
export async function readSources(data: string): Promise<RealDays> {
  const archive = await readArchive(data);
  return { data, archive, moves: realMoves(archive) };
}

/** The days before a mistake, and those on which mistakes begin and last: ten at least. */
export const DAYS_BEFORE = 3;
export const DAYS = 16;
/** Of so many printings one is not listed before the mistakes begin. */
const UNLISTED = 25;

/** Takes sets in random order until there are enough rows. */
export function someGroups(
  groups: readonly Group[],
  { random, size }: Pick<Sources, 'random' | 'size'>,
): Group[] {
  const taken: Group[] = [];
  let rows = 0;
  const left = [...groups];
  while (rows < size && left.length > 0) {
    const [group] = left.splice(Math.floor(random() * left.length), 1);
    if (!group || group.listings.length === 0) continue;
    taken.push(group);
    rows += group.listings.length;
  }
  return taken;
}

export function magicDays({ archive }: Sources): Day[] {
  const real = [...archive].filter(([, prices]) => prices.size > 20_000).map(([day]) => day);
  const last = real.at(-1) ?? (0 as Day);
  return [...real, ...Array.from({ length: DAYS - real.length }, (_, i) => addDays(last, i + 1))];
}

export function magicRows(sources: Sources, groups: readonly Group[]): Row[] {
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

type Published = Pick<
  World,
  'source' | 'days' | 'daysBefore' | 'rows' | 'unlisted' | 'prepare' | 'publish' | 'isAtOnce'
>;

export function snapshotWorld(
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

export function eachDay(days: readonly Day[], publish: PublishDay): World['publish'] {
  return async (to, published) => {
    for (const { index, reports } of published) {
      await publish(to, days[index] ?? dayOf(0), reports, index);
    }
  };
}

/** Leaves out all other cards, and groups without any. */
export function onlyCards(groups: readonly Group[], ids: ReadonlySet<string>): Group[] {
  const isOne = ({ externalId }: { readonly externalId: string }) => ids.has(externalId);
  return groups.flatMap((group) => {
    const cards = group.cards === 'unchanged' ? [] : group.cards.filter(isOne);
    return cards.length > 0 ? [{ ...group, cards, listings: group.listings.filter(isOne) }] : [];
  });
}

export function withoutCards(groups: readonly Group[]): Pick<Group, 'set' | 'cards'>[] {
  return groups.map(({ set }) => ({ set, cards: 'unchanged' }));
}

export function reportsOf(rows: readonly Row[], day: number): Report[] {
  return rows.flatMap((row) => {
    const amounts = row.days[day];
    return amounts ? [{ row, amounts }] : [];
  });
}

export function listingsOf(groups: readonly Group[]): Report[] {
  return groups.flatMap(({ set, listings }) =>
    listings.map(({ externalId, printing, prices }) => {
      const row = { card: externalId, printing, set: set.externalId };
      return { row, amounts: amountsOf({ prices }) };
    }),
  );
}

/** The set of each card, by the ids of both at their source. */
export function setsOfCards(groups: readonly Group[]): Map<string, string> {
  return new Map(
    groups.flatMap(({ set, cards }) =>
      cards === 'unchanged' ? [] : cards.map((card) => [card.externalId, set.externalId]),
    ),
  );
}

export function splitKey(key: string): { card: string; printing: string } {
  const [card = '', ...printing] = key.split(' ');
  return { card, printing: printing.join(' ') };
}

export function daysFrom(first: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, index) => addDays(first, index));
}
