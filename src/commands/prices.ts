import type { Config } from '../config/config.ts';
import type { PriceSettings } from '../ingest/import.ts';
import { printLine } from './output.ts';

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

/** Says that prices in euros are not served without an exchange rate; nothing when there are none. */
export function rateLines(withoutRate: number): string[] {
  if (withoutRate === 0) return [];
  const count = `${withoutRate} price${withoutRate === 1 ? '' : 's'}`;
  return [
    `Not served ${count} in euros: no exchange rate is set for their day. Set ` +
      'CARDPRICE_EUR_RATE, such as 2026-01-28:1.08, and import again.',
  ];
}

/** Says how many served prices changed exchange rates have changed; nothing for none. */
export function printRepriced(repriced: number): void {
  if (repriced > 0) printLine(`The changed exchange rate changed ${repriced} served prices.`);
}
