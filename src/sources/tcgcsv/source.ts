import type { SourceEntry } from '../contract/source.ts';

export const TCGCSV: SourceEntry = {
  name: 'tcgcsv',
  summary: "TCGplayer's catalogue and prices of every game, day by day: the backbone.",
  example: 'https://tcgcsv.com',
};
