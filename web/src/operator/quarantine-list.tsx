import { useState } from 'preact/hooks';
import { cardHref, withQuery } from '../api/links.ts';
import type { QuarantineBody, QuarantinedItem } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { useAction } from '../ui/hooks.ts';
import { Money } from '../ui/parts.tsx';
import { Fetched } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { ACTION_NAMES, type Action, type Choice } from './decisions.ts';
import { leaveEntry } from './entry-keys.ts';
import { ActionButton, Change, Closing, Entry, EntryPicture } from './quarantine-parts.tsx';
import { Sparkline } from './sparkline.tsx';

/** The items shown at once. More follow when these are decided. */
const PAGE_SIZE = 50;

/** The kind of prices in a list. */
type State = 'quarantined' | 'rejected' | 'closed';

/** The operator's possible actions on them. */
const ACTIONS: Readonly<Record<State, readonly Action[]>> = {
  quarantined: ['approve', 'reject'],
  rejected: ['undo'],
  closed: ['undo'],
};

interface EntriesProps {
  readonly choice: Choice;
  readonly state: State;
  onDecide(action: Action, ids: readonly number[]): Promise<void>;
}

/** The quarantined prices, one by one. */
export function QuarantineEntries({ choice, state, onDecide }: EntriesProps) {
  const loaded = useData<QuarantineBody>(
    withQuery('/dashboard/operator/quarantine', {
      ...choice,
      ...(state !== 'quarantined' && { [state]: 'true' }),
      limit: PAGE_SIZE,
    }),
    { refetchOnVisible: true },
  );
  return (
    <Fetched of={loaded}>
      {(body) => (
        <div aria-busy={loaded.isLoading}>
          <QuarantineCount {...body} what={state} />
          <QuarantineList
            items={body.data}
            state={state}
            onDecide={(action, ids) => onDecide(action, ids).then(loaded.refetch)}
          />
        </div>
      )}
    </Fetched>
  );
}

function QuarantineCount({ data, total, what }: QuarantineBody & { readonly what: string }) {
  if (total === 0) return <p role="status">Nothing is {what}.</p>;
  return (
    <p role="status">
      {data.length < total
        ? `The oldest ${formatCount(data.length)} of ${formatCount(total)}`
        : `${formatCount(total)} ${what}`}
    </p>
  );
}

interface ListProps {
  readonly items: readonly QuarantinedItem[];
  readonly state: State;
  /** Resolves once the decision is made. */
  onDecide(action: Action, ids: readonly number[]): Promise<void>;
}

/** Items with buttons that decide on each one, or on all selected ones. */
function QuarantineList({ items, state, onDecide }: ListProps) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const { isBusy, run } = useAction();
  if (items.length === 0) return null;
  // Selected items that have left the list are not decided on.
  const ids = items.map(({ id }) => id).filter((id) => selected.has(id));
  const decide = (action: Action) =>
    run(async () => {
      await onDecide(action, ids);
      setSelected(new Set());
    });
  const decideOn = (action: Action, { id }: QuarantinedItem) =>
    run(() => {
      leaveEntry();
      return onDecide(action, [id]);
    });
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
          Select all
        </label>
        {ids.length > 0 &&
          ACTIONS[state].map((action) => (
            <button
              key={action}
              type="button"
              aria-disabled={isBusy}
              onClick={() => decide(action)}
            >
              {ACTION_NAMES[action]} {formatCount(ids.length)}
            </button>
          ))}
      </div>
      <ul class="entries">
        {items.map((item) => (
          <ListItem
            key={item.id}
            item={item}
            state={state}
            isSelected={selected.has(item.id)}
            onToggle={() => setSelected(toggle(selected, item.id))}
            onDecide={(action) => decideOn(action, item)}
          />
        ))}
      </ul>
    </>
  );
}

/** Toggles `id` in a set: returns the set without it if it contains it, and with it otherwise. */
function toggle(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]);
}

interface ListItemProps {
  readonly item: QuarantinedItem;
  readonly state: State;
  readonly isSelected: boolean;
  onToggle(): void;
  onDecide(action: Action): void;
}

function ListItem({ item, state, isSelected, onToggle, onDecide }: ListItemProps) {
  const { source, rule, detail, quarantinedAt, settledBy, closesOn, market } = item;
  const actions = ACTIONS[state].filter((action) => action !== 'approve' || item.isApprovable);
  const name = nameOf(item);
  return (
    <Entry
      heading={<Subject item={item} />}
      facts={<Place item={item} />}
      picture={<EntryPicture item={item} />}
      control={
        <label class="check">
          <input type="checkbox" checked={isSelected} onChange={onToggle} />
          <span class="sr-only">Select {name}</span>
        </label>
      }
    >
      <p class="figures">
        <Change item={item} />
        {market !== null && (
          <span class="quiet">
            Served market price: <Money amount={market} />
          </span>
        )}
        <Sparkline item={item} />
      </p>
      <p>
        <bdi>{detail}</bdi>
        {state === 'quarantined' &&
          !item.isApprovable &&
          ' This price is impossible, so you can only reject it.'}
      </p>
      {state !== 'rejected' && (
        <p class="quiet">
          {settledBy} <Closing of="It" closesOn={closesOn} />
        </p>
      )}
      <p class="quiet">
        {source} · {rule} · quarantined <Age iso={quarantinedAt} />
      </p>
      <div class="entry-actions">
        {actions.map((action) => (
          <ActionButton key={action} action={action} of={name} onClick={() => onDecide(action)} />
        ))}
      </div>
    </Entry>
  );
}

/** The printing of the card that an item concerns, or the game. */
function Subject({ item }: { item: QuarantinedItem }) {
  const { cardId } = item;
  const name = <bdi>{nameOf(item)}</bdi>;
  return cardId === null ? name : <a href={cardHref(cardId)}>{name}</a>;
}

function nameOf({ cardName, cardId, printing, setName }: QuarantinedItem): string {
  const name = cardName ?? cardId ?? setName ?? 'Many prices';
  return printing === null ? name : `${name}, ${printing}`;
}

/** The set, the collector number and the game of an item. */
function Place({ item: { cardId, setName, pictured, game } }: { item: QuarantinedItem }) {
  const gameName = useGameNames();
  const set = [cardId === null ? null : setName, pictured?.number].filter(Boolean).join(' ');
  return (
    <>
      {set !== '' && (
        <>
          <bdi>{set}</bdi> ·{' '}
        </>
      )}
      {game === null ? 'all games' : gameName(game)}
    </>
  );
}
