import { isDeepStrictEqual } from 'node:util';
import { withoutNumber } from '../../domain/card-name.ts';
import { type Game, rarityLabel } from '../../domain/games.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import { samePrices } from '../../domain/price.ts';
import { decodeEntities } from '../../domain/text.ts';
import type { Listing, SourceCard, SourceSet } from '../contract/snapshot.ts';
import type { BadRow, RawGroup, RawPrice, RawProduct } from './raw.ts';

/** TCGplayer's date for groups without a known release; seen on whole games. */
const UNKNOWN_RELEASE = '1999-01-01';

/** Raised when the adapter makes something else of the same files, to import them again. */
export const ADAPTER_VERSION = 1;

export function adaptSet(game: Game, raw: RawGroup): SourceSet {
  const name = decodeEntities(raw.name).trim();
  const released = raw.publishedOn?.slice(0, 10) ?? UNKNOWN_RELEASE;
  return {
    externalId: String(raw.groupId),
    game: game.slug,
    code: raw.abbreviation?.trim() || codeFromName(name),
    name,
    releaseDate: released === UNKNOWN_RELEASE ? null : released,
  };
}

/** Makes a code for a set that has none: `SV: Black Bolt` becomes `SV-BLACK-BOLT`. */
function codeFromName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** Products as cards, counts of the others by kind, and products that cannot be told. */
export interface AdaptedProducts {
  readonly cards: readonly SourceCard[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly bad: readonly BadRow[];
}

/** Returns the products that are cards. A product that is listed as two different ones is bad. */
export function adaptProducts(game: Game, raw: readonly RawProduct[]): AdaptedProducts {
  const cards: SourceCard[] = [];
  const skipped: Record<string, number> = {};
  const bad: BadRow[] = [];
  for (const [productId, same] of Map.groupBy(raw, (product) => product.productId)) {
    const [card, ...others] = same.map((product) => adaptCard(game, product));
    if (others.some((other) => !isDeepStrictEqual(card, other))) {
      const reason = 'it is listed twice, as two different products';
      bad.push({ name: `products, product ${productId}`, productId, reason });
    } else if (typeof card === 'string') {
      skipped[card] = (skipped[card] ?? 0) + 1;
    } else if (card) {
      cards.push(card);
    }
  }
  return { cards, skipped, bad };
}

/** Returns a product's card, or its other kind. Only cards have a number or a rarity. */
function adaptCard(game: Game, product: RawProduct): SourceCard | 'sealed' | 'code card' {
  const number = printed(extended(product, 'Number'));
  const rarity = printed(extended(product, 'Rarity'));
  if (number === null && rarity === null) return 'sealed';
  if (rarity === 'Code Card') return 'code card';
  return {
    externalId: String(product.productId),
    name: cardName(product.name, number),
    number,
    rarity: rarity === null ? null : rarityLabel(game, rarity),
    image: largeImage(product),
  };
}

function extended(product: RawProduct, name: string): string | null {
  return product.extendedData.find((field) => field.name === name)?.value ?? null;
}

/** Returns what is printed on the card. `N/A` and `None` stand for nothing. */
function printed(value: string | null): string | null {
  const text = decodeEntities(value ?? '').trim();
  return text === '' || /^(n\/a|none)$/i.test(text) ? null : text;
}

/** Returns the picture in the larger of the two sizes that TCGplayer serves. */
function largeImage(product: RawProduct): string | null {
  if (!product.imageUrl || product.imageCount === 0) return null;
  return product.imageUrl.replace(/_200w\.jpg$/, '_in_1000x1000.jpg');
}

/** Returns a card's name as plain text, without the number that TCGplayer repeats in it. */
export function cardName(raw: string, number: string | null): string {
  const name = decodeEntities(raw).replace(/\s+/g, ' ').trim();
  return number === null ? name : withoutNumber(name, number);
}

/** The prices of printings, and those that contradict each other. */
export interface AdaptedPrices {
  readonly listings: readonly Listing[];
  /** The external ids of the cards of contradictory prices, one for each printing. */
  readonly contradictory: readonly string[];
}

/** Converts prices into cents. A printing with contradictory prices is left out. */
export function adaptPrices(raw: readonly RawPrice[]): AdaptedPrices {
  const byPrinting = new Map<string, Listing>();
  const contradictory = new Map<string, string>();
  for (const price of raw) {
    const key = `${price.productId}/${price.subTypeName}`;
    const listing = adaptPrice(price);
    const before = byPrinting.get(key);
    if (before && !samePrices(before.prices, listing.prices)) {
      contradictory.set(key, listing.externalId);
    }
    byPrinting.set(key, listing);
  }
  for (const key of contradictory.keys()) byPrinting.delete(key);
  return { listings: [...byPrinting.values()], contradictory: [...contradictory.values()] };
}

function adaptPrice(price: RawPrice): Listing {
  return {
    externalId: String(price.productId),
    printing: price.subTypeName,
    prices: {
      market: cents(price.marketPrice),
      low: cents(price.lowPrice),
      mid: cents(price.midPrice),
      high: cents(price.highPrice),
    },
  };
}

/** Converts an amount that the schema has checked. Zero stands for an unknown price. */
function cents(dollars: number | null): Cents | null {
  return dollars === null ? null : centsFromDollars(dollars) || null;
}
