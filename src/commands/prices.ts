import type { Config } from '../config/config.ts';
import type { PriceSettings } from '../ingest/import.ts';
import { printLine } from './output.ts';

/** Returns the settings that apply to every import of prices. */
export function priceSettings({ rates, jumpFactor, lossShare }: Config): PriceSettings {
  return { rates, limits: { jumpFactor, lossShare } };
}

/** Returns lines with the number of prices that an import quarantined, by rule. */
export function quarantineLines(quarantined: Readonly<Record<string, number>>): string[] {
  const counts = Object.entries(quarantined).sort(([, a], [, b]) => b - a);
  if (counts.length === 0) return [];
  return [
    ...counts.map(([rule, count]) => `Quarantined ${count} × ${rule}`),
    'Review quarantined prices: cardprice quarantine list',
  ];
}

/** Returns a line about prices in euros without an exchange rate, if there are any. */
export function rateLines(withoutRate: number): string[] {
  if (withoutRate === 0) return [];
  const count = `${withoutRate} price${withoutRate === 1 ? '' : 's'}`;
  return [
    `${count} in euros not served: there is no exchange rate for their day. Set ` +
      'CARDPRICE_EUR_RATE, such as 2026-01-28:1.08, and import again.',
  ];
}

/** Prints how many served prices changed because of exchange rates, if any did. */
export function printRepriced(repriced: number): void {
  if (repriced > 0) printLine(`The changed exchange rate changed ${repriced} served prices.`);
}
