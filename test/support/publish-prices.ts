import type { ServedPrices } from '../../src/domain/card.ts';
import type { Millis } from '../../src/domain/day.ts';
import { NextPublication } from '../../src/ingest/run.ts';
import { printingsById, upsertPrintings } from '../../src/store/catalogue/catalogue.ts';
import type { Store } from '../../src/store/connect.ts';

export type Prices = Pick<
  ServedPrices,
  'market' | 'low' | 'mid' | 'high' | 'conditions' | 'graded'
>;

/** Publishes prices of the first printings, in the order of their row ids. */
export async function publishPrices(
  store: Store,
  all: readonly Partial<Prices>[],
  now: Millis,
): Promise<void> {
  const publication = await NextPublication.open(store);
  await store.db.transaction().execute(async (transaction) => {
    await publication.begin(transaction);
    const { revision } = publication;
    const known = await printingsById(
      transaction,
      [...all.keys()].map((index) => index + 1),
    );
    const changed = known.map((printing) => {
      const prices = { ...printing.prices, ...all[printing.rowId - 1] };
      return { ...printing, prices, revision };
    });
    await upsertPrintings(store, transaction, changed);
  });
  await publication.finish(now);
}
