import { fileURLToPath } from 'node:url';
import type { Millis } from '../domain/day.ts';
import { type BackfillSummary, importBackfill } from '../ingest/drivers/backfill.ts';
import { importSnapshot } from '../ingest/drivers/snapshot.ts';
import { openQuotes } from '../sources/quotes/read.ts';
import { openStarter } from '../sources/starter.ts';
import { lastImportedSource } from '../store/catalogue/imports.ts';
import type { Store } from '../store/connect.ts';

/** The results of an import of the starter catalogue. */
export interface StarterSummary {
  readonly cards: number;
  readonly sets: number;
  /** When its newest market prices were observed. */
  readonly observedAt: Millis;
  readonly seconds: number;
}

/**
 * Imports the cards of a starter catalogue with their market prices.
 * @throws OperatorError if the folder has none, or a line is not of the format.
 */
export async function importStarter(
  store: Store,
  folder: URL,
  clock: () => Millis,
): Promise<StarterSummary> {
  const snapshot = await openStarter(folder);
  const { cards, setsAdded: sets, seconds } = await importSnapshot(store, snapshot, { clock });
  return { cards, sets, observedAt: snapshot.observedAt, seconds };
}

/**
 * Imports the prices by condition and grade of a starter catalogue, right after its cards: never
 * into a database that has had another import. They take as long as the cards, so a start imports
 * them while it answers requests.
 *
 * @throws OperatorError if the folder has none, or a row is not of the format.
 */
export async function importStarterQuotes(
  store: Store,
  folder: URL,
  clock: () => Millis,
): Promise<BackfillSummary | undefined> {
  if ((await lastImportedSource(store.db)) !== 'starter') return undefined;
  const file = fileURLToPath(new URL('quotes.csv', folder));
  const quotes = await openQuotes(file, {
    format: 'csv',
    renamed: new Map(),
    marketplace: 'starter',
    now: clock(),
  });
  return importBackfill(store, quotes, { clock });
}
