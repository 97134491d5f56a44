import type { Millis } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import { hasPrice, NO_PRICES, type PriceFigures } from '../../domain/price.ts';
import { decodeEntities } from '../../domain/text.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE, observationsFromCents } from '../kit/observations.ts';
import { BadRecord, parseCents } from '../kit/schema.ts';
import type { CardmarketGame } from './games.ts';
import type { RawGuide } from './raw.ts';

/** Raised when the adapter makes something else of the same file, which is then read anew. */
export const ADAPTER_VERSION = 1;

/** What is known besides a price guide's entry. */
export interface Guide {
  readonly game: CardmarketGame;
  readonly observedAt: Millis;
  /** The names of all singles, by id; null when nobody told them. */
  readonly names: ReadonlyMap<number, string> | null;
}

/**
 * What an entry offers: a card that is known by its id alone, and by a name where the product list
 * has one, with its prices in euros.
 *
 * `trend` is what Cardmarket says that a product sells for, and so the market price. Its averages
 * are of sales, too, and not the median of listings that `mid` is, so nothing is taken from them.
 *
 * @throws BadRecord for a price that cannot be one.
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
  const rest = { marketplace: 'cardmarket', currency: 'EUR', observedAt } as const;
  const foil = foilPrices(raw);
  const observations: Observation[] = observationsFromCents({
    ...rest,
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
          ...observationsFromCents({ ...rest, printing: game.foil, prices: foil }),
        ],
      },
    ],
  };
}

/** Of what is only sold as a foil the cheapest offer stands among the plain prices, too. */
function plainPrices(raw: RawGuide, foil: PriceFigures): PriceFigures {
  const market = figure(raw, 'trend');
  const low = figure(raw, 'low');
  const isSold = [raw.avg, raw.avg1, raw.avg7, raw.avg30].some(Boolean) || market !== null;
  const isOfFoil = !isSold && low !== null && low === foil.low;
  return isOfFoil ? NO_PRICES : { ...NO_PRICES, market, low };
}

function foilPrices(raw: RawGuide): PriceFigures {
  return {
    ...NO_PRICES,
    market: figure(raw, 'trend-foil') ?? figure(raw, 'trend-holo'),
    low: figure(raw, 'low-foil') ?? figure(raw, 'low-holo'),
  };
}

function figure(raw: RawGuide, name: keyof RawGuide): Cents | null {
  try {
    return parseCents(raw[name]);
  } catch (error) {
    throw error instanceof BadRecord ? new BadRecord(`${name} ${error.message}`) : error;
  }
}

/**
 * The parts of a product's name. Pokémon cards carry their attacks in brackets, cards of games
 * with codes the code, and cards of one name in one set a number: `Pikachu ex [Topaz Bolt]`,
 * `Roronoa Zoro (OP01-001)`, `Island (V.2)`.
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
