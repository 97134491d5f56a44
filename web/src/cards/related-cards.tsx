import { Fragment, type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useLocalCall } from '../api/currency.ts';
import { cardHref, relatedApiPath, setHref } from '../api/links.ts';
import type { CardBody, CardSummaryBody, RelatedBody } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { Loading } from '../ui/status.tsx';
import { areAllOld, CardName, Change, ListedPrice, OldPrices } from './parts.tsx';
import { CardPicture } from './picture.tsx';
import { RowActions } from './row-actions.tsx';

/** Links to the cards before and after a card in its set. */
export function Neighbours({ related }: { related: RelatedBody | undefined }) {
  useArrowKeys(related);
  return (
    <nav class="neighbours" aria-label="Cards of the set">
      {related?.previous && <Neighbour card={related.previous} rel="prev" />}
      {related?.next && <Neighbour card={related.next} rel="next" />}
    </nav>
  );
}

function Neighbour({ card, rel }: { card: CardSummaryBody; rel: 'prev' | 'next' }) {
  const { id, name, number } = card;
  return (
    <a href={cardHref(id)} rel={rel}>
      <span aria-hidden="true">{rel === 'prev' ? '←' : '→'}</span>
      <span class="sr-only">{rel === 'prev' ? 'Previous' : 'Next'}: </span>
      <span class="neighbour">
        {number !== null && <bdi class="quiet">{number}</bdi>} <CardName name={name} />
      </span>
    </a>
  );
}

/**
 * Turns to the neighbors with the arrow keys while no control has the focus. In controls and with
 * other keys held, arrows have another meaning. Letters would interfere with speech input.
 */
function useArrowKeys(related: RelatedBody | undefined): void {
  const { route } = useLocation();
  // In a layout effect, the keys work as soon as the links exist.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const card = related && neighbourOf(event, related);
      if (card) route(cardHref(card.id));
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [related]);
}

function neighbourOf(event: KeyboardEvent, { previous, next }: RelatedBody) {
  const { key, target, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return undefined;
  if (!(target instanceof Element) || !target.matches('body, main, h1')) return undefined;
  if (document.documentElement.scrollWidth > window.innerWidth) return undefined;
  return { ArrowLeft: previous, ArrowRight: next }[key];
}

interface OtherCardsProps {
  readonly card: CardBody;
  /** The first of the other cards. */
  readonly related: RelatedBody;
}

/** The number of cards that are loaded at a time. */
const BATCH = 50;

/**
 * The other cards with the same name, in all sets and languages, with prices. The most alike come
 * first, then the most expensive.
 */
export function OtherCards({
  card: { id, game },
  related: { others, otherCount },
}: OtherCardsProps) {
  const [batches, setBatches] = useState<readonly number[]>([]);
  const listed = Math.min(otherCount, others.length + batches.length * BATCH);
  if (others.length === 0) return null;
  const isOld = areAllOld(others);
  const shown = { game, isOldSaid: isOld };
  return (
    <section aria-labelledby="others" class="panel">
      <h2 id="others">Cards with this name, in all sets and languages</h2>
      <p class="hint">Sorted by similarity, then by price.</p>
      {isOld && <OldPrices />}
      <ul class="others">
        <OtherRows cards={others} {...shown} />
        {batches.map((offset) => (
          <OtherBatch key={offset} id={id} offset={offset} {...shown} />
        ))}
      </ul>
      {listed < otherCount && (
        <button type="button" onClick={() => setBatches([...batches, listed])}>
          {otherCount - listed > BATCH
            ? `Show ${BATCH} more of ${formatCount(otherCount)}`
            : `Show all ${formatCount(otherCount)}`}
        </button>
      )}
    </section>
  );
}

interface ShownCards {
  /** The game of the card whose page this is. */
  readonly game: string;
  /** Whether the page already says that the prices are old. */
  readonly isOldSaid: boolean;
  /** Whether the page already names their set. */
  readonly isOfSet?: boolean;
}

interface OtherCardProps extends ShownCards {
  readonly card: CardSummaryBody;
}

/** More of the other cards. The first of them takes the focus, because the button may disappear. */
function OtherBatch({ id, offset, ...shown }: ShownCards & { id: string; offset: number }) {
  const { body, error } = useData<{ data: RelatedBody }>(
    useLocalCall(relatedApiPath(id, BATCH, offset)),
  );
  const first = useRef<HTMLLIElement>(null);
  useEffect(() => first.current?.querySelector('a')?.focus(), [body === undefined]);
  if (!body) {
    return (
      <li>
        <Loading error={error} />
      </li>
    );
  }
  return <OtherRows first={first} cards={body.data.others} {...shown} />;
}

interface OtherRowsProps extends ShownCards {
  readonly cards: readonly CardSummaryBody[];
  readonly first?: RefObject<HTMLLIElement | null>;
}

function OtherRows({ cards, first, ...shown }: OtherRowsProps) {
  return (
    <>
      {cards.map((card, index) => (
        <li key={card.id} {...(first && index === 0 && { ref: first })}>
          <OtherCard card={card} {...shown} />
          <RowActions card={card} />
        </li>
      ))}
    </>
  );
}

function OtherCard({ card, game: shownGame, isOldSaid, isOfSet = false }: OtherCardProps) {
  const gameName = useGameNames();
  const { id, name, game, set, setCode, number, rarity, printing, prices } = card;
  const change = prices.changes?.['7d'];
  const other = game === shownGame ? null : gameName(game);
  const facts = [isOfSet ? null : name, rarity, printing, other].filter((fact) => fact !== null);
  return (
    <a href={cardHref(id)}>
      <CardPicture card={card} size="thumb" />
      <span class="other">
        <CardName name={isOfSet ? name : set} /> <bdi class="quiet">{number ?? setCode}</bdi>
        <span class="quiet under">
          {facts.map((fact, index) => (
            <Fragment key={fact}>
              {index > 0 && ' · '}
              <CardName name={fact} />
            </Fragment>
          ))}
        </span>
      </span>
      <span class="amount">
        <span>
          <ListedPrice prices={prices} isOldSaid={isOldSaid} />
        </span>
        {change && <Change change={change} isShort />}
      </span>
    </a>
  );
}

interface MoreOfSetProps {
  readonly card: CardBody;
  readonly related: RelatedBody;
}

/** The cards next to a card in its set, with prices, and the link to all of them. */
export function MoreOfSet({
  card: { game, set, setId },
  related: { previous, next },
}: MoreOfSetProps) {
  const cards = [previous, next].filter((card) => card !== null);
  const isOld = areAllOld(cards);
  return (
    <section aria-labelledby="of-set" class="panel">
      <h2 id="of-set">
        More of <CardName name={set} />
      </h2>
      {isOld && <OldPrices />}
      <ul class="others">
        <OtherRows cards={cards} game={game} isOldSaid={isOld} isOfSet />
      </ul>
      <p>
        <a href={setHref(game, setId)}>All cards of this set</a>
      </p>
    </section>
  );
}
