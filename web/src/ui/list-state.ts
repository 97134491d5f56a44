/** The list of suggestions below a text box, and how keys change it. */

export interface ListState {
  readonly isOpen: boolean;
  /** The index of the suggestion that Enter selects; -1 for none. */
  readonly active: number;
}

export const CLOSED: ListState = { isOpen: false, active: -1 };

/**
 * Returns the state of a list of `count` suggestions after a key press; undefined for keys that do
 * not change it. The arrow keys wrap around: the last suggestion is followed by none, then by the
 * first.
 */
export function nextListState(key: string, state: ListState, count: number): ListState | undefined {
  const { isOpen, active } = state;
  if (key === 'Escape') return isOpen ? CLOSED : undefined;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  if (!isOpen || count === 0) return { isOpen: true, active: -1 };
  const stops = count + 1;
  const step = key === 'ArrowDown' ? 1 : -1;
  return { isOpen, active: ((active + 1 + step + stops) % stops) - 1 };
}
