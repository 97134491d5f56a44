import { Catalog } from '../catalog/catalog.ts';
import type { Conversion } from '../domain/conversion.ts';
import { formatDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { LocalPrices } from '../domain/local-prices.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { printErrorLine } from './output.ts';

/**
 * Loads the published catalogue of a database.
 *
 * @throws OperatorError if the database has no cards.
 */
export async function loadCatalog(context: CommandContext, store: Store): Promise<Catalog> {
  const { rates } = context.config();
  const catalog = new Catalog(store, { rates });
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
  return context.withStore(async (store) => work(await loadCatalog(context, store)));
}

/** Prints how the prices of a command are converted. Throws if they cannot be. */
export function noteConversion(local: LocalPrices | undefined): void {
  if (!local || local.compared === 'USD') return;
  const conversion = local.conversionFrom('USD');
  printErrorLine(typeof conversion === 'string' ? conversion : noteOf(conversion));
}

function noteOf({ to, rate, day }: Conversion): string {
  return `Prices that no source has in ${to} are converted from USD at ${rate} of ${formatDay(day)}.`;
}
