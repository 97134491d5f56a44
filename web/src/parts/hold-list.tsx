import { useState } from 'preact/hooks';
import { formatCount } from '../format.ts';
import type { Hold } from '../pages/quarantine.tsx';
import { useSession } from '../session.tsx';
import { cardAddress } from './card-paths.ts';
import { Age } from './time.tsx';

interface Props {
  readonly holds: readonly Hold[];
  onDecide(what: 'approve' | 'reject', ids: readonly number[]): Promise<void>;
}

/** What is held back, to choose from, and the two decisions. */
export function HoldList({ holds, onDecide }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [isBusy, setBusy] = useState(false);
  if (holds.length === 0) return null;
  // What has gone from the list in the meantime cannot be decided on any more.
  const ids = holds.map(({ id }) => id).filter((id) => chosen.has(id));
  const decide = async (what: 'approve' | 'reject') => {
    if (isBusy) return;
    setBusy(true);
    await onDecide(what, ids);
    setBusy(false);
    setChosen(new Set());
  };
  const toggle = (id: number) => setChosen(without(chosen, id) ?? new Set([...chosen, id]));
  const all = ids.length === holds.length;
  return (
    <>
      <div class="row decide">
        <label class="check">
          <input
            type="checkbox"
            checked={all}
            onChange={() => setChosen(new Set(all ? [] : holds.map(({ id }) => id)))}
          />
          All of these
        </label>
        <button
          type="button"
          aria-disabled={isBusy || ids.length === 0}
          onClick={() => ids.length > 0 && decide('approve')}
        >
          Let through {formatCount(ids.length)}
        </button>
        <button
          type="button"
          aria-disabled={isBusy || ids.length === 0}
          onClick={() => ids.length > 0 && decide('reject')}
        >
          Keep back {formatCount(ids.length)} for good
        </button>
      </div>
      <ul class="holds">
        {holds.map((hold) => (
          <HoldItem
            key={hold.id}
            hold={hold}
            isChosen={chosen.has(hold.id)}
            onToggle={() => toggle(hold.id)}
          />
        ))}
      </ul>
    </>
  );
}

/** The set without one of its ids, or undefined if it does not have it. */
function without(ids: ReadonlySet<number>, id: number): ReadonlySet<number> | undefined {
  return ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : undefined;
}

interface ItemProps {
  readonly hold: Hold;
  readonly isChosen: boolean;
  onToggle(): void;
}

function HoldItem({ hold, isChosen, onToggle }: ItemProps) {
  const { id, source, cardId, cardName, rule, detail, quarantinedAt, isApprovable } = hold;
  return (
    <li>
      <label class="check">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={onToggle}
          aria-describedby={`hold-${id}`}
        />
        <span class="unseen">Choose</span> <What hold={hold} />
      </label>
      <div id={`hold-${id}`}>
        <p>
          <strong>{rule}</strong>: {detail}
        </p>
        {!isApprovable && <p class="hint">No price can be this. It can only be kept back.</p>}
        <p class="quiet">
          {source}, <Age iso={quarantinedAt} />
          {cardId !== null && (
            <>
              {' · '}
              <a href={cardAddress(cardId)} aria-label={`see the card ${cardName ?? cardId}`}>
                see the card
              </a>
            </>
          )}
        </p>
      </div>
    </li>
  );
}

/** What it is about: a printing of a card, or a game as a whole. */
function What({ hold: { cardName, cardId, printing, game } }: { hold: Hold }) {
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
