import { type Static, Type } from 'typebox';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * Cards of YGOPRODeck's `cardinfo.php`, whose response is usually saved as `cardinfo.json`. Only
 * the fields in use are validated.
 */

const RawPrinting = Type.Object({
  set_name: Label,
  /** Empty for the few printings without a code. */
  set_code: Type.String({ maxLength: 100 }),
  set_rarity: Type.String({ maxLength: 100 }),
  /** US dollars; `0` is unknown. The adapter validates it. */
  set_price: Nullish(Type.String({ maxLength: 100 })),
});

const RawCard = Type.Object({
  /** The passcode in the card's corner; cards without one have none. */
  id: Nullish(Type.Integer()),
  name: Label,
  /** The `card_prices` beside it, the lowest of all printings, are ignored. */
  card_sets: Type.Optional(Type.Array(Type.Unknown())),
  /** Distinguishes cards of this source from other objects that have a name. */
  card_images: Type.Array(Type.Unknown()),
});

export type RawPrinting = Static<typeof RawPrinting>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of YGOPRODeck; `card_sets` is not looked into. */
export const parseCard = compileParser(RawCard);

/** @throws BadRecord for anything but a member of `card_sets`. */
export const parsePrinting = compileParser(RawPrinting);
