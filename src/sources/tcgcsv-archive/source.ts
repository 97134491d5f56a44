import type { SourceEntry } from '../contract/source.ts';

export const TCGCSV_ARCHIVE: SourceEntry = {
  name: 'tcgcsv-archive',
  summary: 'Past days of TCGCSV, packed one in a file.',
  example: './archive',
};
