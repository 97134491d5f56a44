import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

interface FiltersProps {
  /** How many filters are set. */
  readonly count: number;
  readonly children: ComponentChildren;
}

/** The filters of a list. On a phone a button opens them. */
export function Filters({ count, children }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        class="filters-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </button>
      <fieldset id={id} class={isOpen ? 'filters open' : 'filters'}>
        <legend class="sr-only">Narrow down</legend>
        {children}
      </fieldset>
    </>
  );
}
