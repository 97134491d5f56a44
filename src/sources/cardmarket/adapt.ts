import { type Static, Type } from 'typebox';
import type { Millis } from '../../domain/day.ts';
import { GAMES, type GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import { hasPrice, NO_PRICES, type PriceFigures } from '../../domain/price.ts';
import { decodeEntities } from '../../domain/text.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE, observationsFromCents, parseFigure } from '../kit/observations.ts';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * Cardmarket's public files, one of each kind for each game. Their names contain the game's number:
 * `price_guide_1.json` with `{"version","createdAt","priceGuides":[…]}`, and
 * `products_singles_1.json` with `{"version","createdAt","products":[…]}`. Only the fields in use
 * are validated.
 */

const Figure = Nullish(Type.Number());

/** Prices in euros. Fields of foils end in `-foil`; in the file for Pokémon, in `-holo`. */
const RawGuide = Type.Object({
  idProduct: Type.Integer({ minimum: 1 }),
  /** The average price of sales: over all time, and over the last 1, 7 and 30 days. */
  avg: Figure,
  avg1: Figure,
  avg7: Figure,
  avg30: Figure,
  /** The lowest listing. */
  low: Figure,
  /** Cardmarket's own estimate of the selling price. */
  trend: Figure,
  'low-foil': Figure,
  'trend-foil': Figure,
  'low-holo': Figure,
  'trend-holo': Figure,
});

const RawProduct = Type.Object({
  idProduct: Type.Integer({ minimum: 1 }),
  name: Label,
});

export type RawGuide = Static<typeof RawGuide>;
export type RawProduct = Static<typeof RawProduct>;

/** @throws BadRecord for anything but an entry of a price guide. */
export const parseGuide = compileParser(RawGuide);

/** @throws BadRecord for anything but an entry of a product list. */
export const parseProduct = compileParser(RawProduct);

/** A game with its price guide at Cardmarket: `src/domain/games/` describes the fields. */
export interface CardmarketGame {
  readonly slug: GameSlug;
  readonly number: number;
  readonly plain: string | undefined;
  readonly foil: string | null;
}

/** The games with a price guide from Cardmarket. */
export const CARDMARKET_GAMES: readonly CardmarketGame[] = GAMES.flatMap(({ slug, cardmarket }) =>
  cardmarket?.priceGuide ? [{ slug, ...cardmarket.priceGuide }] : [],
);

/** Returns the game in a file's name, `price_guide_1.json` or `price_guide_1 (2).json`. */
export function gameOfFile(name: string): CardmarketGame | undefined {
  const [, number] = /price_guide_(\d{1,3})(?!\d)/.exec(name) ?? [];
  return CARDMARKET_GAMES.find((game) => String(game.number) === number);
}

/** Raise it when the adapter's output for the same file changes, so the file is imported again. */
export const ADAPTER_VERSION = 1;

/** Facts about a whole price guide. */
export interface Guide {
  readonly game: CardmarketGame;
  readonly observedAt: Millis;
  /** The names of all single cards by product id; null without a product list. */
  readonly names: ReadonlyMap<number, string> | null;
}

/**
 * Adapts an entry of a price guide: a card with its Cardmarket id, its name if there is a product
 * list, and prices in euros.
 *
 * `trend`, Cardmarket's estimate of the selling price, is the market price. The averages are also
 * averages of sales, so they do not provide `mid`, the median of listings.
 *
 * @throws BadRecord for an impossible price.
 */
export function adaptGuide(raw: RawGuide, { game, observedAt, names }: Guide): AdaptedRecord {
  const name = names?.get(raw.idProduct);
  if (names && name === undefined) return { items: [], skipped: ['not a single card'] };
  const id = String(raw.idProduct);
  const card = {
    ...EMPTY_REFERENCE,
    ...splitName(name ?? ''),
    externalId: id,
    game: game.slug,
    externalIds: { cardmarket: id },
  };
  const basis = { marketplace: 'cardmarket', currency: 'EUR', observedAt } as const;
  const foil = foilPrices(raw);
  const observations: Observation[] = observationsFromCents({
    ...basis,
    printing: game.plain,
    prices: plainPrices(raw, foil),
  });
  if (!hasPrice(foil)) return { items: [{ card, observations }] };
  if (game.foil === null) {
    return {
      items: [{ card, observations }],
      skipped: ['price of a foil that is not told apart'],
    };
  }
  return {
    items: [
      {
        card,
        observations: [
          ...observations,
          ...observationsFromCents({ ...basis, printing: game.foil, prices: foil }),
        ],
      },
    ],
  };
}

/** Returns the plain prices. If a product is sold only as a foil, its `low` repeats the foil's. */
function plainPrices(raw: RawGuide, foil: PriceFigures): PriceFigures {
  const market = parseFigureOf(raw, 'trend');
  const low = parseFigureOf(raw, 'low');
  const isSold = [raw.avg, raw.avg1, raw.avg7, raw.avg30].some(Boolean) || market !== null;
  const isOfFoil = !isSold && low !== null && low === foil.low;
  return isOfFoil ? NO_PRICES : { ...NO_PRICES, market, low };
}

function foilPrices(raw: RawGuide): PriceFigures {
  return {
    ...NO_PRICES,
    market: parseFigureOf(raw, 'trend-foil') ?? parseFigureOf(raw, 'trend-holo'),
    low: parseFigureOf(raw, 'low-foil') ?? parseFigureOf(raw, 'low-holo'),
  };
}

function parseFigureOf(raw: RawGuide, name: keyof RawGuide): Cents | null {
  return parseFigure(name, raw[name]);
}

/**
 * Splits a product's name. Brackets contain the attacks of a Pokémon card (`Pikachu ex [Topaz
 * Bolt]`), the code of a card (`Roronoa Zoro (OP01-001)`), or a version within a set (`Island
 * (V.2)`).
 */
export function splitName(text: string): {
  name: string;
  number: string | null;
  variant: string | null;
} {
  let number: string | null = null;
  let variant: string | null = null;
  const bare = decodeEntities(text)
    .replace(/\[[^[\]]*\]/g, ' ')
    .replace(/\(([A-Z]{1,4}\d{0,3}-[A-Z]{0,2}\d{1,4})\)/, (_, code: string) => {
      number = code;
      return ' ';
    })
    .replace(/\((V\.\d[^()]*)\)/, (_, version: string) => {
      variant = version;
      return ' ';
    });
  return { name: bare.replace(/\s+/g, ' ').trim(), number, variant };
}
