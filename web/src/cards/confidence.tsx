import { type ConfidenceLevel, LEVEL_WORDS } from '../../../src/domain/confidence.ts';
import type { PrintingBody } from '../api/responses.ts';
import { formatDate, formatMoney } from '../ui/format.ts';

/** The confidence in a price: a word that unfolds to an explanation. */

type Prices = Pick<PrintingBody['prices'], 'market' | 'confidence' | 'disputed' | 'currency'>;
type Known = NonNullable<Prices['confidence']>;

const EXPLANATIONS: Readonly<Record<ConfidenceLevel, (known: Known) => string>> = {
  confirmed: ({ sources }) =>
    sources > 1
      ? `${sources} marketplaces report approximately this price.`
      : 'Offers from several sellers support this price.',
  'single-source': () => 'Only one marketplace reports this price.',
  thin: () => 'There is little data to support this price.',
  stale: () => 'This price is more than a week old and may have changed.',
  disputed: () => 'A source reports a different price, which is not accepted yet.',
};

/** The level of a price in one word. Opening it, by click, touch or key, explains it. */
export function ConfidenceNote({ prices }: { prices: Prices }) {
  const { confidence, currency } = prices;
  if (!confidence) return null;
  const { level, observations, interval } = confidence;
  const isRange = interval && interval.low !== interval.high;
  return (
    <details class="confidence">
      <summary>
        <span class="sr-only">How reliable is this price? </span>
        <span class={`level ${level}`}>{LEVEL_WORDS[level]}</span>
      </summary>
      <p class="hint">
        {EXPLANATIONS[level](confidence)} It was observed on {observations} of the 30 days up to its
        last observation
        {isRange &&
          `, between ${formatMoney(interval.low, currency)} and ${formatMoney(interval.high, currency)} in the last week`}
        .
      </p>
    </details>
  );
}

/** The last accepted price and the reported one, if the two differ. */
export function DisputeNote({ prices }: { prices: Prices }) {
  const { market, disputed, currency } = prices;
  if (!disputed) return null;
  return (
    <p class="notice">
      A source has reported <strong>{formatMoney(disputed.reported, currency)}</strong> since{' '}
      {formatDate(disputed.since, 'UTC')}.{' '}
      {market !== null && (
        <>
          <strong>{formatMoney(market, currency)}</strong> is the last accepted price.{' '}
        </>
      )}
      <span class="quiet">{disputed.reason}</span>
    </p>
  );
}
