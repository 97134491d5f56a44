import {
  CONTRACT_GRADES,
  type ContractGrade,
  compareGrades,
  formatGrade,
  type Grade,
  isGrade,
} from '../../../src/domain/grades.ts';
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
        return { label: formatGrade(grade), amount, isEstimated: false };
      }),
      unpriced: CONTRACT_GRADES.filter((grade) => graded[grade] === null).map(formatGrade),
    },
  };
}

/** Returns all grades with their prices, in the order in which they are shown. */
export function gradesOf(allGrades: NonNullable<Prices['allGrades']>): [Grade, number][] {
  const all = Object.entries(allGrades).flatMap(([grader, levels]) => {
    return Object.entries(levels).flatMap(([level, amount]): [Grade, number][] => {
      const grade = `${grader}_${level.replace('.', '_')}`;
      return isGrade(grade) ? [[grade, amount]] : [];
    });
  });
  return all.sort(([a], [b]) => compareGrades(a, b));
}

function groupOf<Name extends string>(
  names: readonly Name[],
  labels: Readonly<Record<Name, string>>,
  amounts: Amounts<Name>,
  estimated: readonly string[],
): PriceGroup {
  return {
    priced: names.flatMap((name) => {
      const amount = amounts[name];
      if (amount === null) return [];
      return [{ label: labels[name], amount, isEstimated: estimated.includes(name) }];
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
  const grade = name.replace(/^graded\./, '');
  return LABELS.get(name) ?? (isGrade(grade) ? formatGrade(grade) : name);
}
