import { type Static, Type } from 'typebox';
import { Label, Maybe, shape } from '../kit/schema.ts';

/**
 * Cards of the Pokémon TCG API (`/v2/cards`), with their set and prices, and of the files of
 * `pokemon-tcg-data`, which have neither. Only the fields that are used are checked.
 */

const RawSet = Type.Object({
  id: Label,
  name: Label,
  series: Label,
  /** The code of the set in the online game, which is what is printed on newer cards. */
  ptcgoCode: Maybe(Type.String({ maxLength: 20 })),
  /** `1999/01/09` */
  releaseDate: Maybe(Type.String({ maxLength: 20 })),
});

/** US dollars of one finish. */
const RawFinish = Type.Object({
  low: Maybe(Type.Number()),
  mid: Maybe(Type.Number()),
  high: Maybe(Type.Number()),
  market: Maybe(Type.Number()),
});

/** Euros; 0 is "not known". */
const RawCardmarket = Type.Object({
  trendPrice: Maybe(Type.Number()),
  lowPrice: Maybe(Type.Number()),
  reverseHoloTrend: Maybe(Type.Number()),
  reverseHoloLow: Maybe(Type.Number()),
});

/** `2026/01/28` */
const UpdatedAt = Type.String({ maxLength: 40 });

const RawCard = Type.Object({
  /** The set's id and the number: `base1-4`. */
  id: Type.String({ pattern: '^[^-]+-.', maxLength: 100 }),
  name: Label,
  number: Label,
  supertype: Label,
  rarity: Maybe(Type.String({ maxLength: 100 })),
  images: Maybe(Type.Object({ large: Maybe(Type.String({ maxLength: 2000 })) })),
  set: Maybe(RawSet),
  tcgplayer: Maybe(
    Type.Object({ updatedAt: UpdatedAt, prices: Maybe(Type.Record(Type.String(), RawFinish)) }),
  ),
  cardmarket: Maybe(Type.Object({ updatedAt: UpdatedAt, prices: Maybe(RawCardmarket) })),
});

export type RawSet = Static<typeof RawSet>;
export type RawFinish = Static<typeof RawFinish>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for what is no card of the Pokémon TCG API. */
export const parseCard = shape(RawCard);

/** @throws BadRecord for what is no list of its sets. */
export const parseSets = shape(Type.Array(RawSet, { minItems: 1 }));
