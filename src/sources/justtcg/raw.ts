import { type Static, Type } from 'typebox';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * Responses of JustTCG's API (`/v1/cards`): `{"data":[card, …]}`, one page each. A card has a
 * variant for each condition, printing and language in which it is sold. Only the fields in use
 * are validated.
 */

const RawVariant = Type.Object({
  /** Near Mint to Damaged; `Sealed` where the product is no card. */
  condition: Type.String({ maxLength: 40 }),
  printing: Type.String({ minLength: 1, maxLength: 100 }),
  language: Nullish(Type.String({ maxLength: 40 })),
  /** US dollars. */
  price: Nullish(Type.Number()),
  /** When the price was observed, in seconds since 1970. */
  lastUpdated: Nullish(Type.Number()),
});

const RawCard = Type.Object({
  id: Label,
  name: Label,
  /** The game's name, or its id in the API. */
  game: Label,
  /** The set's name; in newer responses its id, with the name as `set_name`. */
  set: Nullish(Type.String({ maxLength: 500 })),
  set_name: Nullish(Type.String({ maxLength: 500 })),
  number: Nullish(Type.String({ maxLength: 100 })),
  rarity: Nullish(Type.String({ maxLength: 100 })),
  tcgplayerId: Nullish(Type.String({ maxLength: 20 })),
  scryfallId: Nullish(Type.String({ maxLength: 40 })),
  variants: Type.Array(RawVariant, { maxItems: 2000 }),
});

export type RawVariant = Static<typeof RawVariant>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of JustTCG. */
export const parseCard = compileParser(RawCard);
