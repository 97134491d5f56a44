import { Type } from 'typebox';
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
  { description: 'How the words of the query were read; only with `explain=match`.' },
);

const words = Object.entries(EXAMPLES).map(([field, example]) => {
  const description = `The words that were read as the ${field}; null if there are none.`;
  return [field, { type: ['string', 'null'], description, examples: [example] }] as const;
});

export const UnderstoodQuery = Type.Unsafe<Understood>({
  $id: 'Understood',
  title: 'Understood',
  type: 'object',
  description:
    'How the query was read, according to its best match. Its parts can be shown as filters. ' +
    'Absent if the query is only a name.',
  properties: {
    ...Object.fromEntries(words),
    ignored: {
      type: 'array',
      items: { type: 'string' },
      description: 'Words that do not describe a card, and words that match nothing.',
      examples: [['pack fresh']],
    },
  },
  required: [...Object.keys(EXAMPLES), 'ignored'],
});
