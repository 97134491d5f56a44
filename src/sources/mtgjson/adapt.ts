import { addDays, type Day, dayOf, type Millis, parseDay, startOfDay } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Currency } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { type Finish, type FinishObservation, magicFeedItems } from '../kit/magic-finishes.ts';
import { BadRecord, parseCents } from '../kit/schema.ts';
import type { IdentifiedCard } from './identifiers.ts';
import type { RawDays, RawPrices, RawShop } from './raw.ts';

/** Raised when the adapter makes something else of the same files, which are then read anew. */
export const ADAPTER_VERSION = 1;

interface Shop {
  readonly marketplace: 'tcgplayer' | 'cardkingdom' | 'cardmarket';
  readonly currency: Currency;
  /** What its prices are: TCGplayer's market price, Cardmarket's trend, a shop's own offer. */
  readonly figure: 'market' | 'low';
}

/**
 * The shops whose prices are used. Others are left alone. Card Kingdom sells its cards itself: what
 * it asks is a listing, the lowest that it has, and not what cards are worth to others.
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

/** Reads days; there are but a few, and each is in the prices of every card. */
export class DayParser {
  readonly #known = new Map<string, Day>();
  readonly #latest: Day;

  /** Days after that of `now` and the one behind it cannot be. */
  constructor(now: Millis) {
    this.#latest = addDays(dayOf(now), 1);
  }

  /** @throws BadRecord for what is no day, or in the future. */
  parse(text: string): Day {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const day = parseDay(text);
    if (day === undefined) throw new BadRecord(`"${text.slice(0, 40)}" is not a day YYYY-MM-DD`);
    if (day > this.#latest) throw new BadRecord(`${text} is in the future`);
    this.#known.set(text, day);
    return day;
  }
}

/**
 * What a card's prices offer.
 *
 * @throws BadRecord for a day that is none or a price that cannot be one.
 */
export function adaptPrices(
  card: IdentifiedCard | 'other face' | undefined,
  { paper }: RawPrices,
  days: DayParser,
): AdaptedRecord {
  if (!paper) return { items: [], skipped: ['no paper card'] };
  if (card === undefined) return { items: [], skipped: ['not in the identifiers'] };
  if (card === 'other face') return { items: [], skipped: [card] };
  const observations = SHOPS.flatMap((shop) => quotesOf(shop, paper[shop.marketplace], days));
  const sure = observations.filter(({ finish }) => finish !== 'foil' || !card.hasOtherFoil);
  const items = magicFeedItems(card, sure).filter((offer) => offer.observations.length > 0);
  // With two products for its foil, nothing tells which of them the price is of.
  if (sure.length < observations.length) return { items, skipped: ['foil of one of two products'] };
  return items.length === 0 ? { items, skipped: ['no price'] } : { items };
}

function quotesOf(
  shop: Shop,
  raw: RawShop | null | undefined,
  days: DayParser,
): FinishObservation[] {
  const { retail, currency } = raw ?? {};
  if (!retail) return [];
  if (currency && currency !== shop.currency) {
    throw new BadRecord(`the prices of ${shop.marketplace} are in ${currency.slice(0, 10)}`);
  }
  return FINISHES.flatMap(([name, finish]) => {
    const series = seriesOf(retail[name], shop, days);
    const latest = series.pop();
    return latest ? [quoteOf(shop, finish, latest, series)] : [];
  });
}

function quoteOf(
  { marketplace, currency }: Shop,
  finish: Finish,
  { day, ...prices }: DayPrices,
  past: readonly DayPrices[],
): FinishObservation {
  const observedAt = startOfDay(day);
  const quote = { finish, marketplace, currency, observedAt, prices, conditions: {}, graded: {} };
  return past.length === 0 ? quote : { ...quote, earlierDays: past };
}

/** The days that have a price, oldest first. */
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
  throw new BadRecord(`a price of ${marketplace} is no number`);
}
