import { type Static, Type } from 'typebox';
import { Amount, compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * Cards of SWU-DB's API (`/cards/{set}`), with fields in PascalCase and numbers as text. Only the
 * fields in use are validated.
 */

const RawCard = Type.Object({
  Set: Label,
  Number: Label,
  Name: Label,
  Subtitle: Nullish(Type.String({ maxLength: 500 })),
  Rarity: Nullish(Type.String({ maxLength: 100 })),
  /** `Normal`, `Hyperspace`, `Showcase`; contains `Foil` where foils have a record of their own. */
  VariantType: Label,
  FrontArt: Nullish(Type.String({ maxLength: 2000 })),
  /** US dollars; `0.00` is unknown. */
  MarketPrice: Nullish(Amount),
  LowPrice: Nullish(Amount),
  FoilPrice: Nullish(Amount),
  LowFoilPrice: Nullish(Amount),
});

export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of SWU-DB. */
export const parseCard = compileParser(RawCard);
