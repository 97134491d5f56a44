import { Type } from 'typebox';
import { LANGUAGES } from '../domain/languages.ts';
import type { Reading, Understood } from '../search/index.ts';

/** The schemas that explain how a search read its query. */

/** An example for each meaning that words of a query can have. */
const EXAMPLES: Readonly<Record<Exclude<Reading['as'], 'noise'>, string>> = {
  name: 'charizard',
  set: 'base set',
  number: '4/102',
  rarity: 'holo rare',
  printing: '1st edition',
  treatment: 'full art',
  year: '1999',
  language: 'japanese',
  game: 'pokemon',
  condition: 'near mint',
  grade: 'psa 9',
};

export const Match = Type.Array(
  Type.Object({
    words: Type.String({
      description: 'Words of the query, in lower case.',
      examples: [EXAMPLES.set],
    }),
    as: Type.Unsafe<Reading['as']>({
      type: 'string',
      description: 'How they were read; `noise` does not describe a card.',
      enum: [...Object.keys(EXAMPLES), 'noise'],
    }),
    means: Type.String({
      description: 'The part of the card that they match.',
      examples: ['Base Set'],
    }),
    corrected: Type.Boolean({ description: 'Whether the spelling of a word was corrected.' }),
  }),
  {
    title: 'Match',
    description: 'How the words of the query were read; only with `explain=match`.',
  },
);

const words = Object.entries(EXAMPLES).map(([field, example]) => {
  const description = `Words for the ${field}; null without any.`;
  return [field, { type: ['string', 'null'], description, examples: [example] }] as const;
});

const part = {
  typed: { type: 'string', description: 'The part of `q`, as typed.', examples: ['under $20'] },
  from: { type: 'integer', description: 'Where it begins in `q`, in UTF-16 units from 0.' },
  to: { type: 'integer', description: 'Where it ends: the index after its last unit.' },
};

const filters = {
  type: 'array',
  description: 'The parts of `q` that filter or order the cards; only if there are any.',
  items: {
    type: 'object',
    properties: {
      ...part,
      means: {
        type: 'string',
        description: 'The same in the syntax of queries.',
        examples: ['price<20.00'],
      },
    },
    required: [...Object.keys(part), 'means'],
  },
};

const problems = {
  type: 'array',
  description: 'The parts of `q` that are malformed or ask for something unknown; only if any are.',
  items: {
    type: 'object',
    properties: {
      ...part,
      message: {
        type: 'string',
        description: 'A sentence for people.',
        examples: ['This quotation mark is not closed.'],
      },
      suggestion: { type: 'string', description: 'What to type instead, if that is known.' },
    },
    required: [...Object.keys(part), 'message'],
  },
};

const converted = {
  type: 'array',
  description:
    'The exchange rates by which amounts in `q` became the currency of the answer; only if any did.',
  items: {
    type: 'object',
    properties: {
      from: { type: 'string', description: 'The currency that was typed.', examples: ['EUR'] },
      to: { type: 'string', description: 'The currency that was compared.', examples: ['USD'] },
      rate: { type: 'number', description: 'How much of `to` is one of `from`.' },
      date: { type: 'string', description: 'The day of the rate.', examples: ['2026-01-28'] },
    },
    required: ['from', 'to', 'rate', 'date'],
  },
};

const copy = {
  type: 'object',
  description: 'Only if `q` names a language: the copy whose prices the cards have, or null.',
  properties: {
    language: {
      type: 'string',
      description: 'Code of the language.',
      enum: LANGUAGES.map(({ code }) => code),
    },
    name: { type: 'string', description: 'Name of the language.', examples: ['German'] },
    priced: {
      type: 'boolean',
      description: 'Whether any card on this page has a price in that language.',
    },
  },
  required: ['language', 'name', 'priced'],
};

const ValueCounts = (of: string) =>
  Type.Optional(
    Type.Array(
      Type.Object(
        {
          value: Type.String({ description: 'A setId, rarity or printing.' }),
          name: Type.Optional(Type.String({ description: 'Name of the set.' })),
          count: Type.Integer({ description: 'How many results have it.' }),
        },
        { title: 'ValueCount' },
      ),
      { description: `${of}, most results first, at most 100.` },
    ),
  );

export const FacetsOfResults = Type.Object(
  {
    set: ValueCounts('Sets'),
    rarity: ValueCounts('Rarities'),
    printing: ValueCounts('Printings'),
    price: Type.Optional(
      Type.Array(
        Type.Object(
          {
            min: Type.Number({ description: 'As `min_price`.' }),
            max: Type.Unsafe<number | null>({
              type: ['number', 'null'],
              description:
                'As `max_price`, in US dollars or `currency`; null for the highest range.',
            }),
            count: Type.Integer({ description: 'How many results have such a market price.' }),
          },
          { title: 'PriceBand' },
        ),
        { description: 'Ranges of market prices, lowest first.' },
      ),
    ),
  },
  { title: 'Facets', description: 'Only with `facets`: counts of all results on all pages.' },
);

export const UnderstoodQuery = Type.Unsafe<Understood>({
  $id: 'Understood',
  title: 'Understood',
  type: 'object',
  description:
    'How the query was read, according to its best match. Its parts can be shown as filters. ' +
    'Absent if the query is only a name, without operators.',
  properties: {
    ...Object.fromEntries(words),
    ignored: {
      type: 'array',
      items: { type: 'string' },
      description: 'Words that do not describe a card, and words that match nothing.',
      examples: [['pack fresh']],
    },
    copy,
    filters,
    converted,
    problems,
  },
  required: [...Object.keys(EXAMPLES), 'ignored'],
});
