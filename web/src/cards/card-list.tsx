import './card-list.css';
import './toolbar.css';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { cardHref } from '../api/links.ts';
import type { CardSummaryBody } from '../api/responses.ts';
import { formatMoney } from '../ui/format.ts';
import { whenLeft } from '../ui/hooks.ts';
import { Money } from '../ui/parts.tsx';
import { CardActions } from './card-actions.tsx';
import { areAllOld, CardName, Change, ListedPrice, OldPrices, SetSymbol } from './parts.tsx';
import { CardPicture } from './picture.tsx';
import { COLUMN_LABELS, type Column, type View } from './views.ts';

interface CardListProps {
  readonly cards: readonly CardSummaryBody[];
  readonly columns: readonly Column[];
  readonly view: View;
  /** The name of the list, for screen readers. */
  readonly label: string;
}

/**
 * Cards as rows or as a grid of pictures. Each card has one link, which takes all clicks except
 * those on the button that opens its actions.
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
              {card.copy && (
                <span class="quiet under">
                  {card.copy.name}{' '}
                  <Money amount={card.copy.price} currency={card.prices.currency} />
                </span>
              )}
            </span>
            {columns.includes('change') && cellOf('change', card)}
            <RowActions card={card} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * The names of the columns. Screen readers skip them, because the label of each card is complete.
 */
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

/**
 * The name of a card as a link. Its label has the set, number and price, which identify the card.
 */
export function CardLink({ card }: { card: CardSummaryBody }) {
  const { id, name, set, number, prices } = card;
  const label = [name, set, number, formatMoney(prices.market, prices.currency)]
    .filter(Boolean)
    .join(', ');
  return (
    <span class="name clamped">
      <a href={cardHref(id)} aria-label={label}>
        <CardName name={name} />
      </a>
    </span>
  );
}

interface SetCellProps {
  readonly card: Pick<CardSummaryBody, 'set' | 'game' | 'setCode'>;
}

/**
 * The set of a card, in a list that is not of one set. Some sets have a code in front of their name
 * (`SWSH07: Evolving Skies`), which the symbol shows already.
 */
export function SetCell({ card: { set, game, setCode } }: SetCellProps) {
  return (
    <span class="set" title={set}>
      <SetSymbol game={game} code={setCode} /> <CardName name={set.replace(/^[A-Z\d]+: /, '')} />
    </span>
  );
}

function cellOf(column: Column, card: CardSummaryBody) {
  const { number, rarity, printing, prices } = card;
  const change = prices.changes?.['7d'];
  switch (column) {
    case 'set':
      return <SetCell card={card} />;
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

/** The button of a card in a list, which opens its actions. */
export function RowActions({ card }: { card: CardSummaryBody }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    // The control with the focus disappears.
    if (area.current?.contains(document.activeElement)) button.current?.focus();
    setOpen(false);
  };
  useEffect(() => (isOpen ? whenLeft(area.current, close) : undefined), [isOpen]);
  const { name, set, number } = card;
  return (
    <div class="row-actions" ref={area}>
      <button
        type="button"
        ref={button}
        aria-label={`Actions: ${[name, set, number].filter(Boolean).join(', ')}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div id={id} class="row-menu" hidden={!isOpen}>
        {isOpen && <CardActions card={card} />}
      </div>
    </div>
  );
}
