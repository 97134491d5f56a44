import type { CardSet } from './card.ts';
import type { Cents } from './money.ts';
import { compareText } from './text.ts';

/** Counts the results of a list by shared properties, for filters. */

export const FACETS = ['set', 'rarity', 'printing', 'price'] as const;
export type Facet = (typeof FACETS)[number];

/** The counted parts of a card or product. */
export interface Faceted {
  readonly set: CardSet;
  readonly rarity: string | null;
  readonly printings: readonly { readonly name: string }[];
  /** The market price used for bands, in hundredths of a currency. */
  readonly market: Cents | null;
}

/** A value with the number of results that have it. */
export interface ValueCount {
  /** A setId, or a label. */
  readonly value: string;
  /** For a set: its name. */
  readonly name?: string;
  readonly count: number;
}

/** A range of market prices with the number of results in it. */
export interface PriceBand {
  readonly min: Cents;
  /** Null for the highest band. */
  readonly max: Cents | null;
  readonly count: number;
}

export interface FacetCounts {
  readonly set?: readonly ValueCount[];
  readonly rarity?: readonly ValueCount[];
  readonly printing?: readonly ValueCount[];
  readonly price?: readonly PriceBand[];
}

/** The most values of a facet. */
const MAX_VALUES = 100;

/** The lowest price of each band. */
const BANDS = [
  0 as Cents,
  100 as Cents,
  500 as Cents,
  2_000 as Cents,
  10_000 as Cents,
  50_000 as Cents,
];

type Counter<Counts> = (results: readonly Faceted[]) => Counts;

const COUNTERS: { readonly [Name in Facet]: Counter<Required<FacetCounts>[Name]> } = {
  set(results) {
    const names = new Map(results.map(({ set }) => [set.id, set.name]));
    const most = mostOf(results.map(({ set }) => set.id));
    return most.map(({ value, count }) => ({ value, name: names.get(value) ?? value, count }));
  },
  rarity: (results) => mostOf(results.flatMap(({ rarity }) => rarity ?? [])),
  printing: (results) => mostOf(results.flatMap(({ printings }) => printings.map(nameOf))),
  price(results) {
    const counts = BANDS.map(() => 0);
    for (const { market } of results) {
      if (market === null) continue;
      const band = BANDS.findLastIndex((min) => market >= min);
      counts[band] = (counts[band] ?? 0) + 1;
    }
    return BANDS.map((min, band) => {
      const next = BANDS[band + 1];
      return { min, max: next ? ((next - 1) as Cents) : null, count: counts[band] ?? 0 };
    });
  },
};

/**
 * Counts results by facet: values with the most results first, and all bands of prices. Results
 * without a rarity, a printing or a price are left out of that facet.
 */
export function countFacets(facets: readonly Facet[], results: readonly Faceted[]): FacetCounts {
  return Object.fromEntries(facets.map((facet) => [facet, COUNTERS[facet](results)]));
}

/** Returns the most frequent values; equally frequent ones are in alphabetical order. */
function mostOf(values: readonly string[]): ValueCount[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const counted = [...counts].map(([value, count]) => ({ value, count }));
  counted.sort((a, b) => b.count - a.count || compareText(a.value, b.value));
  return counted.slice(0, MAX_VALUES);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
