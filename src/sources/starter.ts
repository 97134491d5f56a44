import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  dayOf,
  formatDay,
  formatMoment,
  type Millis,
  parseDay,
  startOfDay,
} from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { CardFacts } from '../domain/facts.ts';
import { GAMES, type GameSlug } from '../domain/games.ts';
import { type Cents, MAX_CENTS } from '../domain/money.ts';
import type { DayPrices, PriceFigures } from '../domain/price.ts';
import { PRODUCT_TYPES, type ProductType } from '../domain/products.ts';
import type { Group, Listing, Snapshot, SourceCard, SourceSet } from './contract/snapshot.ts';

/**
 * The files of the starter catalogue: JSON lines, one file per game. A line describes a set, and
 * the lines after it are its cards and sealed products, each with all observed prices:
 *
 *     {"set":"604","ids":"tcgcsv","code":"BS","name":"Base Set",…}
 *     {"card":"42346","name":"Alakazam",…,"prices":{"Holofoil":{"2025-06-25":[5634,3198,5500]}}}
 *
 * A day's figures are market, low, mid and high in cents. Unknown figures at the end are omitted.
 */

/** A set of the starter catalogue. */
export interface StarterSet {
  /** The id space of the external ids of the set and of its cards. */
  readonly idSpace: string;
  readonly set: SourceSet;
  /** When the newest prices were observed. They belong to the day of that moment. */
  readonly observedAt: Millis;
  readonly cards: readonly StarterCard[];
}

export interface StarterCard extends SourceCard {
  readonly printings: readonly StarterPrinting[];
}

export interface StarterPrinting {
  readonly name: string;
  /** The observed days, at least one, oldest first. */
  readonly days: readonly DayPrices[];
}

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Text = Type.String({ minLength: 1, maxLength: 1000 });
const IsoDay = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

const SetLine = Type.Object({
  set: Text,
  ids: Text,
  code: Text,
  name: Text,
  releaseDate: Nullable(IsoDay),
  observedAt: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$' }),
});

const Figures = Type.Array(Nullable(Type.Integer({ minimum: 1, maximum: MAX_CENTS })), {
  maxItems: 4,
});

const CardLine = Type.Object({
  card: Text,
  name: Text,
  number: Nullable(Text),
  rarity: Nullable(Text),
  image: Nullable(Text),
  product: Type.Optional(
    Type.Object({
      type: Type.Unsafe<ProductType>({ type: 'string', enum: [...PRODUCT_TYPES] }),
      upc: Nullable(Text),
    }),
  ),
  facts: Type.Optional(Type.Unsafe<CardFacts>({ type: 'object' })),
  prices: Type.Record(Text, Type.Record(Type.String(), Figures, { minProperties: 1 })),
});

type SetLine = Static<typeof SetLine>;
type CardLine = Static<typeof CardLine>;

const setLine = Compile(SetLine);
const cardLine = Compile(CardLine);

/** Returns the text of a game's file. */
export function formatSets(sets: readonly StarterSet[]): string {
  const lines = sets.flatMap((set) => [formatSet(set), ...set.cards.map(formatCard)]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function formatSet({ idSpace, set, observedAt }: StarterSet): SetLine {
  const { externalId, code, name, releaseDate } = set;
  return {
    set: externalId,
    ids: idSpace,
    code,
    name,
    releaseDate,
    observedAt: formatMoment(observedAt),
  };
}

function formatCard({ externalId, printings, ...card }: StarterCard): CardLine {
  const { name, number, rarity, image, product, facts } = card;
  const prices = printings.map((printing) => [printing.name, formatDays(printing.days)] as const);
  return {
    card: externalId,
    name,
    number,
    rarity,
    image,
    ...(product && { product }),
    ...(facts && { facts }),
    prices: Object.fromEntries(prices),
  };
}

function formatDays(days: readonly DayPrices[]): Record<string, (Cents | null)[]> {
  return Object.fromEntries(days.map((prices) => [formatDay(prices.day), figures(prices)]));
}

function figures({ market, low, mid, high }: PriceFigures): (Cents | null)[] {
  const all = [market, low, mid, high];
  return all.slice(0, all.findLastIndex((figure) => figure !== null) + 1);
}

/**
 * Parses a game's file.
 *
 * @throws OperatorError that names `file` and the line, for a malformed line.
 */
export function parseSets(game: GameSlug, file: string, text: string): StarterSet[] {
  const sets: OpenSet[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    try {
      if (line !== '') addLine(game, sets, JSON.parse(line));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`${file}, line ${index + 1}: ${reason}`, { cause: error });
    }
  }
  return sets;
}

/** A set whose cards are still being read. */
type OpenSet = StarterSet & { readonly cards: StarterCard[] };

function addLine(game: GameSlug, sets: OpenSet[], line: unknown): void {
  if (setLine.Check(line)) {
    sets.push(parseSet(game, line));
    return;
  }
  if (!cardLine.Check(line)) throw new Error('neither a set nor a card');
  const set = sets.at(-1);
  if (!set) throw new Error('a card before the first set');
  set.cards.push(parseCard(line));
}

function parseSet(game: GameSlug, line: SetLine): OpenSet {
  const { set: externalId, ids, code, name, releaseDate } = line;
  const observedAt = Date.parse(line.observedAt);
  if (Number.isNaN(observedAt)) throw new Error(`${line.observedAt} is not a moment`);
  return {
    idSpace: ids,
    set: { externalId, game, code, name, releaseDate },
    observedAt,
    cards: [],
  };
}

function parseCard(line: CardLine): StarterCard {
  const { card: externalId, prices, ...card } = line;
  const printings = Object.entries(prices).map(([printing, days]) => {
    return { name: printing, days: Object.entries(days).map(parseDayPrices) };
  });
  return { ...card, externalId, printings };
}

function parseDayPrices([date, figures]: [string, (number | null)[]]): DayPrices {
  const day = parseDay(date);
  if (day === undefined) throw new Error(`${date} is not a day`);
  const [market = null, low = null, mid = null, high = null] = figures as (Cents | null)[];
  return { day, market, low, mid, high };
}

/**
 * Opens the starter catalogue: a folder with a file of JSON lines for each game, written by
 * `scripts/make-starter.ts`. It is small, and read as a whole.
 *
 * A set whose printings were last observed at different moments comes as several groups, oldest
 * first, so no price appears newer than it is.
 *
 * @throws OperatorError if there is none, or a line is malformed.
 */
export async function openStarter(folder: URL | string): Promise<Snapshot> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder;
  const sets: StarterSet[] = [];
  for (const { slug } of GAMES) sets.push(...(await readGame(path, slug)));
  if (sets.length === 0) {
    throw new OperatorError(`${path} holds no starter catalogue: pokemon.jsonl is expected in it.`);
  }
  const groups = sets.flatMap(groupsOf);
  return {
    source: 'starter',
    games: [...new Set(sets.map(({ set }) => set.game))],
    marketplace: 'tcgplayer',
    observedAt: Math.max(...sets.map((set) => set.observedAt)),
    groupCount: groups.length,
    async *groups() {
      for (const group of groups) yield { kind: 'read', part: partOf(group), group };
    },
  };
}

function partOf({ set }: Group): string {
  return `${set.game}/${set.externalId}`;
}

/** Returns the sets of one game; none if the catalogue does not have the game. */
async function readGame(folder: string, game: GameSlug): Promise<StarterSet[]> {
  const file = join(folder, `${game}.jsonl`);
  try {
    return parseSets(game, file, await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns a set as one group for each moment at which some of its printings were last observed. */
function groupsOf(starter: StarterSet): Group[] {
  const { idSpace, set, observedAt, cards } = starter;
  const byMoment = Map.groupBy(lastObservations(starter), ({ moment }) => moment);
  const moments = byMoment.size === 0 ? [observedAt] : [...byMoment.keys()].sort((a, b) => a - b);
  return moments.map((moment, index) => ({
    idSpace,
    set,
    observedAt: moment,
    cards: index === 0 ? cards : 'unchanged',
    listings: byMoment.get(moment)?.map(({ listing }) => listing) ?? [],
    skipped: {},
    files: [],
  }));
}

interface LastObservation {
  readonly moment: Millis;
  readonly listing: Listing;
}

function lastObservations({ observedAt, cards }: StarterSet): LastObservation[] {
  const observations: LastObservation[] = [];
  for (const { externalId, printings } of cards) {
    for (const { name: printing, days } of printings) {
      const newest = days.at(-1);
      if (!newest) continue;
      const { day, ...prices } = newest;
      // The time of day is only known for the newest day.
      const moment = day === dayOf(observedAt) ? observedAt : startOfDay(day);
      observations.push({
        moment,
        listing: { externalId, printing, prices, earlierDays: days.slice(0, -1) },
      });
    }
  }
  return observations;
}
