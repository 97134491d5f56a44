import type { CopyName } from '../../../src/domain/copy.ts';
import { formatGrade, GRADE_NAME, type Grade } from '../../../src/domain/grade-names.ts';
import { CONDITION_NAMES, CONDITIONS, type Condition, FIGURES } from '../../../src/domain/price.ts';
import type { CardView } from '../api/links.ts';

/** The names of a card's prices, and the price that an address requests. */

export type Figure = (typeof FIGURES)[number];

/** A price of a printing, by its name in the API. */
export type PriceName = Figure | CopyName;

const FIGURE_LABELS: Readonly<Record<Figure, string>> = {
  market: 'Market price',
  low: 'Lowest listing',
  mid: 'Median listing',
  high: 'Highest listing',
};

/** Whether a price is for copies in a condition or grade, rather than for raw copies in general. */
export function isCopy(name: PriceName): name is CopyName {
  return !(FIGURES as readonly string[]).includes(name);
}

/**
 * Returns the price that an address requests: for a grade, a condition or a listing. Undefined if
 * it requests none, or something else.
 */
export function readPriceName({ grade, condition, figure }: CardView): PriceName | undefined {
  if (grade !== undefined) return GRADE_NAME.test(grade) ? (grade as Grade) : undefined;
  if (condition !== undefined) return CONDITIONS.find((one) => one === condition);
  return FIGURES.find((one) => one === figure);
}

/** Returns the part of a view that requests a price. The market price needs none. */
export function viewOfPrice(
  name: PriceName | undefined,
): Pick<CardView, 'grade' | 'condition' | 'figure'> {
  const isGrade = name !== undefined && GRADE_NAME.test(name);
  const isRaw = name !== undefined && !isCopy(name);
  return {
    grade: isGrade ? name : undefined,
    condition: isGrade || isRaw ? undefined : name,
    figure: isRaw && name !== 'market' ? name : undefined,
  };
}

/** Returns the label of a price: `Market price`, `Near mint`, `PSA 10`. */
export function labelOf(name: PriceName): string {
  return FIGURE_LABELS[name as Figure] ?? CONDITION_NAMES[name as Condition] ?? formatGrade(name);
}

/**
 * Returns the label of a price that the API names `market`, `conditions.near_mint` or
 * `graded.psa_10`. An unknown name is its own label.
 */
export function labelPrice(name: string): string {
  return labelOf(name.replace(/^(conditions|graded)\./, '') as PriceName);
}
