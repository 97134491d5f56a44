import type { CopyName } from '../../../src/domain/copy.ts';
import {
  CONTRACT_GRADES,
  type ContractGrade,
  formatGrade,
  type Grade,
} from '../../../src/domain/grade-names.ts';
import { CONDITION_NAMES, CONDITIONS, type Condition, FIGURES } from '../../../src/domain/price.ts';

/** The rows of the price tables on the page of a card. */

const FIGURE_LABELS: Readonly<Record<(typeof FIGURES)[number], string>> = {
  market: 'Market price',
  low: 'Lowest listing',
  mid: 'Median listing',
  high: 'Highest listing',
};

/** A price in a table. */
export interface PriceRow {
  /** As the API names it. */
  readonly name: CopyName;
  readonly label: string;
  /** Dollars. */
  readonly amount: number;
  readonly isEstimated: boolean;
}

/** The prices of a table, and the labels of missing prices. */
export interface PriceGroup {
  readonly priced: readonly PriceRow[];
  readonly unpriced: readonly string[];
}

type Amounts<Name extends string> = Readonly<Record<Name, number | null>>;

/** The prices of a printing by condition and grade as the API returns them, in dollars. */
export interface Prices {
  readonly conditions: Amounts<Condition>;
  readonly graded: Amounts<ContractGrade>;
  /** By grader and grade; missing without any. */
  readonly allGrades?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The conditions without a source, whose prices are derived from the market price. */
  readonly estimated?: readonly string[];
}

/** Returns the prices by condition and by grade, in the order of the page. */
export function groupPrices({ conditions, graded, allGrades = {}, estimated = [] }: Prices) {
  return {
    conditions: groupOf(CONDITIONS, CONDITION_NAMES, conditions, estimated),
    grades: {
      priced: gradesOf(allGrades).map(([grade, amount]) => {
        return { name: grade, label: formatGrade(grade), amount, isEstimated: false };
      }),
      unpriced: CONTRACT_GRADES.filter((grade) => graded[grade] === null).map(formatGrade),
    },
  };
}

/** Returns all grades with their prices, by company and from the highest to the lowest. */
function gradesOf(allGrades: NonNullable<Prices['allGrades']>): [Grade, number][] {
  return Object.entries(allGrades).flatMap(([company, levels]) => {
    const sorted = Object.entries(levels).sort(([a], [b]) => parseFloat(b) - parseFloat(a));
    return sorted.map(([level, amount]): [Grade, number] => {
      return [`${company}_${level.replace('.', '_')}` as Grade, amount];
    });
  });
}

function groupOf<Name extends Condition>(
  names: readonly Name[],
  labels: Readonly<Record<Name, string>>,
  amounts: Amounts<Name>,
  estimated: readonly string[],
): PriceGroup {
  return {
    priced: names.flatMap((name) => {
      const amount = amounts[name];
      if (amount === null) return [];
      return [{ name, label: labels[name], amount, isEstimated: estimated.includes(name) }];
    }),
    unpriced: names.filter((name) => amounts[name] === null).map((name) => labels[name]),
  };
}

const LABELS = new Map<string, string>([
  ...FIGURES.map((name) => [name, FIGURE_LABELS[name]] as const),
  ...CONDITIONS.map((name) => [`conditions.${name}`, CONDITION_NAMES[name]] as const),
]);

/**
 * Returns the label of a price that the API names `market`, `conditions.near_mint` or
 * `graded.psa_10`. An unknown name is its own label.
 */
export function labelPrice(name: string): string {
  return LABELS.get(name) ?? formatGrade(name.replace(/^graded\./, ''));
}
