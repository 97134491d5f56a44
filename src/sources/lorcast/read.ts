import type { OpenFeed } from '../contract/feed.ts';
import { openJsonRecords } from '../kit/json-records.ts';
import { adaptCard } from './adapt.ts';
import { parseCard } from './raw.ts';

/**
 * Opens pages of cards as the Lorcast API answers them, a file or a folder of such.
 *
 * @throws OperatorError when they cannot be read.
 */
export const openLorcast: OpenFeed = (location, options) => {
  return openJsonRecords(location, options, {
    name: 'lorcast',
    game: 'lorcana',
    description: 'a page of cards of the Lorcast API',
    version: 1,
    parse: parseCard,
    label: ({ name, version }) => (version ? `${name} - ${version}` : name),
    adapt: adaptCard,
  });
};
