import type { OpenFeed } from '../contract/feed.ts';
import { openJsonRecords } from '../kit/json-records.ts';
import { adaptCard, nameOf } from './adapt.ts';
import { parseCard } from './raw.ts';

/**
 * Opens sets of cards of SWU-DB's API: a file or a folder.
 *
 * @throws OperatorError when the files cannot be read.
 */
export const openSwuDb: OpenFeed = (location, options) => {
  return openJsonRecords(location, options, {
    name: 'swu-db',
    game: 'swu',
    description: 'a set of cards of SWU-DB',
    version: 1,
    parse: parseCard,
    label: (raw) => `${raw.Set} ${raw.Number} ${nameOf(raw)}`,
    adapt: adaptCard,
  });
};
