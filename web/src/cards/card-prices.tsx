import { Money } from '../ui/money.tsx';
import { Age, Moment } from '../ui/time.tsx';
import { groupPrices, type PriceGroup } from './price-rows.ts';
import type { PrintingBody } from './responses.ts';

interface PrintingsProps {
  readonly printings: readonly PrintingBody[];
  /** The name of the printing whose prices the page shows. */
  readonly shown: string | null;
  hrefOf(printing: string): string;
}

/** Links to the printings of a card, each with its market price. */
export function Printings({ printings, shown, hrefOf }: PrintingsProps) {
  if (printings.length < 2) return null;
  return (
    <nav class="choices" aria-label="Printings">
      <ul>
        {printings.map(({ name, prices }) => (
          <li key={name}>
            <a href={hrefOf(name)} aria-current={name === shown ? 'true' : undefined}>
              <bdi>{name}</bdi> <Money amount={prices.market} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type PricedPrinting = Omit<PrintingBody, 'name'>;

/** All prices of a printing, with their sources and their ages. */
export function PriceTables(printing: PricedPrinting) {
  const { prices } = printing;
  const hasEstimates = (prices.estimated?.length ?? 0) > 0;
  return (
    <>
      <div class="prices">
        {groupPrices(prices).map((group) => (
          <PriceTable key={group.title} group={group} />
        ))}
      </div>
      {hasEstimates && (
        <p class="hint">Estimated prices follow from the market price: no source gives them.</p>
      )}
      <Provenance {...printing} />
    </>
  );
}

function PriceTable({ group: { title, rows } }: { group: PriceGroup }) {
  return (
    <table class="prices-of">
      <caption>{title}</caption>
      <tbody>
        {rows.map(({ label, amount, isEstimated }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="number">
              <Money amount={amount} />
              {isEstimated && <span class="quiet mark">estimated</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Provenance({ prices, sources, figuresAt, conditionsAt, gradedAt }: PricedPrinting) {
  if (sources.length === 0) return <p>No source has a price for this card yet.</p>;
  return (
    <>
      <p>
        From {sources.join(', ')}
        {figuresAt && (
          <>
            , observed <Observed iso={figuresAt} />
          </>
        )}
        .{' '}
        {conditionsAt && (
          <>
            Conditions: <Observed iso={conditionsAt} />.{' '}
          </>
        )}
        {gradedAt && (
          <>
            Grades: <Observed iso={gradedAt} />.
          </>
        )}
      </p>
      {prices.stale && (
        <p class="notice">These prices are old. The card may be worth something else by now.</p>
      )}
    </>
  );
}

/** How long ago a moment was, and the moment. */
function Observed({ iso }: { iso: string }) {
  return (
    <>
      <Age iso={iso} /> (<Moment iso={iso} />)
    </>
  );
}
