import type { ComponentChildren } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { CONDITION_NAMES } from '../../../src/domain/price.ts';
import { productHref } from '../api/links.ts';
import type { ProductSummaryBody } from '../api/responses.ts';
import { CardName } from '../cards/parts.tsx';
import { CardPicture } from '../cards/picture.tsx';
import { formatMoney } from '../ui/format.ts';
import { Money } from '../ui/parts.tsx';
import { Candidates } from './candidates.tsx';
import { CopyPickers } from './copy-pickers.tsx';
import type { LineProps } from './line-props.ts';
import { amountsOf, type ListedCard, listedCard, MAX_COPIES } from './list.ts';

/** A line of the list: its card, quantity, price and amounts. The choices unfold below. */
export function LineRow(props: LineProps) {
  const { row, percent, currency } = props;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  // Rows that have not changed are not rendered again, so long lists stay fluid.
  return useMemo(() => {
    const opener = { id, isOpen, onToggle: () => setOpen(!isOpen) };
    const card = listedCard(row);
    return (
      <>
        {card ? (
          <CardLine {...props} card={card} opener={opener} />
        ) : (
          <OpenLine {...props} opener={opener} />
        )}
        {isOpen && (
          <tr class="detail" id={id}>
            <td colSpan={COLUMNS}>
              <div class="choices">
                <Candidates {...props} />
                {card && !card.isProduct && <CopyPickers {...props} card={card} />}
              </div>
            </td>
          </tr>
        )}
      </>
    );
  }, [row, percent, currency, isOpen]);
}

/** Styles hide the last cell if nothing is bought, because adding cells to many rows is slow. */
const COLUMNS = 6;

/** The button that unfolds the choices. */
interface Opener {
  /** The id of the unfolded row. */
  readonly id: string;
  readonly isOpen: boolean;
  onToggle(): void;
}

interface CardLineProps extends LineProps {
  readonly card: ListedCard;
  readonly opener: Opener;
}

function CardLine({ row, card, percent, currency, onRow, opener }: CardLineProps) {
  const { noPrice, price } = card;
  const { value, pay } = amountsOf(card, row, { percent, currency });
  return (
    <tr>
      <Heading row={row} />
      <td class="copy">
        {card.isProduct ? card.printing : <CopyButton card={card} opener={opener} />}
        {noPrice !== undefined && <span class="quiet under">{noPrice}</span>}
      </td>
      <td class="quantity">
        <Quantity card={card} onChange={(quantity) => onRow({ ...row, quantity })} />
      </td>
      <td class="unit-price number">
        <Money amount={price} currency={currency} />
      </td>
      <td class="total number">{value !== null && formatMoney(value, currency)}</td>
      <td class="pay number">{pay !== null && formatMoney(pay, currency)}</td>
    </tr>
  );
}

/** The card of a row. It is not rendered again when only the percentage changes. */
function Heading({ row }: Pick<LineProps, 'row'>) {
  return useMemo(() => {
    const card = listedCard(row);
    if (!card) return null;
    const { name, href, setCode, number } = card;
    return (
      <th scope="row">
        <span class="pictured">
          <CardPicture card={card} size="thumb" />
          <span>
            <a href={href}>
              <CardName name={name} />
            </a>
            <bdi class="quiet under">{[setCode, number].filter(Boolean).join(' · ')}</bdi>
            <bdi class="quiet under line-text">{row.text}</bdi>
          </span>
        </span>
      </th>
    );
  }, [row]);
}

function CopyButton({ card, opener }: Pick<CardLineProps, 'card' | 'opener'>) {
  const { name, printing, language, condition, grade } = card;
  const copy = grade ?? (condition ? CONDITION_NAMES[condition] : 'Any condition');
  return (
    <UnfoldButton opener={opener}>
      <span class="sr-only">Copy of {name}: </span>
      {[printing, language?.toUpperCase(), copy].filter(Boolean).join(' · ')}
    </UnfoldButton>
  );
}

interface UnfoldButtonProps {
  readonly opener: Opener;
  readonly children: ComponentChildren;
}

/** The button of a line that unfolds the row below it. */
function UnfoldButton({ opener: { id, isOpen, onToggle }, children }: UnfoldButtonProps) {
  return (
    <button
      type="button"
      class="unfold"
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      onClick={onToggle}
    >
      {children}
    </button>
  );
}

interface QuantityProps {
  readonly card: ListedCard;
  onChange(quantity: number): void;
}

function Quantity({ card: { name, quantity }, onChange }: QuantityProps) {
  return (
    <input
      type="number"
      class="copies"
      min={0}
      max={MAX_COPIES}
      inputMode="numeric"
      aria-label={`Quantity of ${name}`}
      value={quantity}
      onInput={({ currentTarget: { value } }) => {
        if (/^\d{1,4}$/.test(value)) onChange(Number(value));
      }}
      onBlur={({ currentTarget }) => {
        currentTarget.value = String(quantity);
      }}
    />
  );
}

/** A line whose card is unknown, with help. */
function OpenLine({ row, opener }: LineProps & { opener: Opener }) {
  const { text, answer } = row;
  const { candidates = [], candidateCount = candidates.length, products = [] } = answer;
  return (
    <tr class="undecided">
      <th scope="row">
        <bdi class="clamped">{text}</bdi>
        <span class="quiet under">{answer.reasons.join(' ')}</span>
      </th>
      <td class="answers" colSpan={COLUMNS - 1}>
        {candidates.length > 0 && (
          <UnfoldButton opener={opener}>
            {candidateCount === 1 ? '1 candidate' : `${candidateCount} candidates`}
            <span class="sr-only"> for {text}</span>
          </UnfoldButton>
        )}
        {products.length > 0 && <Products products={products} />}
      </td>
    </tr>
  );
}

/** The sealed products that a line may mean. */
function Products({ products }: { products: readonly ProductSummaryBody[] }) {
  return (
    <ul>
      {products.map(({ id, name, prices }) => (
        <li key={id}>
          <a href={productHref(id)}>
            <bdi>{name}</bdi>
          </a>{' '}
          <Money amount={prices.market} currency={prices.currency} />
        </li>
      ))}
    </ul>
  );
}
