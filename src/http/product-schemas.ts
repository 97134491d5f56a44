import { Type } from 'typebox';
import { CardDetail, CardSummary, PeriodHistory, PRODUCT_FIELDS, Text } from './schemas.ts';

/** The schemas of products. */

const ProductId = Text(
  'Product id. Never changes, and is never the id of a card.',
  'pokemon-swsh07-evolving-skies-booster-box',
);

const OWN_FIELDS = {
  id: ProductId,
  name: Text('Product name.', 'Evolving Skies Booster Box'),
  ...PRODUCT_FIELDS,
};

const Listed = Type.Omit(CardSummary, ['number', 'rarity', 'language', 'copy', 'match']);

export const ProductSummary = Type.Object(
  { ...Listed.properties, ...OWN_FIELDS },
  { $id: 'ProductSummary', title: 'ProductSummary', description: 'A product in a list.' },
);

const Detailed = Type.Omit(CardDetail, ['number', 'rarity', 'names']);

export const ProductDetail = Type.Object(
  { ...Detailed.properties, ...OWN_FIELDS },
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
