import { useServerClock } from '../clock.ts';
import { formatMoment } from '../format.ts';
import { isOld } from './card-age.ts';
import type { Printing } from './card-bodies.ts';
import { type PriceGroup, priceGroups } from './card-labels.ts';
import { Money } from './card-money.tsx';
import { Age } from './time.tsx';

type Priced = Pick<Printing, 'prices' | 'sources' | 'updatedAt'>;

/** All prices of a printing, with where they are from and how old they are. */
export function PriceTables({ prices, sources, updatedAt }: Priced) {
  const isEstimated = (prices.estimated?.length ?? 0) > 0;
  return (
    <>
      <div class="prices">
        {priceGroups(prices).map((group) => (
          <PriceTable key={group.title} group={group} />
        ))}
      </div>
      {isEstimated && (
        <p class="hint">Estimated prices follow from the market price: no source gives them.</p>
      )}
      <Provenance sources={sources} updatedAt={updatedAt} />
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

function Provenance({ sources, updatedAt }: Pick<Printing, 'sources' | 'updatedAt'>) {
  const now = useServerClock();
  if (updatedAt === null) return <p>No source has a price for this card yet.</p>;
  return (
    <>
      <p>
        From {sources.join(', ')}, observed <Age iso={updatedAt} /> ({formatMoment(updatedAt)}).
      </p>
      {isOld(updatedAt, now) && (
        <p class="notice">These prices are old. The card may be worth something else by now.</p>
      )}
    </>
  );
}
