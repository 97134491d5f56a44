import fc from 'fast-check';
import type { Day } from '../../src/domain/day.ts';
import { type Cents, MAX_CENTS } from '../../src/domain/money.ts';
import type { DayPrices } from '../../src/domain/price.ts';
import { LAST_DAY } from '../../src/history/codec.ts';

/** Random histories for property tests. */

/** A price that is often unknown, often the same as others, and sometimes at the bounds. */
const price: fc.Arbitrary<Cents | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.integer({ min: 100, max: 105 }) as fc.Arbitrary<Cents> },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: MAX_CENTS }) as fc.Arbitrary<Cents> },
  { weight: 1, arbitrary: fc.constantFrom(0 as Cents, MAX_CENTS) },
);

/** Days of any distance, most of them close to each other. */
const day: fc.Arbitrary<Day> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 20_000, max: 20_150 }) as fc.Arbitrary<Day> },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: LAST_DAY }) as fc.Arbitrary<Day> },
);

export const dayPrices: fc.Arbitrary<DayPrices> = fc.record(
  { day, market: price, low: price, mid: price, high: price },
  // Records without a prototype would not be strictly equal to what the codec returns.
  { noNullPrototype: true },
);

/** Days in ascending order, each once, at least one. */
export const history: fc.Arbitrary<DayPrices[]> = fc
  .uniqueArray(dayPrices, { selector: (prices) => prices.day, minLength: 1, maxLength: 150 })
  .map((days) => days.sort((a, b) => a.day - b.day));
