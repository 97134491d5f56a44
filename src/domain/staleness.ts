import type { Millis } from './day.ts';

/** How old prices may be: `all` applies to sources without a separate limit. */
export interface AgeLimits {
  readonly all: Millis;
  readonly bySource: Readonly<Record<string, Millis>>;
}

/** The age from which prices of a source are stale; null if they never are. */
export function staleLimit(
  { sync, staleAfter }: { sync: readonly string[]; staleAfter: AgeLimits },
  source: string,
): Millis | null {
  return staleAfter.bySource[source] ?? (sync.includes(source) ? staleAfter.all : null);
}
