import { withoutNumber } from '../../domain/card-name.ts';
import { type Game, rarityLabel } from '../../domain/games.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import { samePrices } from '../../domain/price.ts';
import { decodeEntities } from '../../domain/text.ts';
import type { Listing, SourceCard, SourceSet } from '../contract/snapshot.ts';
import { MalformedFile, type RawGroup, type RawPrice, type RawProduct } from './raw.ts';

/** TCGplayer's date for groups without a known release; seen on whole games. */
const UNKNOWN_RELEASE = '1999-01-01';

/** Raised when the adapter makes something else of the same files, to import them again. */
export const ADAPTER_VERSION = 2;

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

/**
 * Returns the products that are cards, and counts of the others by kind.
 *
 * @throws MalformedFile when a product is listed twice.
 */
export function adaptProducts(
  game: Game,
  raw: readonly RawProduct[],
): { cards: SourceCard[]; skipped: Record<string, number> } {
  const cards: SourceCard[] = [];
  const skipped: Record<string, number> = {};
  const seen = new Set<number>();
  for (const product of raw) {
    if (seen.has(product.productId)) {
      throw new MalformedFile(`products: product ${product.productId} is listed twice`);
    }
    seen.add(product.productId);
    const card = adaptCard(game, product);
    if (typeof card === 'string') skipped[card] = (skipped[card] ?? 0) + 1;
    else cards.push(card);
  }
  return { cards, skipped };
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

/**
 * Converts prices into cents. A printing with contradictory prices is left out and counted.
 *
 * @throws MalformedFile for an impossible price.
 */
export function adaptPrices(raw: readonly RawPrice[]): {
  listings: Listing[];
  contradictory: number;
} {
  const byPrinting = new Map<string, Listing | 'contradictory'>();
  for (const price of raw) {
    const key = `${price.productId}/${price.subTypeName}`;
    const listing = adaptPrice(price);
    const before = byPrinting.get(key);
    const agrees =
      before !== 'contradictory' && (!before || samePrices(before.prices, listing.prices));
    byPrinting.set(key, agrees ? listing : 'contradictory');
  }
  const listings = [...byPrinting.values()].filter((listing) => listing !== 'contradictory');
  return { listings, contradictory: byPrinting.size - listings.length };
}

function adaptPrice(price: RawPrice): Listing {
  return {
    externalId: String(price.productId),
    printing: price.subTypeName,
    prices: {
      market: cents(price, 'marketPrice'),
      low: cents(price, 'lowPrice'),
      mid: cents(price, 'midPrice'),
      high: cents(price, 'highPrice'),
    },
  };
}

type PriceField = 'marketPrice' | 'lowPrice' | 'midPrice' | 'highPrice';

function cents(price: RawPrice, field: PriceField): Cents | null {
  const dollars = price[field];
  if (dollars === null) return null;
  const amount = centsFromDollars(dollars);
  if (amount === undefined) {
    throw new MalformedFile(
      `prices: product ${price.productId} has the ${field} ${dollars}, which cannot be a price`,
    );
  }
  // Zero stands for an unknown price.
  return amount === 0 ? null : amount;
}
