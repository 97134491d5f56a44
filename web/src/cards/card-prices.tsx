import { formatMoney } from '../ui/format.ts';
import { Age } from '../ui/time.tsx';
import { groupPrices, type PriceGroup } from './price-rows.ts';
import type { PrintingBody } from './responses.ts';

type Printing = Omit<PrintingBody, 'name'>;

/** The prices of a printing by condition and by grade, as far as any source has them. */
export function PriceTables({ printing }: { printing: Printing }) {
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
