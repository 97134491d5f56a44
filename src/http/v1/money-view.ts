import type { Printing } from '../../domain/card.ts';
import { type Conversion, convert } from '../../domain/conversion.ts';
import { formatDay } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';

/** Returns the rise of an amount, converted if a conversion is given. */
export function difference(from: Cents, to: Cents, conversion: Conversion | undefined): Cents {
  if (!conversion) return (to - from) as Cents;
  return (convert(to, conversion) - convert(from, conversion)) as Cents;
}

/** The currency of prices, for callers who asked for one; otherwise nothing. */
export function moneyView({ money }: Pick<Printing, 'money'> = {}) {
  if (!money) return {};
  const { currency, conversion, convertedParts: parts, reason } = money;
  return {
    currency,
    ...(conversion && { converted: { ...convertedView(conversion), ...(parts && { parts }) } }),
    ...(reason !== undefined && { reason }),
  };
}

/** The rate of a conversion and its day. */
export function convertedView({ from, rate, day }: Conversion) {
  return { from, rate, date: formatDay(day) };
}
