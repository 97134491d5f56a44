import type { PrintingBody } from '../api/responses.ts';
import { formatDate, formatMoney } from '../ui/format.ts';
import { Age } from '../ui/time.tsx';
import { Change } from './parts.tsx';
import { groupPrices, type PriceGroup } from './price-rows.ts';

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

type PrintingOf = Omit<PrintingBody, 'name'>;

/** The prices of a printing by condition and by grade, as far as any source has them. */
export function PriceTables({ printing }: { printing: PrintingOf }) {
  const { prices, conditionsAt, gradedAt } = printing;
  const { conditions, grades } = groupPrices(prices);
  if (conditions.priced.length + grades.priced.length === 0) return null;
  return (
    <section aria-labelledby="by-condition" class="panel">
      <h2 id="by-condition">Conditions and grades</h2>
      <div class="prices">
        <PriceTable title="By condition" group={conditions} observedAt={conditionsAt} />
        <PriceTable title="Graded" group={grades} observedAt={gradedAt} />
      </div>
      {(prices.estimated?.length ?? 0) > 0 && (
        <p class="hint">Estimated prices follow from the market price: no source gives them.</p>
      )}
    </section>
  );
}

interface TableProps {
  readonly title: string;
  readonly group: PriceGroup;
  readonly observedAt: string | null;
}

function PriceTable({ title, group: { priced, unpriced }, observedAt }: TableProps) {
  if (priced.length === 0) return null;
  return (
    <div>
      <table class="prices-of">
        <caption>
          {title}{' '}
          {observedAt && (
            <span class="quiet">
              <Age iso={observedAt} />
            </span>
          )}
        </caption>
        <tbody>
          {priced.map(({ label, amount, isEstimated }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="number">
                {formatMoney(amount)}
                {isEstimated && <span class="quiet mark">estimated</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unpriced.length > 0 && <p class="hint">No price: {unpriced.join(', ')}.</p>}
    </div>
  );
}
