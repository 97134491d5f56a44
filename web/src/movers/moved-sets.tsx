import { setHref } from '../api/links.ts';
import type { MovedSet } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { CardName, Change } from '../cards/parts.tsx';
import { Spine } from '../cards/picture.tsx';
import { type MoversQuery, movedSetsPath } from './movers-query.ts';

/** The sets with the largest changes of their total price; nothing if there are none. */
export function MovedSets({ query }: { query: MoversQuery }) {
  const { body } = useData<{ data: readonly MovedSet[] }>(movedSetsPath(query));
  if (!body || body.data.length === 0) return null;
  return (
    <section aria-labelledby="moved-sets">
      <h2 id="moved-sets">Sets that moved</h2>
      <ul class="moved-sets">
        {body.data.map((set) => (
          <li key={set.setId}>
            <a href={setHref(set.game, set.setId)}>
              <Spine game={set.game} code={set.code} words={set.code} />
              <span class="name">
                <CardName name={set.name} />
              </span>
              <Change change={set} />
            </a>
          </li>
        ))}
      </ul>
      <p class="hint">The value of one of each printing that has a reliable price on both days.</p>
    </section>
  );
}
