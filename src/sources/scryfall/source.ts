import type { FeedSource } from '../contract/source.ts';
import { openScryfall } from './read.ts';
import { SCRYFALL_REMOTE } from './remote.ts';

export const SCRYFALL: FeedSource = {
  name: 'scryfall',
  summary: 'Cards of Magic with the market prices of TCGplayer and the trend of Cardmarket.',
  takes: 'The bulk file default_cards, plain or packed with gzip.',
  example: 'default-cards.json.gz',
  open: openScryfall,
  remote: SCRYFALL_REMOTE,
};
