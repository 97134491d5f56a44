import type { FeedSource } from '../contract/source.ts';
import { openYgoprodeck } from './read.ts';
import { YGOPRODECK_REMOTE } from './remote.ts';

export const YGOPRODECK: FeedSource = {
  name: 'ygoprodeck',
  summary: 'Cards of Yu-Gi-Oh! in all of their sets, with the price of each rarity.',
  takes: 'cardinfo.json, plain or packed with gzip.',
  example: 'cardinfo.json',
  open: openYgoprodeck,
  remote: YGOPRODECK_REMOTE,
};
