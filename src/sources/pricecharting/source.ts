import type { FeedSource } from '../contract/source.ts';
import { openPriceCharting } from './read.ts';
import { PRICECHARTING_REMOTE } from './remote.ts';

export const PRICECHARTING: FeedSource = {
  name: 'pricecharting',
  summary: 'What cards sold for, ungraded and graded.',
  takes: 'A price guide as CSV, which subscribers can download.',
  example: 'pokemon-cards.csv --grade grade_9=psa_9',
  open: openPriceCharting,
  hasGenericGrades: true,
  remote: PRICECHARTING_REMOTE,
};
