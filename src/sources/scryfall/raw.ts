import { type Static, Type } from 'typebox';
import { BadRecord } from '../io/bad-record.ts';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * A card of Scryfall's bulk file `default_cards`. Only the fields in use are validated.
 */

/** A price as text, or null where there is none. The field is always there. */
const Price = Type.Union([Type.String({ maxLength: 40 }), Type.Null()]);

const Images = Type.Object({
  normal: Nullish(Type.String({ maxLength: 2000 })),
  large: Nullish(Type.String({ maxLength: 2000 })),
});

const RawCard = Type.Object({
  object: Type.Literal('card'),
  id: Label,
  name: Label,
  set: Label,
  set_name: Label,
  /** The kind of the set: `expansion`, `promo`, `box`. */
  set_type: Nullish(Label),
  /** `123a`, `12★`, `A-70`. */
  collector_number: Label,
  rarity: Label,
  finishes: Type.Array(Label),
  digital: Type.Boolean(),
  oversized: Nullish(Type.Boolean()),
  games: Nullish(Type.Array(Label)),
  /** The release of this card, which is mostly that of its set. */
  released_at: Nullish(Label),
  tcgplayer_id: Nullish(Type.Integer()),
  /** The product of the card's etched finish, where that is a product of its own. */
  tcgplayer_etched_id: Nullish(Type.Integer()),
  cardmarket_id: Nullish(Type.Integer()),
  image_uris: Nullish(Images),
  /** Cards with two sides have their pictures here. */
  card_faces: Nullish(Type.Array(Type.Object({ image_uris: Nullish(Images) }))),
  prices: Type.Object({
    usd: Price,
    usd_foil: Price,
    usd_etched: Price,
    eur: Price,
    eur_foil: Price,
    eur_etched: Nullish(Type.String({ maxLength: 40 })),
  }),
});

export type RawCard = Static<typeof RawCard>;

const parseShape = compileParser(RawCard);

/** @throws BadRecord for anything but a card of Scryfall. */
export function parseCard(value: unknown): RawCard {
  const { object } = Object(value) as { object?: unknown };
  if (typeof object === 'string' && object !== 'card') {
    throw new BadRecord(`it is a ${object.slice(0, 40)}, not a card`);
  }
  return parseShape(value);
}
