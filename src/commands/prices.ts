import type { Config } from '../config/settings.ts';
import type { PriceSettings } from '../ingest/import.ts';

/** What the operator has set for every import of prices. */
export function priceSettings({ rates, jumpFactor, lossShare }: Config): PriceSettings {
  return { rates, limits: { jumpFactor, lossShare } };
}

/** How an import tells what it held back, by reason, and where to decide on it. */
export function heldBackLines(heldBack: Readonly<Record<string, number>>): string[] {
  const counts = Object.entries(heldBack).sort(([, a], [, b]) => b - a);
  if (counts.length === 0) return [];
  return [
    ...counts.map(([reason, count]) => `Held back ${count} × ${reason}`),
    'See what is held back, and decide on it: cardprice quarantine list',
  ];
}
