import type { Mover } from '../../catalog/movers.ts';
import { convert } from '../../domain/conversion.ts';
import type { Day } from '../../domain/day.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import { type Cents, dollarsOrNull } from '../../domain/money.ts';
import { CHANGE_DOUBTS, type ChangeDoubt, percentBetween } from '../../domain/price-changes.ts';
import { difference } from './money-view.ts';
import { cardSummary } from './views.ts';

/**
 * A printing whose market price has moved, as of a day (UTC). Its prices are in dollars, in which
 * moves are compared, or converted.
 */
export function moverItem(mover: Mover, today: Day, local: LocalPrices | undefined) {
  const { card, from, to } = mover;
  const printing = local?.converted(mover.printing) ?? mover.printing;
  const conversion = printing.money?.fromDollars;
  const isKnown = printing.money?.reason === undefined;
  const shown = (amount: Cents) => dollarsOrNull(isKnown ? amount : null);
  return {
    ...cardSummary(card, today, printing),
    printing: printing.name,
    from: shown(conversion ? convert(from, conversion) : from),
    to: shown(conversion ? convert(to, conversion) : to),
    amount: shown(difference(from, to, conversion)),
    percent: percentBetween(from, to),
  };
}

/** A move with the reason for leaving it out. */
export function leftOutItem(
  { mover, doubt }: { readonly mover: Mover; readonly doubt: ChangeDoubt },
  today: Day,
  local: LocalPrices | undefined,
) {
  return { ...moverItem(mover, today, local), reason: doubt, detail: CHANGE_DOUBTS[doubt] };
}
