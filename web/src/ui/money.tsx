import { formatMoney } from './format.ts';

/** An amount in dollars, or `no price`. */
export function Money({ amount }: { amount: number | null }) {
  return amount === null ? <span class="quiet">no price</span> : <span>{formatMoney(amount)}</span>;
}
