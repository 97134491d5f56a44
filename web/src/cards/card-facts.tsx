import { useSession } from '../account/session.tsx';
import { setsHref } from './links.ts';
import type { CardBody } from './responses.ts';
import { searchHref } from './search-query.ts';

/** The game, set, number and rarity of a card, as far as they are known. */
export function CardFacts({ card }: { card: CardBody }) {
  const { games } = useSession();
  const { game, set, setId, setCode, number, rarity } = card;
  const gameName = games.find(({ id }) => id === game)?.name ?? game;
  return (
    <dl class="facts">
      <dt>Game</dt>
      <dd>
        <a href={setsHref(game)}>{gameName}</a>
      </dd>
      <dt>Set</dt>
      <dd>
        <a href={searchHref({ game, set: setId, sort: 'number' })}>
          <bdi>{set}</bdi>
        </a>{' '}
        <span class="quiet">
          <bdi>{setCode}</bdi>
        </span>
      </dd>
      <Fact label="Number" value={number} />
      <Fact label="Rarity" value={rarity} />
    </dl>
  );
}

function Fact({ label, value }: { label: string; value: string | null }) {
  if (value === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </>
  );
}
