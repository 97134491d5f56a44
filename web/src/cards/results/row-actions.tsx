import type { ComponentProps } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { whenLeft } from '../../ui/when-left.ts';
import type { CardSummaryBody } from '../responses.ts';
import './row-actions.css';

/** The button of a card in a list, which opens what can be done with the card. */
export function RowActions({ card }: { card: CardSummaryBody }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    // The control that has the focus goes away.
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
        {isOpen && <Menu card={card} />}
      </div>
    </div>
  );
}

type Actions = typeof import('../card-actions.tsx').CardActions;

/** What can be done with a card. Its code is loaded with the first menu, as few readers open one. */
function Menu(props: ComponentProps<Actions>) {
  const [loaded, setLoaded] = useState<{ readonly Actions: Actions }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    import('../card-actions.tsx').then(
      ({ CardActions }) => setLoaded({ Actions: CardActions }),
      () => setFailed(true),
    );
  }, []);
  if (hasFailed) return <p role="status">The actions could not be loaded. Reload the page.</p>;
  return loaded ? <loaded.Actions {...props} /> : <p class="quiet">Loading…</p>;
}
