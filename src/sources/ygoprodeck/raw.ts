import { type Static, Type } from 'typebox';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * Cards of YGOPRODeck's `cardinfo.php`, the answer to which people save as `cardinfo.json`. Only
 * the fields that are used are checked.
 */

const RawPrinting = Type.Object({
  set_name: Label,
  /** Empty for a few that carry no code. */
  set_code: Type.String({ maxLength: 100 }),
  set_rarity: Type.String({ maxLength: 100 }),
  /** US dollars; `0` is "not known". Checked printing by printing. */
  set_price: Nullish(Type.String({ maxLength: 100 })),
});

const RawCard = Type.Object({
  /** The passcode in the card's corner; cards without one have none. */
  id: Nullish(Type.Integer()),
  name: Label,
  /** What `card_prices` says is the lowest of all printings, so it is the price of none. */
  card_sets: Type.Optional(Type.Array(RawPrinting)),
  /** Tells a card of this source from any other object that has a name. */
  card_images: Type.Array(Type.Unknown()),
});

export type RawPrinting = Static<typeof RawPrinting>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for what is no card of YGOPRODeck. */
export const parseCard = compileParser(RawCard);
