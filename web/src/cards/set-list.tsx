import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { TryIt } from '../account/try-it.tsx';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { formatCount, formatDay } from '../ui/format.ts';
import { Loading, PermanentError } from '../ui/status.tsx';
import { dashboardPath, setsApiPath, setsHref } from './links.ts';
import type { PageBody, SetBody } from './responses.ts';
import { searchHref } from './search-query.ts';
import { filterSets, formatPricedCount } from './sets.ts';
import { useScrollRestoration } from './use-scroll-restoration.ts';
import { useTypedText } from './use-typed-text.ts';

/** Sets that are fetched at once: the most that the API returns. */
const BATCH_SIZE = 200;

/** Rows that are shown at first, and added each time the reader asks for more. */
const ROWS_PER_STEP = 100;

/** The sets of a game, newest first, with a box that filters them. */
export function SetList({ game }: { game: string }) {
  const { route } = useLocation();
  const { query } = useRoute();
  const hrefOf = (q: string) => withQuery(setsHref(game), { q });
  const typed = useTypedText(query.q ?? '', (q) => route(hrefOf(q), true));
  const { sets, total, error } = useSets(game);
  const [maxRows, setMaxRows] = useState(ROWS_PER_STEP);
  useScrollRestoration(hrefOf(typed.text), sets.length > 0);
  const id = useId();
  if (total === undefined) return <Loading error={error} />;
  const found = filterSets(sets, typed.text);
  const type = (text: string) => {
    setMaxRows(ROWS_PER_STEP);
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
          onBlur={typed.flush}
        />
      </div>
      <PermanentError error={error} />
      <p role="status" class="count">
        {found.length === 1 ? '1 set' : `${formatCount(found.length)} sets`}
        {sets.length < total && ' so far…'}
      </p>
      {found.length > 0 && <SetTable sets={found.slice(0, maxRows)} />}
      {found.length > maxRows && (
        <button type="button" onClick={() => setMaxRows(maxRows + ROWS_PER_STEP)}>
          Show {formatCount(Math.min(ROWS_PER_STEP, found.length - maxRows))} more
        </button>
      )}
      <TryIt path={setsApiPath(game, BATCH_SIZE, 0)} />
    </>
  );
}

/** Fetches all sets of a game, batch by batch, and returns those that are loaded. */
function useSets(game: string) {
  const [{ sets, total }, setLoaded] = useState<{ sets: readonly SetBody[]; total?: number }>({
    sets: [],
  });
  const isComplete = total !== undefined && sets.length >= total;
  const path = isComplete ? null : dashboardPath(setsApiPath(game, BATCH_SIZE, sets.length));
  const { body, error } = useData<PageBody<SetBody>>(path);
  useEffect(() => {
    if (!body) return;
    // An empty batch ends the list even if there are fewer sets than the total.
    const isEnd = body.data.length === 0;
    setLoaded((loaded) => {
      const all = [...loaded.sets, ...body.data];
      return { sets: all, total: isEnd ? all.length : body.total };
    });
  }, [body]);
  return { sets, total, error };
}

function SetTable({ sets }: { sets: readonly SetBody[] }) {
  return (
    <table class="cards sets">
      <caption class="sr-only">Sets, newest first</caption>
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
          <SetRow key={set.setId} set={set} />
        ))}
      </tbody>
    </table>
  );
}

function SetRow({ set }: { set: SetBody }) {
  const { setId, game, code, releaseDate, cardCount } = set;
  return (
    <tr>
      <th scope="row">
        <a class="short" href={searchHref({ game, set: setId, sort: 'number' })}>
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
        {formatPricedCount(set)}
      </td>
    </tr>
  );
}
