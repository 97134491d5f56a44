import type { Millis } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Currency, Observation } from '../../domain/observation.ts';
import { NO_PRICES, type PriceFigures } from '../../domain/price.ts';
import type { CardReference } from '../contract/feed.ts';
import { BadRecord, parseCents } from './schema.ts';

/** What adapters build offers from, so that each says only what its source tells. */

/** A reference that tells nothing yet besides whom it means. */
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

/** Whose price it is, of what and from when. */
interface ObservationBasis {
  /** Undefined is the default printing: the source does not tell printings apart. */
  readonly printing: string | undefined;
  readonly marketplace: string;
  readonly currency: Currency;
  readonly observedAt: Millis;
}

/** The figures of a price as far as a source has them. */
export interface CentsObservation extends ObservationBasis {
  readonly prices: Partial<PriceFigures>;
}

/** The quote that some figures make, or none when all of them are unknown. */
export function observationsFromCents({ prices, ...origin }: CentsObservation): Observation[] {
  const quad = { ...NO_PRICES, ...prices };
  if (Object.values(quad).every((figure) => figure === null)) return [];
  return [{ ...origin, prices: quad, conditions: {}, graded: {} }];
}

/** The figures of a price as the source writes them. */
export interface AmountsObservation extends ObservationBasis {
  /** Undefined is what the source does not mention; zero and null say that it knows none. */
  readonly amounts: Readonly<
    Partial<Record<keyof PriceFigures, string | number | null | undefined>>
  >;
}

/**
 * The quote that some amounts make: of a printing that the source names one without any price, too,
 * so that it is known when a price is gone. None when the source does not mention any amount.
 *
 * @throws BadRecord for an amount that cannot be a price.
 */
export function observationsFrom({ amounts, ...origin }: AmountsObservation): Observation[] {
  const told = Object.entries(amounts).filter(([, amount]) => amount !== undefined);
  if (told.length === 0) return [];
  const prices = Object.fromEntries(told.map(([figure, amount]) => [figure, read(figure, amount)]));
  if (origin.printing === undefined) return observationsFromCents({ ...origin, prices });
  return [{ ...origin, prices: { ...NO_PRICES, ...prices }, conditions: {}, graded: {} }];
}

function read(figure: string, amount: string | number | null | undefined): Cents | null {
  try {
    return parseCents(amount);
  } catch (error) {
    throw error instanceof BadRecord ? new BadRecord(`${figure} ${error.message}`) : error;
  }
}
