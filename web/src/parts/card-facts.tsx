import { useSession } from '../session.tsx';
import type { Detail } from './card-bodies.ts';
import { setsAddress } from './card-paths.ts';
import { callSet, searchAddress } from './filters-address.ts';

/** What a card is: game, set, number, rarity; what no source tells is left out. */
export function Facts({ card: { game, set, setCode, number, rarity } }: { card: Detail }) {
  const { games } = useSession();
  const calledSet = callSet({ code: setCode, name: set }, []);
  const gameName = games.find(({ id }) => id === game)?.name ?? game;
  return (
    <dl class="facts">
      <dt>Game</dt>
      <dd>
        <a href={setsAddress(game)}>{gameName}</a>
      </dd>
      <dt>Set</dt>
      <dd>
        <a href={searchAddress({ game, set: calledSet, sort: 'number' })}>
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
