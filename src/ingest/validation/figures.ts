import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import type { Currency, Observation } from '../../domain/observation.ts';
import { CONDITIONS, hasPrice } from '../../domain/price.ts';
import { findSource } from '../../domain/sources.ts';
import { LOOSE } from './limits.ts';

/** The amounts of quotes, and how two of them compare. */

export type Amounts = Pick<Observation, 'prices' | 'conditions' | 'graded'>;

/**
 * By which of market, mid and low a quote is judged: the first that it shares with the one that
 * it is compared with. The highest listing tells nothing, for anybody may ask anything.
 */
const MAIN = ['market', 'mid', 'low'] as const;

/** What varies as little as a market price. */
const FIRM: readonly string[] = ['market', 'near_mint'];

/** The amount of a quote that a name stands for: a figure, a condition or a grade. */
export function amountOf({ prices, conditions, graded }: Amounts, name: string): Cents | undefined {
  const main = prices[name as keyof typeof prices];
  if (main !== undefined) return main ?? undefined;
  const condition = CONDITIONS.find((one) => one === name);
  return condition ? conditions[condition] : graded[name as keyof typeof graded];
}

/** The figure by which quotes are compared with each other, or undefined when they share none. */
export function mainFigure(
  quotes: readonly Pick<Amounts, 'prices'>[],
): (typeof MAIN)[number] | undefined {
  return MAIN.find((name) => quotes.every(({ prices }) => prices[name] !== null));
}

/** The names of what a quote is judged by when it takes the place of `before`. */
export function judgedFigures(quote: Amounts, before: Amounts | undefined): string[] {
  const main = (before && mainFigure([quote, before])) ?? mainFigure([quote]);
  const others = [...Object.keys(quote.conditions), ...Object.keys(quote.graded)];
  return main ? [main, ...others] : others;
}

/** By how much an amount may vary compared with a market price. */
export function looseness(name: string): number {
  return FIRM.includes(name) ? 1 : LOOSE;
}

/** How many times the one is the other, never below 1. */
export function ratio(a: Cents, b: Cents): number {
  return a > b ? a / b : b / a;
}

/** Whether a quote tells any price at all. */
export function hasAmounts({ prices, conditions, graded }: Amounts): boolean {
  return hasPrice(prices) || Object.keys(conditions).length + Object.keys(graded).length > 0;
}

/** Whether what another source said counts beside something observed at a moment. */
export function isFreshAt(
  other: { readonly source: string; readonly observedAt: Millis },
  moment: Millis,
): boolean {
  const days = findSource(other.source)?.freshDays ?? 0;
  return Math.abs(moment - other.observedAt) <= days * MS_PER_DAY;
}

/** How many days lie between two moments, in either direction. */
export function daysBetween(a: Millis, b: Millis): number {
  return Math.abs(a - b) / MS_PER_DAY;
}

/** An amount as the operator reads it. */
export function formatAmount(amount: Cents, currency: Currency): string {
  return `${currency === 'EUR' ? '€' : '$'}${dollarsFromCents(amount).toFixed(2)}`;
}

/** A figure as the operator reads it: `near_mint` is `near mint`. */
export function formatFigure(name: string): string {
  return name.replaceAll('_', ' ');
}
