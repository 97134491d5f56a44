import type { Millis } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Currency, Observation } from '../../domain/observation.ts';
import { NO_PRICES, type PriceFigures } from '../../domain/price.ts';
import type { CardReference } from '../contract/feed.ts';
import { BadRecord } from '../io/json.ts';
import { parseCents } from './schema.ts';

/** Parts of references and observations, for adapters. */

/**
 * A card reference without any optional facts. Adapters override the fields that their source
 * gives.
 */
export const EMPTY_REFERENCE = {
  number: null,
  setCode: null,
  setName: null,
  rarity: null,
  variant: null,
  externalIds: {},
  printings: null,
  image: null,
  releaseDate: null,
} as const satisfies Omit<CardReference, 'externalId' | 'game' | 'name'>;

/** The subject of an observation, without its prices. */
interface ObservationBasis {
  /** Undefined for the default printing: the source does not distinguish printings. */
  readonly printing: string | undefined;
  readonly marketplace: string;
  readonly currency: Currency;
  readonly observedAt: Millis;
}

/** An observation in cents; omitted figures are unknown. */
export interface CentsObservation extends ObservationBasis {
  readonly prices: Partial<PriceFigures>;
}

/** Returns one observation, or none if all of its prices are unknown. */
export function observationsFromCents({ prices, ...basis }: CentsObservation): Observation[] {
  const figures = { ...NO_PRICES, ...prices };
  if (Object.values(figures).every((figure) => figure === null)) return [];
  return [{ ...basis, prices: figures, conditions: {}, graded: {} }];
}

/** An observation with amounts as the source writes them. */
export interface AmountsObservation extends ObservationBasis {
  /** Undefined if the source has no such figure; zero or null if it knows no price. */
  readonly amounts: Readonly<
    Partial<Record<keyof PriceFigures, string | number | null | undefined>>
  >;
}

/**
 * Returns one observation, or none if the source has no figures at all. A printing without a price
 * gets an observation without prices, which removes an earlier price.
 *
 * @throws BadRecord for an amount that cannot be a price.
 */
export function observationsFrom({ amounts, ...basis }: AmountsObservation): Observation[] {
  const given = Object.entries(amounts).filter(([, amount]) => amount !== undefined);
  if (given.length === 0) return [];
  const prices = Object.fromEntries(
    given.map(([figure, amount]) => [figure, parseFigure(figure, amount)]),
  );
  if (basis.printing === undefined) return observationsFromCents({ ...basis, prices });
  return [{ ...basis, prices: { ...NO_PRICES, ...prices }, conditions: {}, graded: {} }];
}

/** Parses an amount; the error names its field. */
export function parseFigure(
  field: string,
  amount: string | number | null | undefined,
): Cents | null {
  try {
    return parseCents(amount);
  } catch (error) {
    throw error instanceof BadRecord ? new BadRecord(`${field} ${error.message}`) : error;
  }
}
