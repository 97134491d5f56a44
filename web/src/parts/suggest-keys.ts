/** What the keys do to a list of suggestions below a text. */

export interface ListState {
  readonly isOpen: boolean;
  /** The suggestion that Enter would choose; -1 for none. */
  readonly active: number;
}

export const CLOSED: ListState = { isOpen: false, active: -1 };

/**
 * The list after a key was pressed while it shows `count` suggestions; undefined for keys that
 * mean nothing to it. After the last one comes the text itself, then the first.
 */
export function afterKey(key: string, state: ListState, count: number): ListState | undefined {
  const { isOpen, active } = state;
  if (key === 'Escape') return isOpen ? CLOSED : undefined;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  if (!isOpen || count === 0) return { isOpen: true, active: -1 };
  const places = count + 1;
  const step = key === 'ArrowDown' ? 1 : -1;
  return { isOpen, active: ((active + 1 + step + places) % places) - 1 };
}
