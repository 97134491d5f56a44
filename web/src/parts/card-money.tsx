import { formatMoney } from '../format.ts';

/** An amount in dollars, or that there is none. */
export function Money({ amount }: { amount: number | null }) {
  return amount === null ? <span class="quiet">no price</span> : <span>{formatMoney(amount)}</span>;
}
