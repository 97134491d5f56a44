import { Fragment } from 'preact';
import { useId } from 'preact/hooks';
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
import { isCopy, labelOf, type PriceName } from './price-names.ts';
import {
  type FoundPrice,
  findAnyCompany,
  findPrice,
  findRawPrice,
  groupPrices,
  type PriceGroup,
} from './price-rows.ts';

type Printing = Omit<PrintingBody, 'name'>;

interface CardPriceProps {
  readonly printing: Printing;
  /** The name of the printing; null for a card without printings. */
  readonly name: string | null;
  /** The price that the reader asks for; that of a raw copy by default. */
  readonly asked?: PriceName | undefined;
  /** The printing that the reader asks for, if the card does not have it. */
  readonly unknownPrinting?: string | undefined;
}

/**
 * The price that the reader asks for, with its source and day. If no source has it, this says so.
 * The price of a raw copy is then only an addition.
 */
export function CardPrice({ printing, name, asked, unknownPrinting }: CardPriceProps) {
  const { prices } = printing;
  const groups = groupPrices(printing);
  const raw = findRawPrice(groups);
  const wanted = asked ?? raw?.row.name;
  const isKnown = unknownPrinting === undefined;
  const found = isKnown ? findPrice(groups, wanted) : undefined;
  const similar = !found && isKnown && wanted ? findAnyCompany(groups, wanted) : undefined;
  const isRaw = found !== undefined && found.row.name === raw?.row.name;
  if (wanted === undefined) {
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
        <PriceTitle
          label={isKnown ? labelOf(wanted) : asked && labelOf(asked)}
          printing={unknownPrinting ?? name}
        />{' '}
        {found ? (
          <>
            <strong>{formatMoney(found.row.amount, prices.currency)}</strong>{' '}
            <Provenance {...found} isStale={prices.stale} />
          </>
        ) : (
          <>
            <strong class="none">No price</strong>{' '}
            <span class="quiet">
              No source has a price for this copy.{' '}
              {similar && <SimilarPrice found={similar} of={prices} />}
            </span>
          </>
        )}
      </p>
      {isRaw ? (
        <>
          <ConfidenceNote prices={prices} />
          <Changes prices={prices} />
        </>
      ) : (
        raw && <RawPrice raw={raw} printing={printing} name={name} />
      )}
      <ConversionNote prices={prices} />
    </div>
  );
}

interface SimilarPriceProps {
  readonly found: FoundPrice;
  readonly of: Printing['prices'];
}

/** The price of the same grade by any company. */
function SimilarPrice({ found: { row, group }, of: { currency } }: SimilarPriceProps) {
  return (
    <>
      {row.label}: {formatMoney(row.amount, currency)} <Origin group={group} />
    </>
  );
}

function PriceTitle({ label, printing }: { label: string | undefined; printing: string | null }) {
  return (
    <span class="quiet">
      {[label, printing].filter(Boolean).map((part, index) => (
        <Fragment key={part}>
          {index > 0 && ' · '}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </span>
  );
}

/** The source and the day of a price. */
function Provenance({ row, group, isStale }: FoundPrice & { readonly isStale: boolean }) {
  const { from, observedAt } = group;
  const hasAge = !isCopy(row.name) && !isStale;
  return (
    <span class="quiet">
      {row.isEstimated ? 'Estimated from the market price' : `From ${from.join(', ')}`}
      {observedAt && (
        <>, observed {hasAge ? <Age iso={observedAt} /> : formatDate(observedAt, 'UTC')}</>
      )}
    </span>
  );
}

interface RawPriceProps extends Pick<CardPriceProps, 'printing' | 'name'> {
  readonly raw: FoundPrice;
}

/** The price of a raw copy, below the price of another copy. */
function RawPrice({ raw: { row, group }, printing: { prices }, name }: RawPriceProps) {
  return (
    <p class="raw-price">
      <PriceTitle label={`Raw ${row.label.toLowerCase()}`} printing={name} />{' '}
      <strong>{formatMoney(row.amount, prices.currency)}</strong> <Origin group={group} />
    </p>
  );
}

/** The marketplaces and the day of a group of prices. */
function Origin({ group: { from, observedAt } }: { group: PriceGroup }) {
  const day = observedAt === null ? [] : [formatDate(observedAt, 'UTC')];
  return <span class="quiet">{[...from, ...day].join(', ')}</span>;
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

interface PriceNotesProps {
  readonly printing: Printing;
  /** Whether the page shows the price of a raw copy, which may be in dispute. */
  readonly isRaw: boolean;
}

/** Sources' reports about a printing in addition to its prices. */
export function PriceNotes({ printing: { prices }, isRaw }: PriceNotesProps) {
  return (
    <>
      {isRaw && <DisputeNote prices={prices} />}
      <TradeNote prices={prices} />
    </>
  );
}

/** Dealers' buy prices, and how often the card sells, in one line. */
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

interface PriceTablesProps {
  readonly printing: Printing;
  /** The title of the prices without a condition or grade. */
  readonly title?: string;
  /** The price that the page shows. */
  readonly shown?: PriceName | undefined;
  /** Called with the price that the reader chooses. Without this, there is no choice. */
  onChoose?(name: PriceName): void;
}

/** All known prices of a printing: raw, by condition and by grade, with their sources. */
export function PriceTables({ printing, title = 'Raw', shown, onChoose }: PriceTablesProps) {
  const { prices } = printing;
  const choice = useId();
  const groups = groupPrices(printing);
  const priced = groups.filter(({ rows }) => rows.length > 0);
  const unpriced = groups.flatMap((group) => group.unpriced);
  const marketplaces = new Set(priced.flatMap(({ from }) => from));
  if (priced.length === 0) return null;
  return (
    <section aria-labelledby="prices">
      <h2 id="prices" class="sr-only">
        Prices
      </h2>
      <div class="prices">
        {priced.map((group) => (
          <table key={group.kind}>
            <caption>
              {group.kind === 'raw' ? title : KIND_TITLES[group.kind]} <Origin group={group} />
            </caption>
            <tbody>
              {group.rows.map((row) => (
                <tr key={row.name} class={row.name === shown ? 'shown' : undefined}>
                  <th scope="row">
                    {onChoose ? (
                      <label>
                        <input
                          type="radio"
                          name={choice}
                          checked={row.name === shown}
                          onChange={() => onChoose(row.name)}
                        />
                        {row.label}
                      </label>
                    ) : (
                      row.label
                    )}
                  </th>
                  <td class="number">
                    {formatMoney(row.amount, prices.currency)}
                    {row.isEstimated && <span class="quiet mark">estimated</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      {onChoose && unpriced.length > 0 && <p class="hint">No price: {unpriced.join(', ')}.</p>}
      {marketplaces.size > 1 && (
        <p class="hint">Prices from different marketplaces are not comparable.</p>
      )}
      {(prices.estimated?.length ?? 0) > 0 && (
        <p class="hint">
          Estimated prices are calculated from the market price. No source reports them.
        </p>
      )}
    </section>
  );
}

const KIND_TITLES = { condition: 'By condition', grade: 'Graded' } as const;
