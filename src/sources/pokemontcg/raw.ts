import { type Static, Type } from 'typebox';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * Cards of the Pokémon TCG API (`/v2/cards`), with their set and prices, and of the files of
 * `pokemon-tcg-data`, which have neither. Only the fields in use are validated.
 */

const RawSet = Type.Object({
  id: Label,
  name: Label,
  series: Label,
  /** The code of the set in the online game, which is what is printed on newer cards. */
  ptcgoCode: Nullish(Type.String({ maxLength: 20 })),
  /** `1999/01/09` */
  releaseDate: Nullish(Type.String({ maxLength: 20 })),
});

/** Prices of one finish, in US dollars. */
const RawFinish = Type.Object({
  low: Nullish(Type.Number()),
  mid: Nullish(Type.Number()),
  high: Nullish(Type.Number()),
  market: Nullish(Type.Number()),
});

/** Prices in euros; 0 is unknown. */
const RawCardmarket = Type.Object({
  trendPrice: Nullish(Type.Number()),
  lowPrice: Nullish(Type.Number()),
  reverseHoloTrend: Nullish(Type.Number()),
  reverseHoloLow: Nullish(Type.Number()),
});

/** `2026/01/28` */
const UpdatedAt = Type.String({ maxLength: 40 });

const RawCard = Type.Object({
  /** The set's id and the number: `base1-4`. */
  id: Type.String({ pattern: '^[^-]+-.', maxLength: 100 }),
  name: Label,
  number: Label,
  supertype: Label,
  rarity: Nullish(Type.String({ maxLength: 100 })),
  images: Nullish(Type.Object({ large: Nullish(Type.String({ maxLength: 2000 })) })),
  set: Nullish(RawSet),
  tcgplayer: Nullish(
    Type.Object({ updatedAt: UpdatedAt, prices: Nullish(Type.Record(Type.String(), RawFinish)) }),
  ),
  cardmarket: Nullish(Type.Object({ updatedAt: UpdatedAt, prices: Nullish(RawCardmarket) })),
});

export type RawSet = Static<typeof RawSet>;
export type RawFinish = Static<typeof RawFinish>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of the Pokémon TCG API. */
export const parseCard = compileParser(RawCard);

/** @throws BadRecord for anything but a list of its sets. */
export const parseSets = compileParser(Type.Array(RawSet, { minItems: 1 }));
