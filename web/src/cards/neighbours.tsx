import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { CardName } from './card-name.tsx';
import { cardHref } from './links.ts';
import type { CardSummaryBody, RelatedBody } from './responses.ts';

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
 * Turns to the neighbours with the arrow keys while no control has the focus: in controls, and with
 * other keys held, arrows have a meaning of their own. Letters would get in the way of speech input.
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
