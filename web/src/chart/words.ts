import { formatDay, formatMoney } from '../format.ts';
import { type ChartDays, dateAt } from './days.ts';

/** What is said of one day of the chart. */
export interface ReadOut {
  readonly day: string;
  readonly amounts: string;
}

/** The date of a day and its prices, or that nothing was observed. */
export function readOut(days: ChartDays, index: number): ReadOut {
  const day = formatDay(dateAt(days, index));
  const item = days.observed[index];
  if (!item) return { day, amounts: 'nothing observed' };
  const { market, low, high } = item;
  const amounts = `market ${formatMoney(market)}, low ${formatMoney(low)}, high ${formatMoney(high)}`;
  return { day, amounts };
}
