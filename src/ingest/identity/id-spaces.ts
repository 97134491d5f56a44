import type { IdSpace } from '../../sources/contract/feed.ts';

/** The sources whose external ids the ids of an id space are, as the store remembers them. */
export const ID_SPACE_OWNERS: Readonly<Record<IdSpace, string>> = {
  tcgplayer: 'tcgcsv',
  scryfall: 'scryfall',
  cardmarket: 'cardmarket',
};

export const ID_SPACES = Object.keys(ID_SPACE_OWNERS) as readonly IdSpace[];
