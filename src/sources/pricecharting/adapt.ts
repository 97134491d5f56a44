import { type Millis, parseDay } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { GradeName, Observation } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import type { CardReference } from '../contract/feed.ts';
import { type GradeMap, withMappedGrades } from '../contract/grades.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE } from '../kit/observations.ts';
import { type PriceUnit, parsePrice } from './money.ts';
import { isSealed, type ProductName, splitConsoleName, splitProductName } from './names.ts';
import type { RawProduct } from './raw.ts';

/** Raised when the adapter makes something else of the same file, to import the file again. */
export const ADAPTER_VERSION = 1;

/** What is known of a whole price guide. */
export interface Guide {
  readonly unit: PriceUnit;
  readonly observedAt: Millis;
  /** The games to adapt; null adapts all. */
  readonly games: readonly GameSlug[] | null;
  readonly grades: GradeMap;
}

/**
 * Adapts a product: a card with its prices, ungraded and graded. Without any price it still makes an
 * observation, which removes an earlier price.
 *
 * @throws BadRecord for an impossible price.
 */
export function adaptProduct(raw: RawProduct, guide: Guide): AdaptedRecord {
  // Comics have grades of another scale in the same columns, and games have none.
  if (raw.genre !== '' && !/\bcards?$/i.test(raw.genre)) return skippedFor('not a card');
  const set = splitConsoleName(raw.consoleName);
  if (typeof set === 'string') return skippedFor(set);
  if (guide.games && !guide.games.includes(set.game)) return skippedFor('card of another game');
  const product = splitProductName(raw.productName, set.game);
  if (isSealed(product)) return skippedFor('sealed product');
  const { name, number, variant, printing } = product;
  const card: CardReference = {
    ...EMPTY_REFERENCE,
    ...set,
    externalId: raw.id,
    name,
    number,
    variant,
    externalIds: externalIdsOf(raw, product),
    releaseDate: parseDay(raw.releaseDate) === undefined ? null : raw.releaseDate,
  };
  return { items: [{ card, observations: [adaptPrices(raw, printing, guide)] }] };
}

function skippedFor(reason: string): AdaptedRecord {
  return { items: [], skipped: [reason] };
}

/**
 * Returns TCGplayer's product in `tcg-id`. It is ignored for names with brackets, where it is often
 * that of the plain card (1st Edition and Shadowless of Base Set).
 */
function externalIdsOf({ tcgId }: RawProduct, product: ProductName): CardReference['externalIds'] {
  const isPlain = product.variant === null && product.printing === undefined;
  return isPlain && /^[1-9]\d{0,9}$/.test(tcgId) ? { tcgplayer: tcgId } : {};
}

/** All prices are of sales: the ungraded one is the market price. */
function adaptPrices(raw: RawProduct, printing: string | undefined, guide: Guide): Observation {
  const { unit, observedAt } = guide;
  const graded: Partial<Record<GradeName, Cents>> = {};
  for (const [grade, text] of raw.graded) {
    const cents = parsePrice(text, unit);
    if (cents !== null) graded[grade] = cents;
  }
  return {
    printing,
    marketplace: 'pricecharting',
    currency: 'USD',
    observedAt,
    prices: { ...NO_PRICES, market: parsePrice(raw.ungraded, unit) },
    conditions: {},
    graded: withMappedGrades(graded, guide.grades),
  };
}
