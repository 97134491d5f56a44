import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { cardHref } from '../api/links.ts';
import type { CardSummaryBody, RelatedBody } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { RowActions } from './card-list.tsx';
import { areAllOld, CardName, Change, ListedPrice, OldPrices } from './parts.tsx';
import { CardPicture } from './picture.tsx';

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
  // In a layout effect the keys work as soon as the links are there.
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
  readonly related: RelatedBody;
  /** The game of the card on whose page this is. */
  readonly game: string;
  /** Called when the reader asks for all cards. */
  onShowAll(): void;
}

/** The most cards that are listed, even if more have the name. */
export const MAX_OTHERS = 50;

/** The other cards with the same name, in all sets and languages, with prices. */
export function OtherCards({ related: { others, otherCount }, game, onShowAll }: OtherCardsProps) {
  if (others.length === 0) return null;
  const all = Math.min(otherCount, MAX_OTHERS);
  const isOld = areAllOld(others);
  return (
    <section aria-labelledby="others" class="panel">
      <h2 id="others">Cards with this name, in all sets and languages</h2>
      {isOld && <OldPrices />}
      <ul class="others">
        {others.map((card) => (
          <li key={card.id}>
            <OtherCard card={card} isOtherGame={card.game !== game} isOldSaid={isOld} />
            <RowActions card={card} />
          </li>
        ))}
      </ul>
      {others.length < all && (
        <button type="button" onClick={onShowAll}>
          {all < otherCount ? `Show the newest ${all} of ${otherCount}` : `Show all ${all}`}
        </button>
      )}
    </section>
  );
}

interface OtherCardProps {
  readonly card: CardSummaryBody;
  readonly isOtherGame: boolean;
  /** Whether the page already says that the prices are old. */
  readonly isOldSaid: boolean;
}

function OtherCard({ card, isOtherGame, isOldSaid }: OtherCardProps) {
  const gameName = useGameNames();
  const { id, name, game, set, setCode, number, printing, prices } = card;
  const change = prices.changes?.['7d'];
  return (
    <a href={cardHref(id)}>
      <CardPicture card={card} size="thumb" />
      <span class="other">
        <CardName name={set} /> <bdi class="quiet">{number ?? setCode}</bdi>
        <span class="quiet under">
          <CardName name={name} />
          {printing !== null && (
            <>
              {' · '}
              <bdi>{printing}</bdi>
            </>
          )}
          {isOtherGame && ` · ${gameName(game)}`}
        </span>
      </span>
      <span class="amount">
        <span>
          <ListedPrice prices={prices} isOldSaid={isOldSaid} />
        </span>
        {change && <Change change={change} currency={prices.currency} />}
      </span>
    </a>
  );
}
