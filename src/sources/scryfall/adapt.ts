import { type Static, Type } from 'typebox';
import { type Millis, parseDay } from '../../domain/day.ts';
import { type CardFacts, present, readLegalities } from '../../domain/facts.ts';
import { type LanguageCode, languageCalled } from '../../domain/languages.ts';
import type { CardReference, IdSpace } from '../contract/feed.ts';
import { BadRecord } from '../io/json.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import {
  type FinishObservation,
  magicFeedItems,
  magicName,
  magicRarity,
} from '../kit/magic-finishes.ts';
import { EMPTY_REFERENCE, parseFigure } from '../kit/observations.ts';
import { typeLine } from '../kit/plain-text.ts';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * A card in Scryfall's bulk files: `default_cards` contains each card once, `all_cards` contains it
 * in every language in which it is printed. Only the fields in use are validated.
 */

/** A price as text, or null. The field is always present. */
const Price = Type.Union([Type.String({ maxLength: 40 }), Type.Null()]);

const Images = Type.Object({
  normal: Nullish(Type.String({ maxLength: 2000 })),
  large: Nullish(Type.String({ maxLength: 2000 })),
});

const Text = Nullish(Type.String({ maxLength: 10_000 }));
const Texts = Nullish(Type.Array(Label));

/** The facts of a card, or of one of its faces. */
const RawFace = {
  type_line: Text,
  oracle_text: Text,
  flavor_text: Text,
  /** `{2}{U}` */
  mana_cost: Text,
  /** Letters: `W`, `U`, `B`, `R`, `G`. */
  colors: Texts,
  power: Text,
  toughness: Text,
  loyalty: Text,
  defense: Text,
  artist: Text,
};

const RawCard = Type.Object({
  object: Type.Literal('card'),
  id: Label,
  name: Label,
  lang: Nullish(Label),
  /** In the card's language; missing for English. */
  printed_name: Nullish(Label),
  set: Label,
  set_name: Label,
  /** The kind of the set: `expansion`, `promo`, `box`. */
  set_type: Nullish(Label),
  /** `123a`, `12★`, `A-70`. */
  collector_number: Label,
  rarity: Label,
  finishes: Type.Array(Label),
  digital: Type.Boolean(),
  oversized: Nullish(Type.Boolean()),
  games: Nullish(Type.Array(Label)),
  /** The release of this card, usually that of its set. */
  released_at: Nullish(Label),
  tcgplayer_id: Nullish(Type.Integer()),
  /** The product of the card's etched finish, if it is a separate product. */
  tcgplayer_etched_id: Nullish(Type.Integer()),
  cardmarket_id: Nullish(Type.Integer()),
  image_uris: Nullish(Images),
  /** Cards with two sides have their pictures here. */
  card_faces: Nullish(
    Type.Array(
      Type.Object({ printed_name: Nullish(Label), image_uris: Nullish(Images), ...RawFace }),
    ),
  ),
  ...RawFace,
  cmc: Nullish(Type.Number()),
  keywords: Texts,
  /** `{ "modern": "not_legal" }` */
  legalities: Nullish(Type.Record(Type.String(), Label)),
  prices: Type.Object({
    usd: Price,
    usd_foil: Price,
    usd_etched: Price,
    eur: Price,
    eur_foil: Price,
    eur_etched: Nullish(Type.String({ maxLength: 40 })),
  }),
});

export type RawCard = Static<typeof RawCard>;

const parseShape = compileParser(RawCard);

/** @throws BadRecord for anything but a card of Scryfall. */
export function parseCard(value: unknown): RawCard {
  const { object } = Object(value) as { object?: unknown };
  if (typeof object === 'string' && object !== 'card') {
    throw new BadRecord(`it is a ${object.slice(0, 40)}, not a card`);
  }
  return parseShape(value);
}

/** Raise it when the adapter's output for the same file changes, so the file is imported again. */
export const ADAPTER_VERSION = 4;

/**
 * The prices that Scryfall repeats: TCGplayer's market price and Cardmarket's trend. Scryfall also
 * has `tix`, which are not a currency.
 */
const PRICES = [
  { field: 'usd', finish: 'nonfoil', marketplace: 'tcgplayer', currency: 'USD' },
  { field: 'usd_foil', finish: 'foil', marketplace: 'tcgplayer', currency: 'USD' },
  { field: 'usd_etched', finish: 'etched', marketplace: 'tcgplayer', currency: 'USD' },
  { field: 'eur', finish: 'nonfoil', marketplace: 'cardmarket', currency: 'EUR' },
  { field: 'eur_foil', finish: 'foil', marketplace: 'cardmarket', currency: 'EUR' },
  { field: 'eur_etched', finish: 'etched', marketplace: 'cardmarket', currency: 'EUR' },
] as const;

/**
 * Types of sets whose cards are all released on one day, so the day of a card is that of its set.
 */
const RELEASED_AT_ONCE = new Set([
  'core',
  'expansion',
  'masters',
  'draft_innovation',
  'commander',
  'starter',
  'duel_deck',
]);

/**
 * Adapts a card of Scryfall. Skips digital cards. A card in another language only provides its
 * name, unless TCGplayer lists it.
 * @throws BadRecord for an impossible price.
 */
export function adaptCard(raw: RawCard, observedAt: Millis): AdaptedRecord {
  const isPaper = raw.games?.includes('paper') ?? true;
  if (raw.digital || !isPaper) return { items: [], skipped: ['digital card'] };
  const language = languageCalled(raw.lang ?? 'en');
  if (language !== 'en' && !isListedAlone(raw)) return adaptTranslation(raw, language);
  const externalIds = externalIdsOf(raw);
  const etchedId = idOf(raw.tcgplayer_etched_id);
  const reference = {
    externalId: raw.id,
    name: magicName(raw.name, raw.oversized),
    number: raw.collector_number,
    setCode: raw.set.toUpperCase(),
    setName: raw.set_name,
    rarity: magicRarity(raw.rarity),
    externalIds,
    image: imageOf(raw),
    releaseDate: releaseDateOf(raw),
  };
  const observations = observe(raw, externalIds, observedAt);
  const items = magicFeedItems({ reference, finishes: raw.finishes, etchedId }, observations);
  const facts = adaptFacts(raw);
  return { items: items.map((item) => ({ ...item, facts })) };
}

const COLORS: Readonly<Record<string, string>> = {
  W: 'White',
  U: 'Blue',
  B: 'Black',
  R: 'Red',
  G: 'Green',
};

/**
 * The facts of all faces: texts one below the other, every other fact from the first face that has
 * it.
 */
function adaptFacts(raw: RawCard): CardFacts {
  const faces = [raw, ...(raw.card_faces ?? [])];
  const first = (name: 'power' | 'toughness' | 'loyalty' | 'defense' | 'mana_cost' | 'artist') => {
    return faces.map((face) => face[name]).find((value) => value);
  };
  const texts = (name: 'oracle_text' | 'flavor_text') => {
    return faces.flatMap((face) => face[name] || []).join('\n//\n');
  };
  const colors = new Set(faces.flatMap((face) => face.colors ?? []));
  return present({
    ...typeLine(raw.type_line ?? ''),
    colors: [...colors].map((letter) => COLORS[letter] ?? letter),
    keywords: raw.keywords,
    cost: raw.cmc === null || raw.cmc === undefined ? undefined : String(raw.cmc),
    manaCost: first('mana_cost'),
    power: first('power'),
    toughness: first('toughness'),
    loyalty: first('loyalty'),
    defense: first('defense'),
    text: texts('oracle_text'),
    flavorText: texts('flavor_text'),
    artist: first('artist'),
    legalities: readLegalities(raw.legalities),
  });
}

/**
 * Whether TCGplayer lists the card. It lists a card in another language if it exists in no other.
 */
function isListedAlone({ tcgplayer_id, tcgplayer_etched_id }: RawCard): boolean {
  return idOf(tcgplayer_id) !== null || idOf(tcgplayer_etched_id) !== null;
}

function adaptTranslation(raw: RawCard, language: LanguageCode | undefined): AdaptedRecord {
  const name = printedNameOf(raw);
  if (language === undefined) return { items: [], skipped: ['card in an unknown language'] };
  if (name === undefined) return { items: [], skipped: ['card without its printed name'] };
  const card = {
    ...EMPTY_REFERENCE,
    externalId: raw.id,
    game: 'mtg',
    name: magicName(raw.name, raw.oversized),
    number: raw.collector_number,
    setCode: raw.set.toUpperCase(),
    setName: raw.set_name,
  } as const;
  return { items: [], translations: [{ card, language, name }] };
}

/** Returns the names of all faces in the card's language, as one name; undefined if unknown. */
function printedNameOf({ printed_name, card_faces }: RawCard): string | undefined {
  if (printed_name) return printed_name;
  const names = card_faces?.map((face) => face.printed_name) ?? [];
  return names.length > 0 && names.every(Boolean) ? names.join(' // ') : undefined;
}

type ExternalIds = CardReference['externalIds'];

function externalIdsOf(raw: RawCard): ExternalIds {
  const ids: Partial<Record<IdSpace, string>> = { scryfall: raw.id };
  const tcgplayer = idOf(raw.tcgplayer_id);
  const cardmarket = idOf(raw.cardmarket_id);
  if (tcgplayer !== null) ids.tcgplayer = tcgplayer;
  if (cardmarket !== null) ids.cardmarket = cardmarket;
  return ids;
}

function idOf(id: number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id);
}

/**
 * Returns an observation for each price. A finish that a marketplace lists without a price gets an
 * observation without prices, which removes an earlier price.
 */
function observe(raw: RawCard, ids: ExternalIds, observedAt: Millis): FinishObservation[] {
  const observations: FinishObservation[] = [];
  for (const { field, finish, marketplace, currency } of PRICES) {
    const price = parseFigure(`prices.${field}`, raw.prices[field]);
    const isGone =
      price === null && raw.finishes.includes(finish) && isListed(raw, ids, marketplace);
    if (price === null && !isGone) continue;
    const prices = { market: price, low: null, mid: null, high: null };
    observations.push({
      finish,
      marketplace,
      currency,
      observedAt,
      prices,
      conditions: {},
      graded: {},
    });
  }
  return observations;
}

function isListed(raw: RawCard, ids: ExternalIds, marketplace: IdSpace): boolean {
  const isEtched = marketplace === 'tcgplayer' && idOf(raw.tcgplayer_etched_id) !== null;
  return isEtched || ids[marketplace] !== undefined;
}

/** Returns the picture, from the first side if there are two. */
function imageOf({ image_uris, card_faces }: RawCard): string | null {
  const images = image_uris ?? card_faces?.[0]?.image_uris;
  return images?.large ?? images?.normal ?? null;
}

function releaseDateOf({ set_type, released_at }: RawCard): string | null {
  if (!released_at || !RELEASED_AT_ONCE.has(set_type ?? '')) return null;
  return parseDay(released_at) === undefined ? null : released_at;
}
