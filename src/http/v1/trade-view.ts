import type { Printing } from '../../domain/card.ts';
import { formatDay, formatMoment } from '../../domain/day.ts';
import { dollarsFromCents } from '../../domain/money.ts';

/** Dealers' buy prices and the sales of a printing; nothing if no source reports them. */
export function tradeView({ trade }: Pick<Printing, 'trade'> = {}) {
  if (!trade) return {};
  const { buylist, sales } = trade;
  return {
    ...(buylist && {
      buylist: {
        price: dollarsFromCents(buylist.amount),
        currency: buylist.currency,
        marketplace: buylist.marketplace,
        at: formatMoment(buylist.at),
      },
    }),
    ...(sales && { sales: { ...sales, last: sales.last === null ? null : formatDay(sales.last) } }),
  };
}
