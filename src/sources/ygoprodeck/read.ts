import type { OpenFeed } from '../contract/feed.ts';
import { openJsonRecords } from '../kit/json-records.ts';
import { adaptCard } from './adapt.ts';
import { parseCard } from './raw.ts';

/**
 * Opens YGOPRODeck's `cardinfo.json`, plain or packed by gzip.
 *
 * @throws OperatorError when it cannot be read.
 */
export const openYgoprodeck: OpenFeed = (location, options) => {
  return openJsonRecords(location, options, {
    name: 'ygoprodeck',
    game: 'yugioh',
    description: 'a cardinfo.json of YGOPRODeck',
    version: 1,
    parse: parseCard,
    label: ({ name }) => name,
    adapt: adaptCard,
  });
};
