import {
  CONDITION_NAMES,
  CONDITIONS,
  type Condition,
  FIGURES,
  GRADE_NAMES,
  GRADES,
  type Grade,
} from '../../../src/domain/price.ts';

/** The rows of the price tables on the page of a card. */

const FIGURE_LABELS: Readonly<Record<(typeof FIGURES)[number], string>> = {
  market: 'Market price',
  low: 'Lowest listing',
  mid: 'Median listing',
  high: 'Highest listing',
};

/** A price in a table. */
export interface PriceRow {
  readonly label: string;
  /** Dollars; null for no price. */
  readonly amount: number | null;
  readonly isEstimated: boolean;
}

/** A table of prices. */
export interface PriceGroup {
  readonly title: string;
  readonly rows: readonly PriceRow[];
}

type Amounts<Name extends string> = Readonly<Record<Name, number | null>>;

/** The prices of a printing as the API returns them, in dollars. */
export interface Prices extends Amounts<(typeof FIGURES)[number]> {
  readonly conditions: Amounts<Condition>;
  readonly graded: Amounts<Grade>;
  /** The conditions that no source prices, whose prices are derived from the market price. */
  readonly estimated?: readonly string[];
}

/** Returns the tables of a printing's prices, in the order in which the page shows them. */
export function groupPrices(prices: Prices): PriceGroup[] {
  const { conditions, graded, estimated = [] } = prices;
  return [
    {
      title: 'Sales and listings',
      rows: FIGURES.map((name) => row(FIGURE_LABELS[name], prices[name])),
    },
    {
      title: 'By condition',
      rows: CONDITIONS.map((name) => {
        return row(CONDITION_NAMES[name], conditions[name], estimated.includes(name));
      }),
    },
    { title: 'Graded', rows: GRADES.map((name) => row(GRADE_NAMES[name], graded[name])) },
  ];
}

function row(label: string, amount: number | null, isEstimated = false): PriceRow {
  return { label, amount, isEstimated };
}

const LABELS = new Map<string, string>([
  ...FIGURES.map((name) => [name, FIGURE_LABELS[name]] as const),
  ...CONDITIONS.map((name) => [`conditions.${name}`, CONDITION_NAMES[name]] as const),
  ...GRADES.map((name) => [`graded.${name}`, GRADE_NAMES[name]] as const),
]);

/**
 * Returns the label of a price that the API names `market`, `conditions.near_mint` or
 * `graded.psa_10`. An unknown name is its own label.
 */
export function labelPrice(name: string): string {
  return LABELS.get(name) ?? name;
}
