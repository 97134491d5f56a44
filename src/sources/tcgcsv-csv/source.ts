import type { SourceEntry } from '../contract/source.ts';

export const TCGCSV_CSV: SourceEntry = {
  name: 'tcgcsv-csv',
  summary: 'Groups of TCGCSV as CSV files.',
  example: './csv --observed 2026-01-28',
};
