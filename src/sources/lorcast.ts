import { type Static, Type } from 'typebox';
import type { Millis } from '../domain/day.ts';
import { type CardFacts, present, readLegalities } from '../domain/facts.ts';
import type { Observation } from '../domain/observation.ts';
import type { CardReference, OpenFeed } from './contract/feed.ts';
import type { FeedSource, Remote } from './contract/source.ts';
import type { AdaptedRecord } from './kit/feed-batcher.ts';
import { openJsonRecords } from './kit/json-records.ts';
import { EMPTY_REFERENCE, observationsFrom } from './kit/observations.ts';
import {
  Amount,
  compileParser,
  compileResponseParser,
  Label,
  Nullish,
  parseDate,
} from './kit/schema.ts';

/**
 * Cards of the Lorcast API (`/v0/sets/{id}/cards`, `/v0/cards/search`). Only the fields in use are
 * validated; fields without a value may be missing.
 */

const Text = Nullish(Type.String({ maxLength: 5000 }));
const Texts = Nullish(Type.Array(Label));
const Stat = Nullish(Type.Integer());

const RawFacts = {
  cost: Stat,
  ink: Text,
  /** For cards with two inks. */
  inks: Texts,
  type: Texts,
  classifications: Texts,
  keywords: Texts,
  text: Text,
  flavor_text: Text,
  strength: Stat,
  willpower: Stat,
  lore: Stat,
  illustrators: Texts,
  legalities: Nullish(Type.Record(Type.String(), Label)),
};

const RawCard = Type.Object({
  ...RawFacts,
  id: Type.String({ pattern: '^crd_' }),
  name: Label,
  /** Distinguishes characters with the same name. Songs, items and places have none. */
  version: Nullish(Type.String({ maxLength: 500 })),
  lang: Nullish(Type.String({ maxLength: 20 })),
  collector_number: Label,
  /** With underscores: `Super_rare`. */
  rarity: Nullish(Type.String({ maxLength: 100 })),
  tcgplayer_id: Nullish(Type.Integer({ minimum: 1 })),
  image_uris: Nullish(
    Type.Object({
      digital: Nullish(Type.Object({ large: Nullish(Type.String({ maxLength: 2000 })) })),
    }),
  ),
  set: Type.Object({ code: Label, name: Label, released_at: Nullish(Type.String()) }),
  /** US dollars. */
  prices: Nullish(Type.Object({ usd: Nullish(Amount), usd_foil: Nullish(Amount) })),
});

export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of Lorcast. */
export const parseCard = compileParser(RawCard);

/** Adapts a card with its prices at TCGplayer, which Lorcast repeats. */
export function adaptCard(raw: RawCard, observedAt: Millis): AdaptedRecord {
  const language = raw.lang ?? 'en';
  if (language !== 'en') return { items: [], skipped: ['card in another language than English'] };
  const observations = adaptPrices(raw, observedAt);
  return { items: [{ card: adaptReference(raw), observations, facts: adaptFacts(raw) }] };
}

function adaptFacts(raw: RawCard): CardFacts {
  return present({
    types: raw.type,
    subtypes: raw.classifications,
    colors: raw.inks ?? [raw.ink ?? []].flat(),
    keywords: raw.keywords,
    cost: raw.cost?.toString(),
    power: raw.strength?.toString(),
    toughness: raw.willpower?.toString(),
    lore: raw.lore?.toString(),
    text: raw.text,
    flavorText: raw.flavor_text,
    artist: raw.illustrators?.join(' & '),
    legalities: readLegalities(raw.legalities),
  });
}

function adaptReference(raw: RawCard): CardReference {
  return {
    ...EMPTY_REFERENCE,
    externalId: raw.id,
    game: 'lorcana',
    name: raw.version ? `${raw.name} - ${raw.version}` : raw.name,
    number: raw.collector_number,
    setCode: raw.set.code,
    setName: raw.set.name,
    rarity: raw.rarity ? rarityName(raw.rarity) : null,
    externalIds: raw.tcgplayer_id ? { tcgplayer: String(raw.tcgplayer_id) } : {},
    image: raw.image_uris?.digital?.large ?? null,
    releaseDate: parseDate(raw.set.released_at),
  };
}

/** Turns `Super_rare` into `Super Rare`. */
function rarityName(rarity: string): string {
  return rarity.replaceAll('_', ' ').replace(/(?<= )\p{Ll}/gu, (letter) => letter.toUpperCase());
}

/** All foils of Lorcana are cold foils, as TCGplayer names their printing. */
function adaptPrices({ prices }: RawCard, observedAt: Millis): Observation[] {
  const basis = { marketplace: 'tcgplayer', currency: 'USD', observedAt } as const;
  return [
    ...observationsFrom({ ...basis, printing: 'Normal', amounts: { market: prices?.usd } }),
    ...observationsFrom({ ...basis, printing: 'Cold Foil', amounts: { market: prices?.usd_foil } }),
  ];
}

/**
 * Opens pages of cards of the Lorcast API: a file or a folder.
 *
 * @throws OperatorError if the files cannot be read.
 */
export const openLorcast: OpenFeed = (location, options) => {
  return openJsonRecords(location, options, {
    name: 'lorcast',
    games: ['lorcana'],
    description: 'a page of cards of the Lorcast API',
    version: 2,
    parse: parseCard,
    label: ({ name, version }) => (version ? `${name} - ${version}` : name),
    adapt: adaptCard,
  });
};

const NAME = 'Lorcast';

const parseSets = compileResponseParser(
  NAME,
  Type.Object({
    results: Type.Array(Type.Object({ id: Label, released_at: Nullish(Type.String()) })),
  }),
);

const parseCards = compileResponseParser(NAME, Type.Array(Type.Object({ set: Type.Object({}) })));

/** Lorcast asks for 50 to 100 ms between two requests, and updates its prices daily. */
export const LORCAST_REMOTE: Remote = {
  base: 'https://api.lorcast.com',
  pauseMs: 100,
  everyHours: 20,
  content: { kind: 'pages', saveAs: 'lorcast.json', crawl: crawlSets },
};

/** Requests the list of sets and the cards of each. Cards get the release date of their set. */
function* crawlSets(keep: (item: unknown) => void): Generator<string, void, unknown> {
  const { results: sets } = parseSets(yield 'v0/sets');
  for (const { id, released_at } of sets) {
    for (const card of parseCards(yield `v0/sets/${encodeURIComponent(id)}/cards`)) {
      keep({ ...card, set: { ...card.set, released_at } });
    }
  }
}

export const LORCAST: FeedSource = {
  name: 'lorcast',
  summary: 'Cards of Lorcana with the market prices of TCGplayer.',
  takes: 'Pages of cards of the Lorcast API, a file or a folder.',
  example: './lorcast',
  open: openLorcast,
  remote: LORCAST_REMOTE,
};
