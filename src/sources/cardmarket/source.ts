import type { FeedSource } from '../contract/source.ts';
import { openCardmarket } from './read.ts';
import { CARDMARKET_REMOTE } from './remote.ts';

export const CARDMARKET: FeedSource = {
  name: 'cardmarket',
  summary: "Cardmarket's price guides, in euros.",
  takes: 'A price guide under the name that Cardmarket gives it, price_guide_1.json.',
  files: { products: 'The list of single cards, products_singles_1.json, which has names.' },
  example: 'price_guide_1.json --products products_singles_1.json',
  open: openCardmarket,
  remote: CARDMARKET_REMOTE,
};
