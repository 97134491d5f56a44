import { useSession } from '../account/session.tsx';
import { CardName } from './card-name.tsx';
import { setHref, setsHref } from './links.ts';
import type { CardBody } from './responses.ts';

/** The set, number, rarity and game of a card in one line, as far as they are known. */
export function CardFacts({ card }: { card: CardBody }) {
  const { games } = useSession();
  const { game, set, setId, setCode, number, rarity } = card;
  return (
    <ul class="card-facts">
      <li>
        <a href={setHref(game, setId)}>
          <CardName name={set} />
        </a>{' '}
        <bdi class="quiet">{setCode}</bdi>
      </li>
      {number !== null && (
        <li>
          <bdi>{number}</bdi>
        </li>
      )}
      {rarity !== null && (
        <li>
          <bdi>{rarity}</bdi>
        </li>
      )}
      <li>
        <a href={setsHref(game)}>{games.find(({ id }) => id === game)?.name ?? game}</a>
      </li>
    </ul>
  );
}

/** The ids of a card, for programs: its own and those that others have for it. */
export function CardIds({ card: { id, setId, externalIds = {} } }: { card: CardBody }) {
  return (
    <dl class="ids">
      <dt>Card</dt>
      <dd>{id}</dd>
      <dt>Set</dt>
      <dd>{setId}</dd>
      {Object.entries(externalIds).map(([idSpace, ids]) => (
        <>
          <dt>{idSpace}</dt>
          <dd>
            <bdi>{ids.join(', ')}</bdi>
          </dd>
        </>
      ))}
    </dl>
  );
}
