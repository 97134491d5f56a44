import fc from 'fast-check';
import type { Day } from '../../src/domain/day.ts';
import { type Cents, MAX_CENTS } from '../../src/domain/money.ts';
import { LAST_DAY } from '../../src/history/codec.ts';
import type { BlockDay } from '../../src/history/provenance.ts';

/** Random histories for property tests. */

/** A price: often unknown, often equal to others, sometimes at the bounds. */
const price: fc.Arbitrary<Cents | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.integer({ min: 100, max: 105 }) as fc.Arbitrary<Cents> },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: MAX_CENTS }) as fc.Arbitrary<Cents> },
  { weight: 1, arbitrary: fc.constantFrom(0 as Cents, MAX_CENTS) },
);

/** Days at any distance, most of them close together. */
const day: fc.Arbitrary<Day> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 20_000, max: 20_150 }) as fc.Arbitrary<Day> },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: LAST_DAY }) as fc.Arbitrary<Day> },
);

const provenance = fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 0xffff }));

export const blockDay: fc.Arbitrary<BlockDay> = fc.record(
  { day, market: price, low: price, mid: price, high: price, provenance },
  // Records without a prototype would not be strictly equal to what the codec returns.
  { noNullPrototype: true },
);

/** Provenances of successive days: random, or in runs that mostly alternate. */
const runs: fc.Arbitrary<readonly number[] | null> = fc.option(
  fc
    .array(fc.tuple(provenance, fc.integer({ min: 1, max: 90 })), { minLength: 1, maxLength: 9 })
    .map((lengths) => lengths.flatMap(([number, length]) => Array(length).fill(number))),
);

/** One or more days in ascending order, without duplicates. */
export const history: fc.Arbitrary<BlockDay[]> = fc
  .tuple(
    fc.uniqueArray(blockDay, { selector: ({ day }) => day, minLength: 1, maxLength: 150 }),
    runs,
  )
  .map(([days, numbers]) => {
    const ascending = days.sort((a, b) => a.day - b.day);
    if (numbers === null) return ascending;
    return ascending.map((one, at) => ({ ...one, provenance: numbers[at % numbers.length] ?? 0 }));
  });
