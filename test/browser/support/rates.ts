import { dayOf, startOfDay } from '../../../src/domain/day.ts';
import { importRates } from '../../../src/ingest/drivers/rates.ts';
import type { Dashboard } from './dashboard.ts';

/** Publishes a rate of today, so that pages have prices in euros. */
export async function publishEuro(dashboard: Dashboard, dollarsPerUnit: number): Promise<void> {
  const day = dayOf(Date.now());
  const rates = [{ currency: 'EUR', day, dollarsPerUnit, source: 'ecb' }] as const;
  const observedAt = startOfDay(day);
  await importRates(dashboard.store, { source: 'ecb', observedAt, rates }, { clock: Date.now });
  await dashboard.showsNewest();
}
