import { type Static, Type } from 'typebox';
import { Amount, Label, Maybe, shape } from '../kit/schema.ts';

/**
 * Cards of SWU-DB's API (`/cards/{set}`), whose names are in PascalCase and whose numbers are
 * text. Only the fields that are used are checked.
 */

const RawCard = Type.Object({
  Set: Label,
  Number: Label,
  Name: Label,
  Subtitle: Maybe(Type.String({ maxLength: 500 })),
  Rarity: Maybe(Type.String({ maxLength: 100 })),
  /** `Normal`, `Hyperspace`, `Showcase`; with `Foil` in it where foils have a record of their own. */
  VariantType: Label,
  FrontArt: Maybe(Type.String({ maxLength: 2000 })),
  /** US dollars; `0.00` is "not known". */
  MarketPrice: Maybe(Amount),
  LowPrice: Maybe(Amount),
  FoilPrice: Maybe(Amount),
  LowFoilPrice: Maybe(Amount),
});

export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for what is no card of SWU-DB. */
export const parseCard = shape(RawCard);
