import './card-list.css';
import './toolbar.css';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { cardHref } from '../api/links.ts';
import type { CardSummaryBody } from '../api/responses.ts';
import { formatMoney } from '../ui/format.ts';
import { whenLeft } from '../ui/hooks.ts';
import { Money } from '../ui/parts.tsx';
import { CardActions } from './card-actions.tsx';
import { areAllOld, CardName, Change, ListedPrice, OldPrices } from './parts.tsx';
import { CardPicture } from './picture.tsx';
import { rarityMark } from './rarity-mark.ts';
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
  const mark = columns.includes('set') ? 'code' : 'number';
  return (
    <div class={`card-list as-${view}`}>
      {isOld && <OldPrices />}
      {view === 'rows' && <ColumnLabels columns={columns} />}
      <ul aria-label={label}>
        {cards.map((card) => (
          <li key={card.id}>
            <CardPicture card={card} size={view === 'rows' ? 'thumb' : 'small'} mark={mark} />
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

/**
 * The set of a card, in a list that is not of one set. Some sets have a code in front of their name
 * (`SWSH07: Evolving Skies`), which the spine shows already.
 */
export function SetCell({ set }: { set: string }) {
  return (
    <span class="set" title={set}>
      <CardName name={set.replace(/^[A-Z\d]+: /, '')} />
    </span>
  );
}

/** The number of a card: `004` stands out from the total of its set. */
export function NumberCell({ number }: { number: string | null }) {
  const [, own = number, total = ''] = /^([^/]+)(\/.*)$/.exec(number ?? '') ?? [];
  return (
    <span class="number">
      {number !== null && (
        <bdi>
          <b>{own}</b>
          {total}
        </bdi>
      )}
    </span>
  );
}

/** The rarity of a card, with its mark. On a phone, only the mark is visible. */
function RarityCell({ rarity }: { rarity: string | null }) {
  if (rarity === null) return <span class="rarity" />;
  const mark = rarityMark(rarity);
  return (
    <span class={mark === '' ? 'rarity' : 'rarity marked'} title={rarity}>
      {mark !== '' && <span aria-hidden="true">{mark}</span>} <bdi>{rarity}</bdi>
    </span>
  );
}

function cellOf(column: Column, card: CardSummaryBody) {
  const { number, rarity, printing, prices } = card;
  const change = prices.changes?.['7d'];
  switch (column) {
    case 'set':
      return <SetCell set={card.set} />;
    case 'change':
      return <span class="change-7d">{change && <Change change={change} isShort />}</span>;
    case 'number':
      return <NumberCell number={number} />;
    case 'rarity':
      return <RarityCell rarity={rarity} />;
    case 'printing':
      return <PrintingCell printing={printing} />;
  }
}

export function PrintingCell({ printing }: { printing: string | null }) {
  return <span class="printing">{printing !== null && <bdi>{printing}</bdi>}</span>;
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
