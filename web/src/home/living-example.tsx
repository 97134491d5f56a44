import { PAGES } from '../../../src/dashboard/pages.ts';
import { useLocalCall } from '../api/currency.ts';
import { cardHref, historyApiPath } from '../api/links.ts';
import type { HistoryBody, MoverBody } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { CardName, Change } from '../cards/parts.tsx';
import { CardPicture } from '../cards/picture.tsx';
import { setClass } from '../cards/set-colors.ts';
import { CodeSample } from '../ui/code-sample.tsx';
import { formatMoney } from '../ui/format.ts';

/** The mover with the highest confidence in its price; the first if there are several. */
export function bestKnown(movers: readonly MoverBody[]): MoverBody | undefined {
  const days = ({ prices }: MoverBody) => prices.confidence?.observations ?? 0;
  return movers.toSorted((a, b) => days(b) - days(a))[0];
}

/** A card with its price and the line of its last month, and the call that returns this data. */
export function LivingExample({ card }: { card: MoverBody }) {
  const { id, name, set, number, printing, prices, to } = card;
  const view = { period: '30d', ...(printing !== null && { printing }) };
  const { body } = useData<{ data: HistoryBody }>(useLocalCall(historyApiPath(id, view)));
  return (
    <section class="example" aria-labelledby="example">
      <h2 id="example" class="sr-only">
        An example
      </h2>
      <div class={`tile ${setClass(card.game, card.setCode)}`}>
        <CardPicture card={card} size="thumb" />
        <div>
          <a href={cardHref(id, view)}>
            <CardName name={name} />
          </a>{' '}
          <span class="quiet">
            {set} {number}
          </span>
        </div>
        <div class="worth">
          {formatMoney(to, prices.currency)} <Change change={card} isShort />
        </div>
        <Line history={body?.data.history ?? []} />
      </div>
      <div>
        <p>
          For developers: <a href={PAGES.keys}>get a key</a> and{' '}
          <a href="/docs/guide">call the API</a>
        </p>
        <CodeSample language="curl" path={`/v1/cards/${id}`} label="Copy the call" />
        <p class="quiet">
          <code>{`{"data":{"name":"${name}","prices":{"market":${to},…`}</code>
        </p>
      </div>
    </section>
  );
}

/** The line of a market price. The chart on the page of the card has its amounts. */
function Line({ history }: { history: HistoryBody['history'] }) {
  const known = history.flatMap(({ market }) => market ?? []);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const points = known.map((amount, at) => {
    const height = most === least ? 0.5 : (amount - least) / (most - least);
    return `${at},${(1 - height).toFixed(3)}`;
  });
  // Separate units on both axes, because the style stretches it.
  return (
    <svg
      class="spark"
      viewBox={`0 -0.05 ${Math.max(known.length - 1, 1)} 1.1`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
