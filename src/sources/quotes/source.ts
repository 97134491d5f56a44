import type { SourceEntry } from '../contract/source.ts';

export const QUOTES: SourceEntry = {
  name: 'quotes',
  summary: 'Prices of your own, or of anybody, as CSV or JSON lines.',
  example: 'prices.csv',
};
