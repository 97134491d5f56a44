import type { Millis } from '../domain/day.ts';
import type { Rates } from '../domain/rates.ts';
import { nextRowIds } from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import { printingsInOtherMoney, readRates, writeRates } from '../store/observations.ts';
import { mergeAnew, type PriceRun } from './pricing/pipeline.ts';
import { NextPublication } from './publication.ts';
import { DEFAULT_LIMITS, type ValidationLimits } from './validation/index.ts';

/** What the operator has set for imports of prices. */
export interface PriceSettings {
  /** What euros are worth. As at the last import unless told. */
  readonly rates?: Rates;
  /** By what prices are held back; null lets everything through. */
  readonly limits?: ValidationLimits | null;
}

/**
 * What an import of prices works with. When the rates of exchange have changed, what was merged by
 * the old ones is merged anew first.
 */
export async function openQuoteRun(
  store: Store,
  startedAt: Millis,
  settings: PriceSettings,
): Promise<PriceRun> {
  const { db } = store;
  const before = await readRates(db);
  const rates = settings.rates ?? before;
  const publication = await NextPublication.open(store);
  const { limits = DEFAULT_LIMITS } = settings;
  const run = { store, startedAt, next: await nextRowIds(db), publication, rates, limits };
  if (JSON.stringify(rates) === JSON.stringify(before)) return run;
  for await (const printings of printingsInOtherMoney(db)) {
    await db.transaction().execute((transaction) => mergeAnew(run, transaction, printings));
  }
  await writeRates(db, rates);
  return run;
}
