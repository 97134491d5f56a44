import { Catalog } from '../catalog/catalog.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';

/**
 * Loads the published catalogue of a database.
 *
 * @throws OperatorError if the database has no cards.
 */
export async function loadCatalog(store: Store): Promise<Catalog> {
  const catalog = new Catalog(store);
  await catalog.refresh();
  if (catalog.ready) return catalog;
  throw new OperatorError(
    'The database has no cards. Import some first, for example with `cardprice sync`.',
  );
}

/** Opens the configured database, and runs `work` with its catalogue. */
export function withCatalog<Result>(
  context: CommandContext,
  work: (catalog: Catalog) => Promise<Result>,
): Promise<Result> {
  return context.withStore(async (store) => work(await loadCatalog(store)));
}
