import { type NamedPrinting, namedPrintings } from '../store/catalogue/series.ts';
import type { Store } from '../store/connect.ts';

/** Returns the cards and names of printings, without printings that no longer exist. */
export async function namesOf(
  store: Store,
  printings: Iterable<number>,
): Promise<Map<number, NamedPrinting>> {
  const names = new Map<number, NamedPrinting>();
  for (const id of new Set(printings)) {
    for await (const [named] of namedPrintings(store.db, { id })) if (named) names.set(id, named);
  }
  return names;
}
