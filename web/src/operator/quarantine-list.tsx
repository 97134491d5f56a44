import type { TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { formatSpan } from '../../../src/domain/quarantined.ts';
import { cardHref } from '../api/links.ts';
import type { MarketTrail, QuarantinedItem } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { CardPicture } from '../cards/picture.tsx';
import { linearScale, linePath, type Point } from '../charts/geometry.ts';
import { formatCount, formatDate, formatMoney } from '../ui/format.ts';
import { useAction } from '../ui/hooks.ts';
import { Money } from '../ui/parts.tsx';
import { Age } from '../ui/time.tsx';
import { ACTION_NAMES, type Action } from './decisions.ts';

interface ListProps {
  readonly items: readonly QuarantinedItem[];
  /** Actions with them. */
  readonly actions: readonly Action[];
  /** Resolves once the decision is made. */
  onDecide(action: Action, ids: readonly number[]): Promise<void>;
}

/** The quarantined items, which can be selected, with a button for each decision. */
export function QuarantineList({ items, actions, onDecide }: ListProps) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const { isBusy, run } = useAction();
  if (items.length === 0) return null;
  // Selected items that have left the list are not decided.
  const ids = items.map(({ id }) => id).filter((id) => selected.has(id));
  const decide = (action: Action) =>
    run(async () => {
      if (ids.length === 0) return;
      await onDecide(action, ids);
      setSelected(new Set());
    });
  /** Works only while an entry has the focus: letters would interfere with speech input elsewhere. */
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLUListElement>) => {
    const entry = entryOf(event);
    const action = actions.find((name) => KEYS[name] === event.key.toLowerCase());
    const item = items.find(({ id }) => String(id) === entry?.getAttribute('data-id'));
    if (!entry || !item || !(action || event.key.toLowerCase() === NEXT_KEY)) return;
    if (action === 'approve' && !item.isApprovable) return;
    event.preventDefault();
    entry.nextElementSibling?.querySelector('input')?.focus();
    if (action) run(() => onDecide(action, [item.id]));
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
      {actions.includes('approve') && (
        <p class="hint">
          On an entry, the keys A and R approve or reject it, and N goes to the next one.
        </p>
      )}
      <ul class="quarantine" onKeyDown={onKeyDown}>
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

/** The keys of decisions, and the one that goes to the next entry. */
const KEYS: Readonly<Partial<Record<Action, string>>> = { approve: 'a', reject: 'r' };
const NEXT_KEY = 'n';

/** Returns the entry whose checkbox has the focus, unless other keys are held. */
function entryOf(event: TargetedKeyboardEvent<HTMLUListElement>): HTMLElement | undefined {
  const { target, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLInputElement)) {
    return undefined;
  }
  return target.closest('li') ?? undefined;
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
  const { settledBy, closesOn } = item;
  return (
    <li data-id={id}>
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
        <Card item={item} />
        <Sparkline item={item} />
        <p class="quiet">
          {settledBy}
          {closesOn !== null && ` It closes by itself on ${formatDate(closesOn, 'UTC')}.`}
        </p>
        {isUndecided && !isApprovable && (
          <p class="hint">This is not a possible price. You can only reject it.</p>
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

/** The picture of the card, and the market price that is served. */
function Card({ item }: { item: QuarantinedItem }) {
  const { cardId: id, cardName, game, setName: set, pictured, market } = item;
  if (id === null || game === null || pictured === null) return null;
  const { image, number, rarity, setCode } = pictured;
  const facts = { id, name: cardName ?? id, game, set: set ?? '', setCode: setCode ?? '' };
  return (
    <p class="row">
      <CardPicture card={{ ...facts, number, rarity, image }} size="thumb" />
      <span>
        Served market price: <Money amount={market} />
      </span>
    </p>
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

/** The subject of an item: a printing of a card, or a whole game. */
function Subject({ item: { cardName, cardId, printing, game } }: { item: QuarantinedItem }) {
  const gameName = useGameNames();
  const shownGame = game === null ? 'all games' : gameName(game);
  const name = cardName ?? cardId;
  return (
    <span class="clamped">
      <bdi>{name ?? shownGame}</bdi>
      {printing !== null && `, ${printing}`}
      {name !== null && <span class="quiet"> {shownGame}</span>}
    </span>
  );
}

const WIDTH = 120;
const HEIGHT = 32;
/** Room for the dots at the ends. */
const MARGIN = 4;

const DAY_MS = 86_400_000;

/**
 * The last known market prices of a printing, with the quarantined price as a dot at the end. A
 * text next to it describes the line.
 */
export function Sparkline({ item }: { item: QuarantinedItem }) {
  const { history } = item;
  const known = history ? pointsOf(history) : [];
  if (known.length === 0) return null;
  const held = heldPoint(item);
  return (
    <span class="sparkline">
      {known.length + (held ? 1 : 0) > 1 && <Drawing known={known} held={held} />}
      <span class="quiet">{describe(known)}</span>
    </span>
  );
}

interface DrawingProps {
  readonly known: readonly Point[];
  readonly held: Point | undefined;
}

function Drawing({ known, held }: DrawingProps) {
  const place = placer(held ? [...known, held] : known);
  const places = known.map(place);
  const last = places.at(-1);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path class="trail" d={linePath(places)} />
      {last && held && <path class="step" d={linePath([last, place(held)])} />}
      {last && <circle class="known" cx={last[0]} cy={last[1]} r="2.5" />}
      {held && <circle class="held" cx={place(held)[0]} cy={place(held)[1]} r="2.5" />}
    </svg>
  );
}

function pointsOf({ from, market }: MarketTrail): Point[] {
  const first = Date.parse(from) / DAY_MS;
  return market.flatMap((amount, index): Point[] => {
    return amount === null ? [] : [[first + index, amount]];
  });
}

/** Returns the quarantined price if it is a market price in dollars, like the history. */
function heldPoint({ amount, value, currency, observedOn }: QuarantinedItem): Point | undefined {
  if (amount !== 'market' || value === null || currency !== 'USD' || observedOn === null) {
    return undefined;
  }
  return [Date.parse(observedOn) / DAY_MS, value];
}

/** Returns what places a day and its amount, so that all of `points` have room. */
function placer(points: readonly Point[]): (point: Point) => Point {
  const [days, amounts] = [points.map(([day]) => day), points.map(([, amount]) => amount)];
  const x = linearScale([Math.min(...days), Math.max(...days)], [MARGIN, WIDTH - MARGIN]);
  const y = linearScale([Math.min(...amounts), Math.max(...amounts)], [HEIGHT - MARGIN, MARGIN]);
  return ([day, amount]) => [x(day), y(amount)];
}

/** Describes what a line shows: `90 days: $8.00 to $12.00`. */
function describe(points: readonly Point[]): string {
  const amounts = points.map(([, amount]) => amount);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)].map((amount) =>
    formatMoney(amount),
  );
  const days = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0) + 1;
  const span = days === 1 ? '1 day' : `${days} days`;
  return least === most ? `${span} at ${least}` : `${span}: ${least} to ${most}`;
}
