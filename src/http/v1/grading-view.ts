import { type Card, defaultPrinting } from '../../domain/card.ts';
import type { Grade } from '../../domain/grade-names.ts';
import { type Cents, centsFromDollars, dollarsFromCents } from '../../domain/money.ts';

/** Returns the gain from each grade; nothing without a market price or graded prices. */
export function gradingView(card: Card, fee = 0) {
  const { market = null, graded = {} } = defaultPrinting(card)?.prices ?? {};
  const grades = Object.entries(graded) as [Grade, Cents][];
  if (market === null || grades.length === 0) return {};
  const cost = market + (centsFromDollars(fee) ?? 0);
  const gains = grades.map(([grade, price]) => {
    const gain = dollarsFromCents((price - cost) as Cents);
    return { grade, price: dollarsFromCents(price), gain };
  });
  return { grading: { fee, grades: gains } };
}
