import { type Millis, parseDay } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { GradeName, Observation } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import type { CardReference } from '../contract/feed.ts';
import { type GradeMap, withGrades } from '../contract/grades.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE } from '../kit/observations.ts';
import { type PriceUnit, parsePrice } from './money.ts';
import { isSealed, type ProductName, splitConsoleName, splitProductName } from './names.ts';
import type { RawProduct } from './raw.ts';

/** Raised when the adapter makes something else of the same file, which is then read anew. */
export const ADAPTER_VERSION = 1;

/** What is known of the whole file. */
export interface Guide {
  readonly unit: PriceUnit;
  readonly observedAt: Millis;
  /** Only these games; all when null. */
  readonly games: readonly GameSlug[] | null;
  readonly grades: GradeMap;
}

/**
 * What a product offers: a card with what it sells for, ungraded and graded. Also without any
 * price, so that one which is gone is known to be.
 *
 * @throws BadRecord for a price that cannot be one.
 */
export function adaptProduct(raw: RawProduct, guide: Guide): AdaptedRecord {
  // Comics are graded in the same columns by another scale, and games are not graded.
  if (raw.genre !== '' && !/\bcards?$/i.test(raw.genre)) return skipped('not a card');
  const set = splitConsoleName(raw.consoleName);
  if (typeof set === 'string') return skipped(set);
  if (guide.games && !guide.games.includes(set.game)) return skipped('card of another game');
  const product = splitProductName(raw.productName, set.game);
  if (isSealed(product)) return skipped('sealed product');
  const { name, number, variant, printing } = product;
  const card: CardReference = {
    ...EMPTY_REFERENCE,
    ...set,
    externalId: raw.id,
    name,
    number,
    variant,
    externalIds: sharedIds(raw, product),
    releaseDate: parseDay(raw.releaseDate) === undefined ? null : raw.releaseDate,
  };
  return { items: [{ card, observations: [adaptPrices(raw, printing, guide)] }] };
}

function skipped(reason: string): AdaptedRecord {
  return { items: [], skipped: [reason] };
}

/**
 * `tcg-id` is TCGplayer's product, where there is one. Of what stands in brackets it is often the
 * product of the plain card (1st Edition and Shadowless of Base Set), so there it is not believed.
 */
function sharedIds({ tcgId }: RawProduct, product: ProductName): CardReference['externalIds'] {
  const isPlain = product.variant === null && product.printing === undefined;
  return isPlain && /^[1-9]\d{0,9}$/.test(tcgId) ? { tcgplayer: tcgId } : {};
}

/** Its prices are all of what things sold for: the ungraded one is what our market price is. */
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
    graded: withGrades(graded, guide.grades),
  };
}
