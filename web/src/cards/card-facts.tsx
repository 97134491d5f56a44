import { useState } from 'preact/hooks';
import { useSession } from '../account/session.tsx';
import { picturePath, setsHref } from './links.ts';
import type { CardBody } from './responses.ts';
import { searchHref } from './search-query.ts';

interface PictureProps {
  readonly id: string;
  readonly name: string;
  /** Whether any source has a picture. */
  readonly isKnown: boolean;
}

/** The picture of a card in a box of a fixed size, or a text where there is none. */
export function Picture({ id, name, isKnown }: PictureProps) {
  const { pictures } = useSession();
  const [hasFailed, setFailed] = useState(false);
  return (
    <div class="picture">
      {pictures && isKnown && !hasFailed ? (
        <img
          src={picturePath(id)}
          alt={name}
          width={240}
          height={336}
          decoding="async"
          onError={() => setFailed(true)}
        />
      ) : (
        <p class="quiet">No picture</p>
      )}
    </div>
  );
}

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
