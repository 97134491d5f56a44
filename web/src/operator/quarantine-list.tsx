import { useState } from 'preact/hooks';
import { formatSpan } from '../../../src/domain/quarantined.ts';
import { useSession } from '../account/session.tsx';
import { cardHref } from '../cards/links.ts';
import { formatCount, formatMoney } from '../ui/format.ts';
import { Age } from '../ui/time.tsx';
import { ACTION_NAMES, type Action } from './decisions.ts';
import type { QuarantinedItem } from './responses.ts';
import { Sparkline } from './sparkline.tsx';

interface ListProps {
  readonly items: readonly QuarantinedItem[];
  /** What can be done with them. */
  readonly actions: readonly Action[];
  /** Resolves once the decision is made. */
  onDecide(action: Action, ids: readonly number[]): Promise<void>;
}

/** The quarantined items to select from, with a button for each decision. */
export function QuarantineList({ items, actions, onDecide }: ListProps) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [isBusy, setBusy] = useState(false);
  if (items.length === 0) return null;
  // An item that has left the list since it was selected is not decided.
  const ids = items.map(({ id }) => id).filter((id) => selected.has(id));
  const decide = async (action: Action) => {
    if (isBusy || ids.length === 0) return;
    setBusy(true);
    await onDecide(action, ids);
    setBusy(false);
    setSelected(new Set());
  };
  const areAllSelected = ids.length === items.length;
  return (
    <>
      <div class="row decide">
        <label class="check">
          <input
            type="checkbox"
            checked={areAllSelected}
            onChange={() => setSelected(new Set(areAllSelected ? [] : items.map(({ id }) => id)))}
          />
          All of these
        </label>
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            aria-disabled={isBusy || ids.length === 0}
            onClick={() => decide(action)}
          >
            {ACTION_NAMES[action]} {formatCount(ids.length)}
          </button>
        ))}
      </div>
      <ul class="quarantine">
        {items.map((item) => (
          <ListItem
            key={item.id}
            item={item}
            isUndecided={actions.includes('approve')}
            isSelected={selected.has(item.id)}
            onToggle={() => setSelected(toggle(selected, item.id))}
          />
        ))}
      </ul>
    </>
  );
}

/** Returns the set without `id` if it contains it, and with it otherwise. */
function toggle(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]);
}

interface ListItemProps {
  readonly item: QuarantinedItem;
  readonly isUndecided: boolean;
  readonly isSelected: boolean;
  onToggle(): void;
}

function ListItem({ item, isUndecided, isSelected, onToggle }: ListItemProps) {
  const { id, source, cardId, cardName, rule, detail, quarantinedAt, isApprovable } = item;
  return (
    <li>
      <label class="check">
        <input
          type="checkbox"
          checked={isSelected}
          onChange={onToggle}
          aria-describedby={`item-${id}`}
        />
        <span class="sr-only">Choose</span> <Subject item={item} />
      </label>
      <div id={`item-${id}`}>
        <p>
          <strong>{rule}</strong> <Change item={item} />: {detail}
        </p>
        <Sparkline item={item} />
        {isUndecided && !isApprovable && (
          <p class="hint">No price can be this. It can only be rejected.</p>
        )}
        <p class="quiet">
          {source}, <Age iso={quarantinedAt} />
          {cardId !== null && (
            <>
              {' · '}
              <a href={cardHref(cardId)} aria-label={`see the card ${cardName ?? cardId}`}>
                see the card
              </a>
            </>
          )}
        </p>
      </div>
    </li>
  );
}

/** The amount that is farthest from what was accepted: `market $10.00 → $99.00 (9.9×)`. */
export function Change({ item }: { item: QuarantinedItem }) {
  const { amount, value, was, ratio, currency } = item;
  if (amount === null || value === null) return null;
  const [from, to] = [was, value].map((money) => formatAmount(money, currency));
  return (
    <span class="quiet">
      {amount.replaceAll('_', ' ')} {was !== null && from !== to && `${from} → `}
      {to}
      {from === to && ', as accepted before'}
      {ratio !== null && from !== to && ` (${formatSpan({ from: ratio, to: ratio })})`}
    </span>
  );
}

function formatAmount(amount: number | null, currency: string): string {
  if (amount === null || currency === 'USD') return formatMoney(amount);
  return `${amount.toFixed(2)} ${currency}`;
}

/** What an item is about: a printing of a card, or a game as a whole. */
function Subject({ item: { cardName, cardId, printing, game } }: { item: QuarantinedItem }) {
  const { games } = useSession();
  const gameName = games.find(({ id }) => id === game)?.name ?? game ?? 'all games';
  const name = cardName ?? cardId;
  return (
    <span class="clamped">
      <bdi>{name ?? gameName}</bdi>
      {printing !== null && `, ${printing}`}
      {name !== null && <span class="quiet"> {gameName}</span>}
    </span>
  );
}
