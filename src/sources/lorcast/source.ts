import type { FeedSource } from '../contract/source.ts';
import { openLorcast } from './read.ts';
import { LORCAST_REMOTE } from './remote.ts';

export const LORCAST: FeedSource = {
  name: 'lorcast',
  summary: 'Cards of Lorcana with the market prices of TCGplayer.',
  takes: 'Pages of cards of the Lorcast API, a file or a folder.',
  example: './lorcast',
  open: openLorcast,
  remote: LORCAST_REMOTE,
};
