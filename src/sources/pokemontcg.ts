import { type Static, Type } from 'typebox';
import { type Millis, startOfDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import {
  type Ability,
  type Attack,
  type NamedBySource,
  present,
  readLegalities,
  type SourceFacts,
} from '../domain/facts.ts';
import type { Observation } from '../domain/observation.ts';
import { POKEMONTCG_FINISHES, partsOfPokemonTcgId } from '../domain/pokemontcg.ts';
import { hasPrice } from '../domain/price.ts';
import type { CardReference, DescribedSet, OpenFeed } from './contract/feed.ts';
import type { FeedSource, Remote } from './contract/source.ts';
import { BadRecord } from './io/json.ts';
import type { AdaptedRecord } from './kit/feed-batcher.ts';
import { openJsonRecordFiles } from './kit/json-records.ts';
import { EMPTY_REFERENCE, observationsFrom } from './kit/observations.ts';
import {
  compileParser,
  compileResponseParser,
  Label,
  Nullish,
  parseDate,
  parseDayPrefix,
} from './kit/schema.ts';
import { findCardFiles, readSetLists } from './kit/set-lists.ts';
import { isFutureDay } from './kit/source-file.ts';

/**
 * Cards of the Pokémon TCG API (`/v2/cards`), with their set and prices, and of the files of
 * `pokemon-tcg-data`, which have neither. Only the fields in use are validated.
 */

const ByName = Nullish(Type.Record(Type.String(), Type.String({ maxLength: 2000 })));

const RawSet = Type.Object({
  id: Label,
  name: Label,
  series: Label,
  printedTotal: Nullish(Type.Integer()),
  total: Nullish(Type.Integer()),
  /** `{ "unlimited": "Legal" }` */
  legalities: ByName,
  /** The code of the set in the online game. Newer cards have it printed on them. */
  ptcgoCode: Nullish(Type.String({ maxLength: 20 })),
  /** `1999/01/09` */
  releaseDate: Nullish(Type.String({ maxLength: 20 })),
  /** `2022/10/10 15:12:00` */
  updatedAt: Nullish(Type.String({ maxLength: 40 })),
  images: ByName,
});

/** Prices of one finish, in US dollars. */
const RawFinish = Type.Object({
  low: Nullish(Type.Number()),
  mid: Nullish(Type.Number()),
  high: Nullish(Type.Number()),
  market: Nullish(Type.Number()),
});

/** Prices in euros; 0 is unknown. */
const RawCardmarket = Type.Object({
  trendPrice: Nullish(Type.Number()),
  lowPrice: Nullish(Type.Number()),
  reverseHoloTrend: Nullish(Type.Number()),
  reverseHoloLow: Nullish(Type.Number()),
});

/** `2026/01/28` */
const UpdatedAt = Type.String({ maxLength: 40 });

const Text = Type.String({ maxLength: 5000 });
const Texts = Nullish(Type.Array(Text));
const Modifiers = Nullish(Type.Array(Type.Object({ type: Text, value: Text })));

/** The facts of the card. Most names are those of our facts. */
const RawFacts = {
  supertype: Label,
  subtypes: Texts,
  level: Nullish(Text),
  hp: Nullish(Text),
  types: Texts,
  evolvesFrom: Nullish(Text),
  evolvesTo: Texts,
  rules: Texts,
  ancientTrait: Nullish(Type.Object({ name: Text, text: Nullish(Text) })),
  abilities: Nullish(
    Type.Array(Type.Object({ name: Text, text: Nullish(Text), type: Nullish(Text) })),
  ),
  attacks: Nullish(
    Type.Array(
      Type.Object({ name: Text, cost: Texts, damage: Nullish(Text), text: Nullish(Text) }),
    ),
  ),
  weaknesses: Modifiers,
  resistances: Modifiers,
  retreatCost: Texts,
  artist: Nullish(Text),
  flavorText: Nullish(Text),
  nationalPokedexNumbers: Nullish(Type.Array(Type.Integer())),
  regulationMark: Nullish(Text),
  /** `{ "unlimited": "Legal" }` */
  legalities: Nullish(Type.Record(Type.String(), Text)),
};

const RawCard = Type.Object({
  /** The set's id and the number: `base1-4`. */
  id: Type.String({ pattern: '^[^-]+-.', maxLength: 100 }),
  name: Label,
  number: Label,
  ...RawFacts,
  rarity: Nullish(Type.String({ maxLength: 100 })),
  images: Nullish(Type.Object({ large: Nullish(Type.String({ maxLength: 2000 })) })),
  set: Nullish(RawSet),
  tcgplayer: Nullish(
    Type.Object({ updatedAt: UpdatedAt, prices: Nullish(Type.Record(Type.String(), RawFinish)) }),
  ),
  cardmarket: Nullish(Type.Object({ updatedAt: UpdatedAt, prices: Nullish(RawCardmarket) })),
});

export type RawSet = Static<typeof RawSet>;
export type RawFinish = Static<typeof RawFinish>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of the Pokémon TCG API. */
export const parseCard = compileParser(RawCard);

/** @throws BadRecord for anything but a list of its sets. */
export const parseSets = compileParser(Type.Array(RawSet, { minItems: 1 }));

/** The data that the adapter needs in addition to the card. */
export interface AdaptContext {
  /** Sets by id, for cards that come without their set. */
  readonly sets: ReadonlyMap<string, RawSet>;
  readonly now: Millis;
  /**
   * When the prices were observed, if the operator gives it; null to use the date of each price.
   */
  readonly observedAt: Millis | null;
}

/**
 * Adapts a card with its prices at TCGplayer, finish by finish, and at Cardmarket, in euros.
 *
 * @throws BadRecord for an unknown set or an impossible price or date; OperatorError if the card
 * comes without its set and no sets are given.
 */
export function adaptCard(raw: RawCard, context: AdaptContext): AdaptedRecord {
  const set = raw.set ?? context.sets.get(partsOfPokemonTcgId(raw.id)[0]);
  if (!set) throw noSet(context);
  const finishes = Object.entries(raw.tcgplayer?.prices ?? {});
  return {
    items: [
      {
        card: adaptReference(raw, set),
        observations: [
          ...finishes.flatMap(([finish, prices]) => adaptFinish(raw, finish, prices, context)),
          ...adaptCardmarket(raw, context),
        ],
        facts: adaptFacts(raw),
      },
    ],
    sets: [adaptSet(set)],
    skipped: finishes.flatMap(([finish]) => {
      return finish in POKEMONTCG_FINISHES ? [] : [`price of the unknown finish ${finish}`];
    }),
  };
}

function noSet({ sets }: AdaptContext): Error {
  if (sets.size > 0) return new BadRecord('its set is not in the list of sets');
  return new OperatorError(
    'its cards come without their sets; pass the list of sets with --sets sets.en.json',
  );
}

function adaptReference(raw: RawCard, set: RawSet): CardReference {
  return {
    ...EMPTY_REFERENCE,
    externalId: raw.id,
    game: 'pokemon',
    name: raw.name,
    number: raw.number,
    setCode: set.ptcgoCode || null,
    setName: set.name,
    rarity: raw.rarity || null,
    image: raw.images?.large ?? null,
    releaseDate: parseDate(set.releaseDate),
  };
}

function adaptSet({ id, ...set }: RawSet): DescribedSet {
  const { name, series, printedTotal, total, legalities } = set;
  const { ptcgoCode, releaseDate, updatedAt, images } = set;
  const described = { name, series, printedTotal, total, legalities };
  return { id, facts: present({ ...described, ptcgoCode, releaseDate, updatedAt, images }) };
}

function adaptFacts(raw: RawCard): SourceFacts {
  const { name: trait, text } = raw.ancientTrait ?? {};
  const { id, name, rarity } = raw;
  return present({
    named: present<NamedBySource>({ id, name, rarity }),
    supertype: raw.supertype,
    types: raw.types,
    subtypes: raw.subtypes,
    level: raw.level,
    hp: raw.hp,
    evolvesFrom: raw.evolvesFrom,
    evolvesTo: raw.evolvesTo,
    rules: raw.rules,
    abilities: [
      ...(trait === undefined
        ? []
        : [present<Ability>({ name: trait, kind: 'Ancient Trait', text })]),
      ...(raw.abilities ?? []).map(({ name, type: kind, text }) =>
        present<Ability>({ name, kind, text }),
      ),
    ],
    attacks: raw.attacks?.map(({ name, cost, damage, text }) =>
      present<Attack>({ name, cost, damage, text }),
    ),
    weaknesses: raw.weaknesses?.map(({ type, value }) => ({ type, value })),
    resistances: raw.resistances?.map(({ type, value }) => ({ type, value })),
    retreat: raw.retreatCost,
    artist: raw.artist,
    flavorText: raw.flavorText,
    nationalPokedexNumbers: raw.nationalPokedexNumbers,
    regulationMark: raw.regulationMark,
    legalities: readLegalities(raw.legalities),
  });
}

function adaptFinish(
  { tcgplayer }: RawCard,
  finish: string,
  prices: RawFinish,
  context: AdaptContext,
): Observation[] {
  const printing = POKEMONTCG_FINISHES[finish];
  if (printing === undefined || !tcgplayer) return [];
  return observationsFrom({
    printing,
    marketplace: 'tcgplayer',
    currency: 'USD',
    observedAt: observedAtOf(tcgplayer.updatedAt, context),
    amounts: { market: prices.market, low: prices.low, mid: prices.mid, high: prices.high },
  });
}

/** Cardmarket prices reverse holos separately, but no other printings. */
function adaptCardmarket({ cardmarket }: RawCard, context: AdaptContext): Observation[] {
  const prices = cardmarket?.prices;
  if (!prices) return [];
  const observedAt = observedAtOf(cardmarket.updatedAt, context);
  const basis = { marketplace: 'cardmarket', currency: 'EUR', observedAt } as const;
  return [
    ...observationsFrom({
      ...basis,
      printing: undefined,
      amounts: { market: prices.trendPrice, low: prices.lowPrice },
    }),
    // Every card has zeros here, even cards without such a printing.
    ...observationsFrom({
      ...basis,
      printing: 'Reverse Holofoil',
      amounts: { market: prices.reverseHoloTrend, low: prices.reverseHoloLow },
    }).filter(({ prices }) => hasPrice(prices)),
  ];
}

function observedAtOf(updatedAt: string, { observedAt, now }: AdaptContext): Millis {
  if (observedAt !== null) return observedAt;
  const day = parseDayPrefix(updatedAt);
  if (day === undefined) throw new BadRecord(`updatedAt "${updatedAt}" is not a day YYYY/MM/DD`);
  if (isFutureDay(day, now)) throw new BadRecord(`updatedAt ${updatedAt} is in the future`);
  return startOfDay(day);
}

/**
 * Returns the newest possible day on which prices in a text were updated. The updates of sets have
 * a time of day, and are ignored.
 */
export function newestUpdate(text: string, now: Millis): Millis | undefined {
  const moments = [...text.matchAll(/"updatedAt":\s*"(\d{4}\/\d\d\/\d\d)"/g)].flatMap(([, day]) => {
    const read = parseDayPrefix(day ?? '');
    return read === undefined || isFutureDay(read, now) ? [] : startOfDay(read);
  });
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/**
 * Opens pages of cards of the Pokémon TCG API or files of `pokemon-tcg-data`: a file or a folder.
 * The further file `sets` lists the sets, for cards that come without their set. A folder may
 * contain that list under a name that starts with `sets`.
 *
 * @throws OperatorError if the files cannot be read.
 */
export const openPokemonTcg: OpenFeed = async (location, options) => {
  const { cards, setLists } = await findCardFiles(location, 'sets', options.files.sets);
  const description = 'the list of sets of the Pokémon TCG API';
  const sets = await readSetLists(setLists, parseSets, description);
  const context = {
    sets: new Map(sets.map((set) => [set.id, set])),
    now: options.now,
    observedAt: options.observedAt,
  };
  return openJsonRecordFiles(location, cards, options, {
    name: 'pokemontcg',
    games: ['pokemon'],
    description: 'a list of cards of the Pokémon TCG API',
    version: 2,
    parse: parseCard,
    label: ({ id, name }) => `${id} ${name}`,
    adapt: (raw) => adaptCard(raw, context),
    findObservedAt: (text) => newestUpdate(text, options.now),
    furtherFiles: setLists,
  });
};

const parsePage = compileResponseParser(
  'The Pokémon TCG API',
  Type.Object({ data: Type.Array(Type.Unknown()), totalCount: Type.Integer({ minimum: 0 }) }),
);

/** The most cards on a page. */
const PAGE_SIZE = 250;

/** Without an API key it allows 30 requests a minute and 1,000 a day. */
export const POKEMONTCG_REMOTE: Remote = {
  base: 'https://api.pokemontcg.io',
  pauseMs: 2000,
  requestsADay: 1000,
  everyHours: 20,
  key: { in: 'header', name: 'X-Api-Key', required: false },
  content: { kind: 'pages', saveAs: 'pokemontcg.json', crawl: crawlPages },
};

/** Requests all pages. They are sorted by id, so the order does not change between requests. */
function* crawlPages(keep: (item: unknown) => void): Generator<string, void, unknown> {
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    const { data, totalCount } = parsePage(
      yield `v2/cards?orderBy=id&pageSize=${PAGE_SIZE}&page=${page}`,
    );
    for (const card of data) keep(card);
    pages = Math.ceil(totalCount / PAGE_SIZE);
  }
}

export const POKEMONTCG: FeedSource = {
  name: 'pokemontcg',
  summary: 'English cards of Pokémon, with prices at TCGplayer and at Cardmarket.',
  takes: 'Pages of cards of the Pokémon TCG API, or files of pokemon-tcg-data, or a folder.',
  files: { sets: 'The list of sets, sets/en.json, for cards that come without their set.' },
  example: './cards --sets sets.en.json',
  open: openPokemonTcg,
  remote: POKEMONTCG_REMOTE,
};
