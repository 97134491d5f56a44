import { useSession } from '../account/session.tsx';
import { useData } from '../api/use-data.ts';
import { MoverList } from '../movers/mover-list.tsx';
import { moversHref, setMoversApiPath } from '../movers/movers-query.ts';
import type { MoversBody } from '../movers/responses.ts';
import { formatCount, formatDay, formatMoney } from '../ui/format.ts';
import { dashboardPath, setsHref } from './links.ts';
import type { SetDetailBody } from './responses.ts';
import { CardList } from './results/card-list.tsx';
import { parseSetQuery, setQueryHref } from './set-query.ts';
import { SetSymbol } from './set-symbol.tsx';

/** What is known of a set as a whole. */
export function SetFacts({ set }: { set: SetDetailBody }) {
  const { games } = useSession();
  const { game, code, releaseDate, cardCount, pricedCount, value } = set;
  const gameName = games.find(({ id }) => id === game)?.name ?? game;
  return (
    <>
      <p class="set-line">
        <SetSymbol game={game} code={code} />
        <a href={setsHref(game)}>{gameName}</a>
        {releaseDate !== null && (
          <span>
            Released <time dateTime={releaseDate}>{formatDay(releaseDate)}</time>
          </span>
        )}
      </p>
      <dl class="figures">
        <Figure label="Cards" value={formatCount(cardCount)} />
        <Figure label="With a price" value={formatCount(pricedCount)} />
        {value !== null && <Figure label="Value of one of each" value={formatMoney(value)} />}
      </dl>
      <Rarities set={set} />
    </>
  );
}

/** How many cards there are of each rarity, as links that leave only these in the checklist. */
function Rarities({ set: { game, setId, rarities } }: { set: SetDetailBody }) {
  if (rarities.length === 0) return null;
  const anyCards = parseSetQuery({});
  return (
    <ul class="rarities" aria-label="Rarities">
      {rarities.map(({ rarity, cardCount }) => (
        <li key={rarity}>
          <a href={`${setQueryHref(game, setId, { ...anyCards, rarity })}#checklist`}>
            <bdi>{rarity}</bdi> <span class="quiet">{formatCount(cardCount)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The most valuable cards of a set, and those whose price has moved most in a week. */
export function SetHighlights({ set }: { set: SetDetailBody }) {
  const { mostValuable } = set;
  return (
    <div class="highlights">
      {mostValuable.length > 0 && (
        <section aria-labelledby="most-valuable">
          <h2 id="most-valuable">Most valuable</h2>
          <CardList
            cards={mostValuable}
            columns={['number', 'change']}
            view="rows"
            label="Most valuable cards"
          />
        </section>
      )}
      <SetMovers set={set} />
    </div>
  );
}

function SetMovers({ set: { game, setId } }: { set: SetDetailBody }) {
  const { body } = useData<MoversBody>(dashboardPath(setMoversApiPath(setId)));
  // It has its place before it is loaded, so that nothing moves then.
  return (
    <section aria-labelledby="movers">
      <h2 id="movers">Moved in {body?.asOf ? `the week to ${formatDay(body.asOf)}` : '7 days'}</h2>
      {body && body.data.length > 0 && (
        <MoverList movers={body.data} label="Cards whose price has moved" hasSet={false} />
      )}
      {body?.data.length === 0 && <p>No price has surely moved.</p>}
      <p>
        <a href={moversHref({ game, set: setId })}>All movers of this set</a>
      </p>
    </section>
  );
}
