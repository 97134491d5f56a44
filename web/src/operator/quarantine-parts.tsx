import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatSpan } from '../../../src/domain/quarantined.ts';
import type { QuarantinedItem } from '../api/responses.ts';
import { CardPicture } from '../cards/picture.tsx';
import { formatCounted, formatDay, formatMoney } from '../ui/format.ts';
import { useServerClock } from '../ui/time.tsx';
import { ACTION_NAMES, type Action } from './decisions.ts';

/* Parts of the lists of quarantined prices. */

interface EntryProps {
  readonly heading: ComponentChildren;
  /** More about the heading. */
  readonly facts: ComponentChildren;
  /** Next to the heading. */
  readonly picture?: ComponentChildren;
  /** At the end of the heading. */
  readonly control?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** An entry of a list, which keys move to and act on. */
export function Entry({ heading, facts, picture, control, children }: EntryProps) {
  const id = useId();
  return (
    <li>
      <article class="entry" tabIndex={-1} data-entry aria-labelledby={id}>
        <div class="entry-head">
          {picture}
          <div>
            <h2 id={id} class="clamped">
              {heading}
            </h2>
            <p class="quiet clamped">{facts}</p>
          </div>
          {control}
        </div>
        {children}
      </article>
    </li>
  );
}

/** The keys that press the buttons of an entry. */
const KEYS: Readonly<Record<Action, string>> = { approve: 'a', reject: 'r', undo: 'u' };

interface ActionButtonProps {
  readonly action: Action;
  /** The name of the entry, for screen readers, and the visible text in addition to the action. */
  readonly of: string;
  readonly suffix?: string;
  onClick(): void;
}

/** A button that decides on an entry. */
export function ActionButton({ action, of, suffix = '', onClick }: ActionButtonProps) {
  return (
    <button
      type="button"
      class={action}
      aria-keyshortcuts={KEYS[action]}
      aria-label={`${ACTION_NAMES[action]} ${of}`}
      onClick={onClick}
    >
      {ACTION_NAMES[action]}
      {suffix}
    </button>
  );
}

/** The picture of the card of an entry, or a drawn card; nothing if it concerns no card. */
export function EntryPicture({ item }: { item: QuarantinedItem }) {
  const { cardId: id, cardName, game, setName: set, pictured } = item;
  if (id === null || game === null || pictured === null) return null;
  const { image, number, rarity, setCode } = pictured;
  const facts = { id, name: cardName ?? id, game, set: set ?? '', setCode: setCode ?? '' };
  return <CardPicture card={{ ...facts, number, rarity, image }} size="thumb" />;
}

/** The amount farthest from its accepted value: `market $10.00 → $99.00 ▲ 9.9×`. */
export function Change({ item }: { item: QuarantinedItem }) {
  const { amount, value, was, ratio, currency } = item;
  if (amount === null || value === null) return null;
  const [from, to] = [was, value].map((money) => formatAmount(money, currency));
  const isSame = from === to;
  return (
    <span class="amounts">
      <span class="quiet">{amount.replaceAll('_', ' ')}</span>{' '}
      {was !== null && !isSame && `${from} → `}
      <strong>{to}</strong>
      {isSame && ', as accepted before'}
      {ratio !== null && was !== null && !isSame && <Factor isUp={value > was} ratio={ratio} />}
    </span>
  );
}

function Factor({ isUp, ratio }: { isUp: boolean; ratio: number }) {
  return (
    <>
      {' '}
      <span class={isUp ? 'up' : 'down'}>
        <span aria-hidden="true">{isUp ? '▲' : '▼'}</span>
        <span class="sr-only">{isUp ? 'up' : 'down'}</span> {formatSpan({ from: ratio, to: ratio })}
      </span>
    </>
  );
}

function formatAmount(amount: number | null, currency: string): string {
  if (amount === null || currency === 'USD') return formatMoney(amount);
  return `${amount.toFixed(2)} ${currency}`;
}

const DAY_MS = 86_400_000;

/** The number of days until something closes by itself; nothing if it does not wait. */
export function Closing({ of, closesOn }: { of: string; closesOn: string | null }) {
  const today = Math.floor(useServerClock() / DAY_MS);
  if (closesOn === null) return null;
  const days = Date.parse(closesOn) / DAY_MS - today;
  if (days < 1) return <>{of} closes by itself with the next import.</>;
  return (
    <>
      {of} closes automatically in {formatCounted(days, 'day')}, on {formatDay(closesOn)}.
    </>
  );
}
