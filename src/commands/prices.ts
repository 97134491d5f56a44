import type { Config } from '../config/config.ts';
import type { PriceSettings } from '../ingest/import.ts';

/** What the operator has set for every import of prices. */
export function priceSettings({ rates, jumpFactor, lossShare }: Config): PriceSettings {
  return { rates, limits: { jumpFactor, lossShare } };
}

/** Lines that count what an import quarantined, by rule, and name the command that lists it. */
export function quarantineLines(quarantined: Readonly<Record<string, number>>): string[] {
  const counts = Object.entries(quarantined).sort(([, a], [, b]) => b - a);
  if (counts.length === 0) return [];
  return [
    ...counts.map(([rule, count]) => `Quarantined ${count} × ${rule}`),
    'See what is quarantined, and decide on it: cardprice quarantine list',
  ];
}
