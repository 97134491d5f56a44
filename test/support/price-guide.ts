import type { Service } from './app.ts';
import { charizard, feedItem, importItems, OBSERVED } from './feed-items.ts';

const DAY = 86_400_000;

/** A price guide's data for Charizard some days after {@link OBSERVED}. */
export interface PriceGuide {
  readonly days: number;
  /** In dollars. */
  readonly graded: Readonly<Record<string, number>>;
  /** In cents. */
  readonly conditions?: Readonly<Record<string, number>>;
}

/** Imports a price guide, which the service then serves. */
export async function importPriceGuide(
  { store, catalog }: Pick<Service, 'store' | 'catalog'>,
  { days, graded, conditions }: PriceGuide,
): Promise<void> {
  const cents = Object.entries(graded).map(([name, dollars]) => [name, dollars * 100] as const);
  const observation = {
    market: 'pricecharting',
    observedAt: OBSERVED + days * DAY,
    prices: { market: 44_000 },
    ...(conditions && { conditions }),
    graded: Object.fromEntries(cents),
  };
  await importItems(store, 'pricecharting', [feedItem(charizard(), observation)]);
  await catalog.refresh();
}
