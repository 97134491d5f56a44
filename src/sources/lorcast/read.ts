import type { OpenFeed } from '../contract/feed.ts';
import { openJsonRecords } from '../kit/json-records.ts';
import { adaptCard } from './adapt.ts';
import { parseCard } from './raw.ts';

/**
 * Opens pages of cards of the Lorcast API: a file or a folder.
 *
 * @throws OperatorError when the files cannot be read.
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
