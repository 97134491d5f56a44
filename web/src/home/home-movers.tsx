import { useData } from '../api/use-data.ts';
import { CardPicture } from '../cards/card-picture.tsx';
import { cardHref } from '../cards/links.ts';
import type { CardSummaryBody } from '../cards/responses.ts';
import { formatMoney } from '../ui/format.ts';

/** A card of which a printing has moved. */
interface MoverBody extends CardSummaryBody {
  /** Dollars before and now. */
  readonly from: number;
  readonly to: number;
  readonly percent: number;
}

const PATH = '/dashboard/v1/movers?window=7d&limit=8';

/** What moved most within a week; nothing where the service does not know. */
export function HomeMovers() {
  const { body } = useData<{ data: readonly MoverBody[] }>(PATH);
  if (!body || body.data.length === 0) return null;
  return (
    <section aria-labelledby="movers">
      <h2 id="movers">What moved this week</h2>
      <ul class="tiles">
        {body.data.map((mover) => (
          <MoverTile key={`${mover.id} ${mover.printing}`} mover={mover} />
        ))}
      </ul>
    </section>
  );
}

const PERCENT = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

function MoverTile({ mover }: { mover: MoverBody }) {
  const { id, name, set, number, printing, to, percent } = mover;
  return (
    <li class="tile pictured">
      <CardPicture card={mover} size="thumb" />
      <a href={cardHref(id, { printing: printing ?? undefined })}>
        <bdi>{name}</bdi>
      </a>
      <span class="quiet">
        <bdi>{set}</bdi> {number !== null && <bdi>{number}</bdi>}
      </span>
      <span class="worth">
        {formatMoney(to)}{' '}
        <span class={percent < 0 ? 'down' : 'up'}>
          {percent < 0 ? '▼' : '▲'} {PERCENT.format(percent / 100)}
        </span>
      </span>
    </li>
  );
}
