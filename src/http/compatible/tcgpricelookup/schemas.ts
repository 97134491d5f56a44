import { type TSchema, Type } from 'typebox';

/** The parts of the hosted service's answers. */

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** A page of a list. */
export function PageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  });
}

const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

const Figures = Type.Object({
  market: NullableNumber,
  low: NullableNumber,
  mid: NullableNumber,
  high: NullableNumber,
});

const Averages = Type.Object({
  avg_1d: NullableNumber,
  avg_7d: NullableNumber,
  avg_30d: NullableNumber,
});

/** The fields of sets and games wherever they are. */
export const NAMED = { id: Type.String(), slug: Type.String(), name: Type.String() };

/** A printing of a card. */
export const CardItem = Type.Object({
  id: Type.String(),
  tcgplayer_id: NullableNumber,
  name: Type.String(),
  number: NullableText,
  rarity: NullableText,
  variant: NullableText,
  image_url: NullableText,
  last_price_update: Type.Optional(NullableText),
  updated_at: Type.String(),
  set: Type.Object(NAMED),
  game: Type.Object(NAMED),
  prices: Type.Object({
    raw: Type.Record(
      Type.String(),
      Type.Object({ tcgplayer: Figures, ebay: Type.Optional(Averages) }),
    ),
    graded: Type.Optional(Type.Object({})),
  }),
});

/** The days of a history. */
export const History = Type.Object({
  data: Type.Array(
    Type.Object({
      date: Type.String(),
      prices: Type.Array(
        Type.Object({
          source: Type.String(),
          condition: NullableText,
          grader: NullableText,
          grade: NullableText,
          price_market: NullableNumber,
          price_low: NullableNumber,
          price_mid: NullableNumber,
          price_high: NullableNumber,
          ...Averages.properties,
        }),
      ),
    }),
  ),
  period: Type.String(),
});
