import { dayOf, type Millis } from '../../domain/day.ts';
import type { Currency } from '../../domain/observation.ts';
import { type Amounts, amountOf, judgedFigures, ratio } from './figures.ts';
import { SAME_LEVEL } from './limits.ts';

/** What is held back already of a printing. */
export interface HeldBefore extends Amounts {
  readonly currency: Currency;
  readonly observedAt: Millis;
  /** On how many days its source has said about the same. */
  readonly days: number;
  /** Whether the operator has said that it is wrong. */
  readonly isRejected: boolean;
}

type Said = Amounts & { readonly currency: Currency; readonly observedAt: Millis };

/**
 * On how many days a source has now said about the same as `quote`: those that were counted of
 * what is held back, and the one of the quote if it is another.
 */
export function levelDays(held: HeldBefore | undefined, quote: Said): number {
  if (!held || !isSameLevel(held, quote)) return 1;
  return dayOf(quote.observedAt) > dayOf(held.observedAt) ? held.days + 1 : held.days;
}

/** Whether two quotes say about the same: all that both of them tell. */
export function isSameLevel(a: Omit<Said, 'observedAt'>, b: Omit<Said, 'observedAt'>): boolean {
  if (a.currency !== b.currency) return false;
  return judgedFigures(a, b).every((name) => {
    const [one, other] = [amountOf(a, name), amountOf(b, name)];
    return !one || !other || ratio(one, other) <= SAME_LEVEL;
  });
}
