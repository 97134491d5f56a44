import { formatDate, formatMoney } from '../ui/format.ts';
import { Age } from '../ui/time.tsx';
import { Change } from './change.tsx';
import type { PrintingBody } from './responses.ts';

type Printing = Omit<PrintingBody, 'name'>;

/**
 * What a printing is worth, and how that has changed. `name` is that of the printing; null for a
 * card without any.
 */
export function CardPrice({ printing, name }: { printing: Printing; name: string | null }) {
  const { prices } = printing;
  const { label, amount } = headlineOf(prices);
  if (amount === null) return <p class="unpriced">No source has a price for this card yet.</p>;
  return (
    <div class="price">
      <p class="headline">
        <span class="quiet">
          {label}
          {name !== null && (
            <>
              {' · '}
              <bdi>{name}</bdi>
            </>
          )}
        </span>{' '}
        <strong>{formatMoney(amount)}</strong>
      </p>
      <Changes prices={prices} />
    </div>
  );
}

/** What copies of a printing are offered for, and how far its price can be relied on. */
export function PriceNotes({ printing }: { printing: Printing }) {
  const { prices, sources, figuresAt } = printing;
  const { stale } = prices;
  if (headlineOf(prices).amount === null) return null;
  return (
    <>
      <Listings prices={prices} />
      <p class="hint">
        From {sources.join(', ')}
        {figuresAt && (
          <>, observed {stale ? formatDate(figuresAt, 'UTC') : <Age iso={figuresAt} />}</>
        )}
      </p>
      {stale && <p class="notice">An old price: the card may be worth something else by now.</p>}
    </>
  );
}

/** The amount that stands for a printing: what it sells for, else what it is offered for. */
function headlineOf({ market, low, mid, high }: Printing['prices']) {
  if (market !== null) return { label: 'Market price', amount: market };
  return { label: 'Lowest listing', amount: low ?? mid ?? high };
}

/** The periods over which a change is shown. */
const CHANGES = [
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

function Changes({ prices: { changes } }: Pick<Printing, 'prices'>) {
  if (CHANGES.every(([period]) => changes[period] === null)) {
    return <p class="hint changes">How it has changed is not known.</p>;
  }
  return (
    <dl class="changes">
      {CHANGES.map(([period, label]) => {
        const change = changes[period];
        return (
          <div key={period}>
            <dt>{label}</dt>
            <dd>{change ? <Change change={change} /> : <span class="quiet">not known</span>}</dd>
          </div>
        );
      })}
    </dl>
  );
}

const LISTINGS = [
  ['low', 'Lowest'],
  ['mid', 'Median'],
  ['high', 'Highest'],
] as const;

/** What copies are offered for, as far as it is known. */
function Listings({ prices }: Pick<Printing, 'prices'>) {
  const known = LISTINGS.flatMap(([name, label]) => {
    const amount = prices[name];
    return amount === null ? [] : [{ label, amount }];
  });
  if (known.length === 0 || prices.market === null) return null;
  return (
    <dl class="listings">
      {known.map(({ label, amount }) => (
        <div key={label}>
          <dt>{label} listing</dt>
          <dd>{formatMoney(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
