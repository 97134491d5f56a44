import { type Static, Type } from 'typebox';
import { CONTENT_KINDS, type ContentItem } from '../domain/products.ts';
import {
  CardDetail,
  CardSummary,
  INCLUDES,
  OptionalText,
  PeriodHistory,
  PRODUCT_FIELDS,
  Text,
} from './schemas.ts';

/** The schemas of products. */

const ProductId = Text(
  'Product id. Never changes, and is never the id of a card.',
  'pokemon-tr-team-rocket-booster-pack-unlimited-edition',
);

const OWN_FIELDS = {
  id: ProductId,
  name: Text('Product name.', 'Evolving Skies Booster Box'),
  ...PRODUCT_FIELDS,
};

const Listed = Type.Omit(CardSummary, [
  ...(['number', 'rarity', 'language', 'copy', 'match'] as const),
  ...INCLUDES,
]);

export const ProductSummary = Type.Object(
  { ...Listed.properties, ...OWN_FIELDS },
  { $id: 'ProductSummary', title: 'ProductSummary', description: 'A product in a list.' },
);

const Item = Type.Object(
  {
    kind: Type.Unsafe<ContentItem['kind']>({
      type: 'string',
      description: 'A `pack` is a booster by its type; a `product` is sold alone as well.',
      enum: [...CONTENT_KINDS],
    }),
    count: Type.Integer({ description: 'How many of it.', minimum: 1, examples: [36] }),
    name: Text('As the source names it.', 'Dominaria United Draft Booster Pack'),
    setCode: OptionalText('Set code at the source', 'DMU'),
    number: Type.Optional(OptionalText('Only of cards: the collector number', '107')),
    foil: Type.Optional(Type.Boolean({ description: 'Only of cards: whether it is foil.' })),
    id: OptionalText(
      'Id of the card or product in this catalogue',
      'mtg-dmu-dominaria-united-draft-booster-pack',
    ),
  },
  { title: 'ContentItem', description: 'Something in the product.' },
);

const ContentsOfProduct = Type.Object({
  items: Type.Array(Item, { description: 'What every copy contains.' }),
  choices: Type.Array(Type.Array(Type.Array(Item)), {
    description: 'What copies differ in: each copy has one option of each choice.',
  }),
});

const Contents = Type.Unsafe<Static<typeof ContentsOfProduct> | null>({
  ...ContentsOfProduct,
  type: ['object', 'null'],
  title: 'ProductContents',
  description: 'What is in the product; null if no source gives it.',
});

const Detailed = Type.Omit(CardDetail, ['number', 'rarity', 'names', 'facts']);

export const ProductDetail = Type.Object(
  { ...Detailed.properties, ...OWN_FIELDS, contents: Contents },
  { $id: 'ProductDetail', title: 'ProductDetail', description: 'A product with all its prices.' },
);

const Period = Type.Omit(PeriodHistory, ['cardId', 'grade', 'condition']);

export const ProductHistory = Type.Object(
  { productId: ProductId, ...Period.properties },
  {
    $id: 'ProductHistory',
    title: 'ProductHistory',
    description: 'Price history of a product over a period.',
  },
);
