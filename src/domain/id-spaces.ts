import { PRICE_SOURCES } from './sources.ts';

/** An id of a card in the numbering of a source or marketplace. */
export interface ExternalId {
  /** The id space as callers name it: `tcgplayer`, `scryfall`. */
  readonly space: string;
  readonly id: string;
}

/** The marketplaces whose ids a source uses as its own, by source. */
const TAKEN_FROM: Readonly<Record<string, string>> = { tcgcsv: 'tcgplayer' };

/**
 * The id spaces by which callers may name cards (docs/glossary.md#id-space), each with the source
 * under whose name the store keeps its ids.
 */
export const CARD_ID_SPACES: ReadonlyMap<string, string> = new Map(
  PRICE_SOURCES.map(({ name }) => [TAKEN_FROM[name] ?? name, name]),
);

/** The id spaces as callers name them, by the source under whose name the store keeps their ids. */
export const ID_SPACES_BY_SOURCE: ReadonlyMap<string, string> = new Map(
  [...CARD_ID_SPACES].map(([space, source]) => [source, space]),
);
