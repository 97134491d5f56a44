import type { PrintingBody } from '../api/responses.ts';
import {
  formatConversion,
  formatCounted,
  formatDate,
  formatDay,
  formatMoney,
} from '../ui/format.ts';
import { Age } from '../ui/time.tsx';
import { ConfidenceNote, DisputeNote } from './confidence.tsx';
import { Change } from './parts.tsx';
import { groupPrices, type PriceGroup } from './price-rows.ts';

type Printing = Omit<PrintingBody, 'name'>;

/**
 * The price of a printing and its changes. `name` is the name of the printing; null for a card
 * without printings.
 */
export function CardPrice({ printing, name }: { printing: Printing; name: string | null }) {
  const { prices } = printing;
  const { label, amount } = headlineOf(prices);
  if (amount === null) {
    return (
      <div>
        <p class="unpriced">{prices.reason ?? 'No source has a price yet.'}</p>
        <DisputeNote prices={prices} />
      </div>
    );
  }
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
        <strong>{formatMoney(amount, prices.currency)}</strong>
      </p>
      <ConversionNote prices={prices} />
      <ConfidenceNote prices={prices} />
      <Changes prices={prices} />
    </div>
  );
}

/** The rate by which prices were converted. */
function ConversionNote({ prices: { converted } }: Pick<Printing, 'prices'>) {
  if (!converted) return null;
  const { parts } = converted;
  return (
    <p class="hint">
      {parts ? capitalize(parts.map((part) => PART_NAMES[part] ?? part).join(' and ')) : 'Prices'}{' '}
      {formatConversion(converted)}
    </p>
  );
}

const PART_NAMES: Readonly<Record<string, string>> = {
  figures: 'market price and listings',
  conditions: 'conditions',
  graded: 'grades',
};

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The listings of a printing, and how reliable its price is. */
export function PriceNotes({ printing }: { printing: Printing }) {
  const { prices, sources, figuresAt, origins } = printing;
  const { stale } = prices;
  if (headlineOf(prices).amount === null) return null;
  return (
    <>
      <DisputeNote prices={prices} />
      <Listings prices={prices} />
      <TradeNote prices={prices} />
      <p class="hint">
        From {origins.figures ?? sources.join(', ')}
        {figuresAt && (
          <>, observed {stale ? formatDate(figuresAt, 'UTC') : <Age iso={figuresAt} />}</>
        )}
      </p>
      {stale && <p class="notice">This price is old and may have changed.</p>}
    </>
  );
}

/** What dealers pay, and how often the card sells, in one line. */
function TradeNote({ prices: { buylist, sales } }: Pick<Printing, 'prices'>) {
  if (!buylist && !sales) return null;
  return (
    <p class="hint">
      {buylist && (
        <>
          Dealers pay up to {formatMoney(buylist.price, buylist.currency)} ({buylist.marketplace}).{' '}
        </>
      )}
      {sales && (
        <>
          {formatCounted(sales.count, 'sale')} in {formatCounted(sales.days, 'day')}
          {sales.last && `, the last on ${formatDay(sales.last)}`}.
        </>
      )}
    </p>
  );
}

/** Returns the main price of a printing: its market price, or a listing if there is none. */
function headlineOf({ market, low, mid, high }: Printing['prices']) {
  if (market !== null) return { label: 'Market price', amount: market };
  return { label: 'Lowest listing', amount: low ?? mid ?? high };
}

/** The periods over which a change is shown. */
const CHANGES = [
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

function Changes({ prices: { changes, currency } }: Pick<Printing, 'prices'>) {
  if (CHANGES.every(([period]) => changes[period] === null)) {
    return <p class="hint changes">No earlier price to compare with.</p>;
  }
  return (
    <dl class="changes">
      {CHANGES.map(([period, label]) => {
        const change = changes[period];
        return (
          <div key={period}>
            <dt>{label}</dt>
            <dd>
              {change ? (
                <Change change={change} currency={currency} />
              ) : (
                <span class="quiet">unknown</span>
              )}
            </dd>
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

/** The known listings. */
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
          <dd>{formatMoney(amount, prices.currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

type PrintingOf = Omit<PrintingBody, 'name'>;

/** The known prices of a printing by condition and by grade. */
export function PriceTables({ printing }: { printing: PrintingOf }) {
  const { prices, conditionsAt, gradedAt, origins } = printing;
  const { conditions, grades } = groupPrices(prices);
  const { currency } = prices;
  if (conditions.priced.length + grades.priced.length === 0) return null;
  return (
    <section aria-labelledby="by-condition" class="panel">
      <h2 id="by-condition">Conditions and grades</h2>
      <div class="prices">
        <PriceTable
          title="By condition"
          group={conditions}
          observedAt={conditionsAt}
          currency={currency}
        />
        <PriceTable title="Graded" group={grades} observedAt={gradedAt} currency={currency} />
      </div>
      <OtherOrigins origins={origins} />
      {(prices.estimated?.length ?? 0) > 0 && (
        <p class="hint">
          Estimated prices are calculated from the market price. No source reports them.
        </p>
      )}
    </section>
  );
}

/** Tells of which marketplaces conditions and grades are, if the market price is of another one. */
function OtherOrigins({ origins: { figures, conditions, graded } }: Pick<PrintingOf, 'origins'>) {
  const others = [
    ['conditions', conditions === null ? [] : [conditions]] as const,
    ['grades', graded] as const,
  ].flatMap(([kind, marketplaces]) => {
    const other = marketplaces.some((marketplace) => marketplace !== figures);
    return other ? [`the ${kind} are from ${marketplaces.join(', ')}`] : [];
  });
  if (figures === null || others.length === 0) return null;
  return (
    <p class="hint">
      The market price is from {figures}; {others.join(', ')}. Prices of different marketplaces do
      not compare.
    </p>
  );
}

interface TableProps {
  readonly title: string;
  readonly group: PriceGroup;
  readonly observedAt: string | null;
  readonly currency: string | undefined;
}

function PriceTable({ title, group: { priced, unpriced }, observedAt, currency }: TableProps) {
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
                {formatMoney(amount, currency)}
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
