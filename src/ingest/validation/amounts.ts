import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import {
  CONDITIONS,
  FIGURES,
  hasPrice,
  type PriceFigures,
  samePrices,
} from '../../domain/price.ts';
import { findSource } from '../../domain/sources.ts';

/** The amounts of an observation: its figures, its conditions and its grades, in cents. */
export type Amounts = Pick<Observation, 'prices' | 'conditions' | 'graded'>;

/**
 * The figures for comparing two observations, best first. It omits `high`, because sellers can ask
 * any price.
 */
const COMPARABLE_FIGURES = ['market', 'mid', 'low'] as const;

/** Returns the amount of the figure, condition or grade of this name. */
export function amountOf({ prices, conditions, graded }: Amounts, name: string): Cents | undefined {
  const figure = prices[name as keyof typeof prices];
  if (figure !== undefined) return figure ?? undefined;
  const condition = CONDITIONS.find((one) => one === name);
  return condition ? conditions[condition] : graded[name as keyof typeof graded];
}

/** Returns the best figure that all of these have; undefined if they share none. */
export function sharedFigure(
  observations: readonly Pick<Amounts, 'prices'>[],
): (typeof COMPARABLE_FIGURES)[number] | undefined {
  return COMPARABLE_FIGURES.find((name) =>
    observations.every(({ prices }) => prices[name] !== null),
  );
}

/**
 * Returns the figure that represents an observation: its market price, otherwise `mid` or `low`.
 */
export function mainFigure(
  observation: Pick<Amounts, 'prices'>,
): (typeof COMPARABLE_FIGURES)[number] | undefined {
  return sharedFigure([observation]);
}

/** Returns the names of all amounts of an observation: figures, conditions, grades. */
export function amountNames({ prices, conditions, graded }: Amounts): string[] {
  const figures = FIGURES.filter((name) => prices[name] !== null);
  return [...figures, ...Object.keys(conditions), ...Object.keys(graded)];
}

/** Returns the observation without the named amounts. */
export function withoutAmounts<Priced extends Amounts>(
  observation: Priced,
  names: readonly string[],
): Priced {
  return {
    ...observation,
    prices: withoutFigures(observation.prices, names),
    conditions: omit(observation.conditions, names),
    graded: omit(observation.graded, names),
  };
}

/** Returns the four figures without the named ones. */
export function withoutFigures(
  { market, low, mid, high }: PriceFigures,
  names: readonly string[],
): PriceFigures {
  const prices = { market, low, mid, high };
  for (const name of FIGURES) if (names.includes(name)) prices[name] = null;
  return prices;
}

/** Returns the observation with additional amounts, in cents by name. Its own amounts stay. */
export function withAmounts<Priced extends Amounts>(
  observation: Priced,
  more: Readonly<Record<string, Cents>>,
): Priced {
  const { prices, conditions, graded } = observation;
  const figures = { ...prices };
  for (const name of FIGURES) figures[name] ??= more[name] ?? null;
  const others = Object.entries(more).filter(([name]) => !(name in prices));
  const isWorn = ([name]: [string, Cents]) => CONDITIONS.some((one) => one === name);
  const worn = others.filter(isWorn);
  const grades = others.filter((entry) => !isWorn(entry));
  return {
    ...observation,
    prices: figures,
    conditions: { ...Object.fromEntries(worn), ...conditions },
    graded: { ...Object.fromEntries(grades), ...graded },
  };
}

function omit<Values extends object>(values: Values, names: readonly string[]): Values {
  const left = Object.entries(values).filter(([name]) => !names.includes(name));
  return Object.fromEntries(left) as Values;
}

/** Returns the names of the amounts to compare in `amounts` and `before`. */
export function comparedNames(amounts: Amounts, before: Amounts | undefined): string[] {
  const figure = (before && sharedFigure([amounts, before])) ?? sharedFigure([amounts]);
  const others = [...Object.keys(amounts.conditions), ...Object.keys(amounts.graded)];
  return figure ? [figure, ...others] : others;
}

/** Returns the ratio of the larger amount to the smaller. */
export function ratio(a: Cents, b: Cents): number {
  return a > b ? a / b : b / a;
}

/** Whether an observation has any amount at all. */
export function hasAmounts({ prices, conditions, graded }: Amounts): boolean {
  return hasPrice(prices) || Object.keys(conditions).length + Object.keys(graded).length > 0;
}

/** Whether all amounts that two observations share are equal. */
export function agree(a: Amounts, b: Amounts): boolean {
  return amountNames(a).every((name) => {
    const other = amountOf(b, name);
    return other === undefined || other === amountOf(a, name);
  });
}

/** Returns the amounts of two observations together. If both have an amount, the first counts. */
export function joinAmounts(a: Amounts, b: Amounts): Amounts {
  const { market, low, mid, high } = a.prices;
  return {
    prices: {
      market: market ?? b.prices.market,
      low: low ?? b.prices.low,
      mid: mid ?? b.prices.mid,
      high: high ?? b.prices.high,
    },
    conditions: { ...b.conditions, ...a.conditions },
    graded: { ...b.graded, ...a.graded },
  };
}

/** Whether two observations have the same figures, conditions and grades. */
export function haveSameAmounts(a: Amounts, b: Amounts): boolean {
  if (!samePrices(a.prices, b.prices)) return false;
  const names = amountNames(a);
  return (
    names.length === amountNames(b).length &&
    names.every((name) => amountOf(a, name) === amountOf(b, name))
  );
}

/** Whether another source's observation is fresh enough to be compared with one of this moment. */
export function isFreshAt(
  other: { readonly source: string; readonly observedAt: Millis },
  moment: Millis,
): boolean {
  const days = findSource(other.source)?.freshDays ?? 0;
  return Math.abs(moment - other.observedAt) <= days * MS_PER_DAY;
}

/** Returns the name of an amount for the operator: `near mint` for `near_mint`. */
export function formatName(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Returns a text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
