import { formatMoney } from '../../ui/format.ts';
import { CardName } from '../card-name.tsx';
import { CardPicture } from '../card-picture.tsx';
import { Change } from '../change.tsx';
import { cardHref } from '../links.ts';
import type { CardSummaryBody } from '../responses.ts';
import { SetSymbol } from '../set-symbol.tsx';
import './card-list.css';
import './toolbar.css';
import { COLUMN_LABELS, type Column } from './columns.ts';
import { areAllOld, ListedPrice, OldPrices } from './old-prices.tsx';
import { RowActions } from './row-actions.tsx';
import type { View } from './views.ts';

interface CardListProps {
  readonly cards: readonly CardSummaryBody[];
  readonly columns: readonly Column[];
  readonly view: View;
  /** What the list is, for screen readers. */
  readonly label: string;
}

/**
 * Cards as rows, or as a grid of pictures. Each has one link, which takes all of its clicks but those
 * on the button that opens what can be done with it.
 */
export function CardList({ cards, columns, view, label }: CardListProps) {
  const isOld = areAllOld(cards);
  return (
    <div class={`card-list as-${view}`}>
      {isOld && <OldPrices />}
      {view === 'rows' && <ColumnLabels columns={columns} />}
      <ul aria-label={label}>
        {cards.map((card) => (
          <li key={card.id}>
            <CardPicture card={card} size={view === 'rows' ? 'thumb' : 'small'} />
            <CardLink card={card} />
            <span class="card-facts">
              {columns.map((column) => column !== 'change' && cellOf(column, card))}
            </span>
            <span class="market">
              <ListedPrice prices={card.prices} isOldSaid={isOld} />
            </span>
            {columns.includes('change') && cellOf('change', card)}
            <RowActions card={card} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The names of the columns. Screen readers hear of each card what it is without them. */
function ColumnLabels({ columns }: { columns: readonly Column[] }) {
  return (
    <div class="labels" aria-hidden="true">
      <span class="name">Card</span>
      <span class="card-facts">
        {columns.map((column) => {
          return column !== 'change' && <span class={column}>{COLUMN_LABELS[column]}</span>;
        })}
      </span>
      <span class="market">Price</span>
      {columns.includes('change') && <span class="change-7d">{COLUMN_LABELS.change}</span>}
      <span class="row-actions" />
    </div>
  );
}

/** The name of a card as its link, called by what tells it from all others, and what it costs. */
export function CardLink({ card }: { card: CardSummaryBody }) {
  const { id, name, set, number, prices } = card;
  const label = [name, set, number, formatMoney(prices.market)].filter(Boolean).join(', ');
  return (
    <span class="name clamped">
      <a href={cardHref(id)} aria-label={label}>
        <CardName name={name} />
      </a>
    </span>
  );
}

function cellOf(column: Column, card: CardSummaryBody) {
  const { set, game, setCode, number, rarity, printing, prices } = card;
  const change = prices.changes?.['7d'];
  switch (column) {
    case 'set':
      return (
        <span class="set" title={set}>
          <SetSymbol game={game} code={setCode} /> <CardName name={set} />
        </span>
      );
    case 'change':
      return <span class="change-7d">{change && <Change change={change} isShort />}</span>;
    case 'number':
      return <Fact column={column} text={number} />;
    case 'rarity':
      return <Fact column={column} text={rarity} />;
    case 'printing':
      return <Fact column={column} text={printing} />;
  }
}

function Fact({ column, text }: { column: Column; text: string | null }) {
  return <span class={column}>{text !== null && <bdi>{text}</bdi>}</span>;
}
