import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useData } from '../data.ts';
import { formatCount, formatDay } from '../format.ts';
import { withQuery } from '../query.ts';
import type { CardSet, PageOf } from './card-bodies.ts';
import { own, setsAddress, setsCall } from './card-paths.ts';
import { useKeptPlace } from './card-place.ts';
import { Refusal } from './card-refusal.tsx';
import { pricedText, setsNamed } from './card-set-list.ts';
import { callSet, searchAddress } from './filters-address.ts';
import { useTypedText } from './suggest-text.ts';
import { TryIt } from './try-it.tsx';
import { Waiting } from './waiting.tsx';

/** What the API gives at once. */
const AT_ONCE = 200;

/** Rows that are shown until the reader wants more. */
const STEP = 100;

/** The sets of a game, newest first, with a box to find one by name. */
export function SetsOfGame({ game }: { game: string }) {
  const { route } = useLocation();
  const { query } = useRoute();
  const addressOf = (q: string) => withQuery(setsAddress(game), { q });
  const typed = useTypedText(query.q ?? '', (q) => route(addressOf(q), true));
  const { sets, total, error } = useSets(game);
  const [most, setMost] = useState(STEP);
  useKeptPlace(addressOf(typed.text), sets.length > 0);
  const id = useId();
  if (total === undefined) return <Waiting error={error} />;
  const found = setsNamed(sets, typed.text);
  const type = (text: string) => {
    setMost(STEP);
    typed.type(text);
  };
  return (
    <>
      <div class="find">
        <label for={id}>Name or code</label>
        <input
          id={id}
          type="search"
          autocomplete="off"
          value={typed.text}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onBlur={typed.settle}
        />
      </div>
      <Refusal error={error} />
      <p role="status" class="count">
        {found.length === 1 ? '1 set' : `${formatCount(found.length)} sets`}
        {sets.length < total && ' so far…'}
      </p>
      {found.length > 0 && <SetTable sets={found.slice(0, most)} all={sets} />}
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + STEP)}>
          Show {formatCount(Math.min(STEP, found.length - most))} more
        </button>
      )}
      <TryIt path={setsCall(game, AT_ONCE, 0)} />
    </>
  );
}

/** All sets of a game, as far as they have been loaded. */
function useSets(game: string) {
  const [{ sets, total }, setKnown] = useState<{ sets: readonly CardSet[]; total?: number }>({
    sets: [],
  });
  const isWhole = total !== undefined && sets.length >= total;
  const path = isWhole ? null : own(setsCall(game, AT_ONCE, sets.length));
  const { body, error } = useData<PageOf<CardSet>>(path);
  useEffect(() => {
    if (!body) return;
    // What a shorter list than announced lacks will not come.
    const isEnd = body.data.length === 0;
    setKnown((known) => {
      const all = [...known.sets, ...body.data];
      return { sets: all, total: isEnd ? all.length : body.total };
    });
  }, [body]);
  return { sets, total, error };
}

function SetTable({ sets, all }: { sets: readonly CardSet[]; all: readonly CardSet[] }) {
  return (
    <table class="cards sets">
      <caption class="unseen">Sets, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Set</th>
          <th scope="col">Code</th>
          <th scope="col">Released</th>
          <th scope="col" class="number">
            Cards
          </th>
          <th scope="col" class="number">
            Priced
          </th>
        </tr>
      </thead>
      <tbody>
        {sets.map((set) => (
          <SetRow key={`${set.code} ${set.name}`} set={set} name={callSet(set, all)} />
        ))}
      </tbody>
    </table>
  );
}

/** `name` is what to call it in an address. */
function SetRow({ set, name }: { set: CardSet; name: string }) {
  const { game, code, releaseDate, cardCount } = set;
  return (
    <tr>
      <th scope="row">
        <a class="short" href={searchAddress({ game, set: name, sort: 'number' })}>
          <bdi>{set.name}</bdi>
        </a>
      </th>
      <td>
        <bdi class="short">{code}</bdi>
      </td>
      <td>
        {releaseDate === null ? <span class="quiet">not known</span> : formatDay(releaseDate)}
      </td>
      <td class="number" data-label="Cards">
        {formatCount(cardCount)}
      </td>
      <td class="number" data-label="Priced">
        {pricedText(set)}
      </td>
    </tr>
  );
}
