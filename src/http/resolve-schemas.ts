import { type TSchema, Type } from 'typebox';
import { CONDITIONS, type Condition } from '../domain/price.ts';
import { CARD_ID_SPACES } from '../domain/sources.ts';
import { MOST_CANDIDATES, type Resolution } from '../resolve/index.ts';
import { LISTED_CONFIDENCE } from './confidence-schemas.ts';
import { MONEY } from './money-schemas.ts';
import { ProductSummary } from './product-schemas.ts';
import { BatchCard, CardDetail, LanguageText, NoPrice, PriceOf } from './schemas.ts';

/** The schemas of the resolver: its items and its answers. */

/** Most items in one request. */
export const MAX_ITEMS = 500;

/** The most candidates in one answer: the same as for the most items at the default number. */
export const MAX_CANDIDATES = MAX_ITEMS * MOST_CANDIDATES;

/** The most candidates of each item. */
export const MaxCandidates = Type.Optional(
  Type.Integer({
    description:
      `The most candidates of an item that is not matched, ${MOST_CANDIDATES} by default. The ` +
      `number of items times this is at most ${MAX_CANDIDATES}.`,
    minimum: 1,
    maximum: MAX_CANDIDATES,
  }),
);

/** The members of an item, in addition to external ids. */
export const ITEM_MEMBERS = {
  text: 'A line of text, like an item that is a string.',
  name: 'Card or product name.',
  set: "The set's name, or a part of it.",
  setCode: 'Set code.',
  setId: '`setId` of the set.',
  number: 'Collector number, as printed or typed.',
  game: 'Slug of the game.',
  printing: 'Finish or edition, such as `Foil`.',
  condition: 'Condition, such as `NM` or `lightly played`.',
  language: 'Language of the card: a code (`de`), a name, or a common abbreviation.',
  grade: 'Grade with its company: `PSA 10`.',
  year: 'Year of the set.',
  quantity: 'Number of copies; 1 by default.',
  kind: '`card` or `product`; by default the words decide.',
  upc: 'UPC or EAN of a sealed product.',
} as const;

export type ItemMember = keyof typeof ITEM_MEMBERS;

function itemMembers(): Record<string, TSchema> {
  const texts = Object.entries<string>(ITEM_MEMBERS);
  const ids = [...CARD_ID_SPACES.keys()].map((space) => [space, `Its id at ${space}.`]);
  return Object.fromEntries(
    [...texts, ...ids].map(([member, description]) => {
      return [member ?? '', Type.Unsafe({ type: ['string', 'number'], description })];
    }),
  );
}

/** The documented body. The endpoint checks items itself, for better messages. */
export const ResolveBody = Type.Object(
  {
    items: Type.Array(
      Type.Unsafe({
        title: 'ResolveItem',
        type: ['string', 'object'],
        description:
          'A line of text, such as a line of a decklist or the title of a listing, or an object ' +
          'that describes the card. Null and empty members are ignored.',
        properties: itemMembers(),
        additionalProperties: false,
      }),
      {
        description: `The items to resolve, 1 to ${MAX_ITEMS}.`,
        minItems: 1,
        maxItems: MAX_ITEMS,
        examples: [['4x Lightning Bolt (2ED) 162', { name: 'Charizard', number: '4/102' }]],
      },
    ),
    game: Type.Optional(Type.String({ description: 'The game of items that do not name one.' })),
    maxCandidates: MaxCandidates,
  },
  { additionalProperties: false },
);

const Reasons = (description: string) => Type.Array(Type.String(), { description });

const nullable = (description: string, rest: object) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, ...rest });

const { set, rarity, image } = CardDetail.properties;

const ResolvedCard = Type.Object(
  { ...BatchCard.properties, set, rarity, image },
  { description: 'A card as in a batch, with its set, rarity and picture.' },
);

const Candidate = Type.Object({
  ...ResolvedCard.properties,
  reasons: Reasons('Why it is a candidate, or what contradicts it.'),
  price: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'Only if the item names a condition or a grade: the price of such a copy of the default ' +
        'printing, in US dollars; null if no source reports it.',
    }),
  ),
  priceOf: Type.Optional(PriceOf),
  noPrice: Type.Optional(NoPrice),
});

export const ResolvedItem = Type.Object(
  {
    status: Type.Unsafe<Resolution['status']>({
      type: 'string',
      description:
        '`matched`: one card remains, and nothing in the item contradicts it. `ambiguous`: ' +
        'several fit, or parts of the item contradict each other. `unknown`: none fits.',
      enum: ['matched', 'ambiguous', 'unknown'],
    }),
    kind: Type.Optional(
      Type.Literal('product', { description: 'Only if the item means a sealed product.' }),
    ),
    card: Type.Optional(ResolvedCard),
    product: Type.Optional(ProductSummary),
    products: Type.Optional(
      Type.Array(ProductSummary, {
        description: 'Only of a product that is not matched: at most five, best first.',
        maxItems: 5,
      }),
    ),
    printing: Type.Optional(
      nullable('Only if matched: the printing; null if the card has none.', {
        examples: ['Foil'],
      }),
    ),
    language: LanguageText('The language that the item names; absent if it names none.'),
    market: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description:
          'Only if matched: the price of one copy with the grade, the condition or the language ' +
          'that the item names, in US dollars; null if no source reports it.',
        examples: [453.86],
      }),
    ),
    priceOf: Type.Optional(PriceOf),
    noPrice: Type.Optional(NoPrice),
    ...MONEY,
    quantity: Type.Optional(
      Type.Integer({
        description: 'Only if matched: the number of copies; 1 if the item gives none.',
      }),
    ),
    condition: Type.Optional(
      Type.Unsafe<Condition | null>({
        type: ['string', 'null'],
        description:
          'The condition; null if the item gives none. Absent if not matched without one.',
        enum: [...CONDITIONS, null],
      }),
    ),
    grade: Type.Optional(
      nullable('The grade; null if the item gives none. Absent if not matched without one.', {
        examples: ['PSA 10'],
      }),
    ),
    confidence: Type.Optional(
      Type.Number({ description: 'Only if matched: from 0 to 1.', minimum: 0, maximum: 1 }),
    ),
    candidates: Type.Optional(
      Type.Array(Candidate, {
        description: 'Only if not matched: at most `maxCandidates` cards, best first.',
      }),
    ),
    candidateCount: Type.Optional(
      Type.Integer({
        description: 'Only if not matched: how many candidates there are, listed or not.',
        minimum: 0,
      }),
    ),
    reasons: Reasons(
      'Why the card matches, what would decide between candidates, or why nothing matches.',
    ),
    /** Only for a market price. */
    priceConfidence: Type.Optional(LISTED_CONFIDENCE.confidence),
    disputed: LISTED_CONFIDENCE.disputed,
  },
  { $id: 'ResolvedItem', title: 'ResolvedItem', description: 'The answer for one item.' },
);
