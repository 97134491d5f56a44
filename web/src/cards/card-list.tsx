import { cardHref, viewOfCopy } from '../api/links.ts';
import type { CardSummaryBody } from '../api/responses.ts';
import { formatMoney } from '../ui/format.ts';
import { Money } from '../ui/parts.tsx';
import { areAllOld, CardName, Change, ListedPrice, OldPrices } from './parts.tsx';
import { CardPicture } from './picture.tsx';
import { rarityMark } from './rarity-mark.ts';
import { RowActions } from './row-actions.tsx';
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
              {card.copy ? (
                <CopyPrice card={card} copy={card.copy} isOldSaid={isOld} />
              ) : (
                <ListedPrice prices={card.prices} isOldSaid={isOld} />
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

interface CopyPriceProps {
  readonly card: CardSummaryBody;
  readonly copy: NonNullable<CardSummaryBody['copy']>;
  readonly isOldSaid: boolean;
}

/** The price of the copy that a search asked for, above the market price of the card. */
function CopyPrice({ card: { printing, prices }, copy, isOldSaid }: CopyPriceProps) {
  const { name, price, priceOf } = copy;
  const isMarket = !priceOf.grade && !priceOf.condition && priceOf.printing === printing;
  return (
    <>
      <Money amount={price} currency={prices.currency} /> <span class="quiet under">{name}</span>
      {!isMarket && (
        <span class="quiet under">
          market <ListedPrice prices={prices} isOldSaid={isOldSaid} />
        </span>
      )}
    </>
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
 * It leads to the price of the copy that a search asked for.
 */
export function CardLink({ card }: { card: CardSummaryBody }) {
  const { id, name, set, number, prices, copy } = card;
  const price = copy ? copy.price : prices.market;
  const label = [name, set, number, copy?.name, formatMoney(price, prices.currency)]
    .filter(Boolean)
    .join(', ');
  return (
    <span class="name clamped">
      <a href={cardHref(id, copy && viewOfCopy(copy))} aria-label={label}>
        <CardName name={name} />
      </a>
    </span>
  );
}

/**
 * The set of a card, in a list with several sets. Some names of sets start with a code (`SWSH07:
 * Evolving Skies`), which the spine already shows.
 */
export function SetCell({ set }: { set: string }) {
  return (
    <span class="set" title={set}>
      <CardName name={set.replace(/^[A-Z\d]+: /, '')} />
    </span>
  );
}

/** The number of a card. `004` stands out from the total of its set. */
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
