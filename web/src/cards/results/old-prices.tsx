import { AGE_LIMITS } from '../../../../src/domain/served-ages.ts';
import { Money } from '../../ui/money.tsx';
import './old-prices.css';
import type { CardSummaryBody } from '../responses.ts';

type Prices = Pick<CardSummaryBody['prices'], 'market' | 'stale'>;

/** Whether all prices of a list are old, so that it is said once and not of each. */
export function areAllOld(cards: readonly { readonly prices: Prices }[]): boolean {
  const priced = cards.filter(({ prices }) => prices.market !== null);
  return priced.length > 0 && priced.every(({ prices }) => prices.stale);
}

/** Says of a list that all of its prices are old. */
export function OldPrices() {
  return <p class="hint">All of these prices are older than {AGE_LIMITS.figures} days.</p>;
}

interface ListedPriceProps {
  readonly prices: Prices;
  /** Whether the list says already that its prices are old. */
  readonly isOldSaid?: boolean;
}

/** The price of a card in a list, and whether it is old. */
export function ListedPrice({ prices, isOldSaid = false }: ListedPriceProps) {
  const { market, stale } = prices;
  return (
    <>
      {stale && market !== null && !isOldSaid && <span class="old">old </span>}
      <Money amount={market} />
    </>
  );
}
