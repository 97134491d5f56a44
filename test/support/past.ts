import type { Millis } from '../../src/domain/day.ts';
import { NextPublication } from '../../src/ingest/run.ts';
import type { Store } from '../../src/store/connect.ts';
import { type PrintingDay, recordHistory } from '../../src/store/history/index.ts';

/** Records earlier days of printings and publishes them, like imports on those days. */
export async function publishPast(
  store: Store,
  days: readonly PrintingDay[],
  now: Millis,
): Promise<void> {
  const publication = await NextPublication.open(store);
  await store.db.transaction().execute(async (transaction) => {
    await publication.begin(transaction);
    await recordHistory(store, transaction, days, now);
  });
  await publication.finish(now);
}
