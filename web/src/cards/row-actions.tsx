import './actions.css';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CardSummaryBody } from '../api/responses.ts';
import { whenLeft } from '../ui/hooks.ts';
import { CardActions } from './card-actions.tsx';

/** The button of a card in a list, which opens its actions. */
export function RowActions({ card }: { card: CardSummaryBody }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    // The control with the focus disappears.
    if (area.current?.contains(document.activeElement)) button.current?.focus();
    setOpen(false);
  };
  useEffect(() => (isOpen ? whenLeft(area.current, close) : undefined), [isOpen]);
  const { name, set, number } = card;
  return (
    <div class="row-actions" ref={area}>
      <button
        type="button"
        ref={button}
        aria-label={`Actions: ${[name, set, number].filter(Boolean).join(', ')}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div id={id} class="row-menu" hidden={!isOpen}>
        {isOpen && <CardActions card={card} />}
      </div>
    </div>
  );
}
