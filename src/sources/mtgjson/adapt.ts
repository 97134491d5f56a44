import { type Static, Type } from 'typebox';
import { type Day, formatDay, type Millis, parseDay, startOfDay } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Currency } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import { BadRecord } from '../io/json.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import {
  type Finish,
  type FinishObservation,
  type MagicCard,
  magicFeedItems,
} from '../kit/magic-finishes.ts';
import { compileParser, Label, Nullish, parseCents } from '../kit/schema.ts';
import { isFutureDay } from '../kit/source-file.ts';

/** A card of AllIdentifiers, with the fields needed for prices. */
export interface IdentifiedCard extends MagicCard {
  /** Whether TCGplayer lists another foil of it as a separate product. */
  readonly hasOtherFoil: boolean;
}

/*
 * The files of MTGJSON: `{meta, data}`, where `data` has a member for each card under MTGJSON's own
 * id. Only the fields in use are validated.
 */

/** The `meta` of a file. @throws BadRecord for anything else. */
export const parseMeta = compileParser(Type.Object({ date: Label }));

/** Prices by day, `YYYY-MM-DD`; null for a day without. The adapter validates each. */
const RawDays = Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}));

const RawFinishes = Nullish(
  Type.Object({ normal: Nullish(RawDays), foil: Nullish(RawDays), etched: Nullish(RawDays) }),
);

const RawShop = Type.Object({
  currency: Nullish(Label),
  /** The shop's selling prices. */
  retail: RawFinishes,
  /** The shop's buy prices. */
  buylist: RawFinishes,
});

/** A card of AllPrices or AllPricesToday. Prices of digital cards, in `mtgo`, are ignored. */
const RawPrices = Type.Object({
  paper: Nullish(
    Type.Object({
      tcgplayer: Nullish(RawShop),
      cardkingdom: Nullish(RawShop),
      cardmarket: Nullish(RawShop),
    }),
  ),
});

/** A card of AllIdentifiers. */
const RawCard = Type.Object({
  name: Label,
  number: Label,
  setCode: Label,
  /** Tokens have none. */
  rarity: Nullish(Label),
  finishes: Type.Array(Label, { maxItems: 20 }),
  isOversized: Nullish(Type.Boolean()),
  /** The face, if a card has an entry for each of several: `a` is the first. */
  side: Nullish(Label),
  /** Its versions in other languages. */
  foreignData: Nullish(
    Type.Array(Type.Object({ language: Label, name: Nullish(Label) }), { maxItems: 100 }),
  ),
  identifiers: Type.Object({
    scryfallId: Nullish(Label),
    mcmId: Nullish(Label),
    tcgplayerProductId: Nullish(Label),
    tcgplayerEtchedProductId: Nullish(Label),
    /** A second product, for a foil made by a different process. */
    tcgplayerAlternativeFoilProductId: Nullish(Label),
  }),
});

export type RawDays = Static<typeof RawDays>;
export type RawShop = Static<typeof RawShop>;
export type RawPrices = Static<typeof RawPrices>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but prices of MTGJSON. */
export const parsePrices = compileParser(RawPrices);

/** @throws BadRecord for anything but a card of MTGJSON. */
export const parseCard = compileParser(RawCard);

/** Raise it when the adapter's output for the same files changes, so they are imported again. */
export const ADAPTER_VERSION = 4;

interface Shop {
  readonly marketplace: 'tcgplayer' | 'cardkingdom' | 'cardmarket';
  readonly currency: Currency;
  /**
   * The kind of its prices: a market price, Cardmarket's trend, or the listing of a single shop.
   */
  readonly figure: 'market' | 'low';
}

/**
 * The shops whose prices are used. Card Kingdom sells its own cards: its price is a listing and
 * counts as `low`, not as the price at which cards sell elsewhere.
 */
const SHOPS: readonly Shop[] = [
  { marketplace: 'tcgplayer', currency: 'USD', figure: 'market' },
  { marketplace: 'cardkingdom', currency: 'USD', figure: 'low' },
  { marketplace: 'cardmarket', currency: 'EUR', figure: 'market' },
];

const FINISHES: readonly (readonly [name: 'normal' | 'foil' | 'etched', finish: Finish])[] = [
  ['normal', 'nonfoil'],
  ['foil', 'foil'],
  ['etched', 'etched'],
];

/** Parses days, and caches them, because the prices of every card use the same few days. */
export class DayParser {
  readonly #known = new Map<string, Day>();
  readonly #now: Millis;

  constructor(now: Millis) {
    this.#now = now;
  }

  /** @throws BadRecord for anything but a day, and for a day in the future. */
  parse(text: string): Day {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const day = parseDay(text);
    if (day === undefined) throw new BadRecord(`"${text.slice(0, 40)}" is not a day YYYY-MM-DD`);
    if (isFutureDay(day, this.#now)) throw new BadRecord(`${text} is in the future`);
    this.#known.set(text, day);
    return day;
  }
}

/**
 * Adapts the prices of a card.
 *
 * @throws BadRecord for an impossible day or price.
 */
export function adaptPrices(
  card: IdentifiedCard | 'other face' | undefined,
  { paper }: RawPrices,
  days: DayParser,
): AdaptedRecord {
  if (!paper) return { items: [], skipped: ['no paper card'] };
  if (card === undefined) return { items: [], skipped: ['not in the identifiers'] };
  if (card === 'other face') return { items: [], skipped: [card] };
  const observations = SHOPS.flatMap((shop) => observeShop(shop, paper[shop.marketplace], days));
  const certain = observations.filter(({ finish }) => finish !== 'foil' || !card.hasOtherFoil);
  const items = magicFeedItems(card, certain).filter((item) => item.observations.length > 0);
  // TCGplayer has two products for the foil; the price may belong to either.
  if (certain.length < observations.length)
    return { items, skipped: ['foil of one of two products'] };
  return items.length === 0 ? { items, skipped: ['no price'] } : { items };
}

function observeShop(
  shop: Shop,
  raw: RawShop | null | undefined,
  days: DayParser,
): FinishObservation[] {
  const { retail, buylist, currency } = raw ?? {};
  if (!retail) return [];
  if (currency && currency !== shop.currency) {
    throw new BadRecord(`the prices of ${shop.marketplace} are in ${currency.slice(0, 10)}`);
  }
  return FINISHES.flatMap(([name, finish]) => {
    const series = seriesOf(retail[name], shop, days);
    const latest = series.pop();
    if (!latest) return [];
    const paid = buylist && paidOn(latest.day, buylist[name], shop);
    const observation = observe(shop, finish, latest, series);
    return [paid ? { ...observation, trade: { buylist: paid } } : observation];
  });
}

/** Returns the price that a shop paid on a day; null if it bought none. */
function paidOn(day: Day, raw: RawDays | null | undefined, { marketplace }: Shop): Cents | null {
  return raw ? priceOf(raw[formatDay(day)] ?? null, marketplace) : null;
}

function observe(
  { marketplace, currency }: Shop,
  finish: Finish,
  { day, ...prices }: DayPrices,
  earlierDays: readonly DayPrices[],
): FinishObservation {
  const observedAt = startOfDay(day);
  const basis = { finish, marketplace, currency, observedAt, prices, conditions: {}, graded: {} };
  return earlierDays.length === 0 ? basis : { ...basis, earlierDays };
}

/** Returns the days that have a price, oldest first. */
function seriesOf(
  raw: RawDays | null | undefined,
  { figure, marketplace }: Shop,
  days: DayParser,
): DayPrices[] {
  const series: DayPrices[] = [];
  for (const text in raw) {
    const price = priceOf(raw[text], marketplace);
    if (price !== null) series.push(pricesOf(days.parse(text), figure, price));
  }
  return series.sort((a, b) => a.day - b.day);
}

function pricesOf(day: Day, figure: Shop['figure'], price: Cents): DayPrices {
  const [market, low] = figure === 'market' ? [price, null] : [null, price];
  return { day, market, low, mid: null, high: null };
}

function priceOf(value: unknown, marketplace: string): Cents | null {
  if (value === null || typeof value === 'number') return parseCents(value);
  throw new BadRecord(`a price of ${marketplace} is not a number`);
}
