import type { Feature } from '../../../src/domain/plans.ts';

/** What some plans include besides. */
export const FEATURE_LABELS: Readonly<Record<Feature, string>> = {
  history: 'The price history of every printing',
  batch: 'Many cards in one call',
  resolve: 'Decklists, listing titles and other lines to cards',
  explain: 'Where a price comes from, source by source',
  'explain-match': 'How a search understood each of its results',
  'marketplace-changes': 'Which prices came to be of another marketplace',
};
