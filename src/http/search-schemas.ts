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
      description: 'What they were read as; `noise` says nothing about a card.',
      enum: [...Object.keys(EXAMPLES), 'noise'],
    }),
    means: Type.String({ description: 'What of the card they mean.', examples: ['Base Set'] }),
    corrected: Type.Boolean({ description: 'Whether a word was read as another spelling.' }),
  }),
  { description: 'Which words of the query were read as what; only with `explain=match`.' },
);

const words = Object.entries(EXAMPLES).map(([field, example]) => {
  const description = `The words that were read as the ${field}; null when there are none.`;
  return [field, { type: ['string', 'null'], description, examples: [example] }] as const;
});

export const UnderstoodQuery = Type.Unsafe<Understood>({
  $id: 'Understood',
  title: 'Understood',
  type: 'object',
  description:
    'How the query was read, by its best match, so that its parts can be shown as filters; only ' +
    'when it was more than a name.',
  properties: {
    ...Object.fromEntries(words),
    ignored: {
      type: 'array',
      items: { type: 'string' },
      description: 'The words that say nothing about a card, and those that nothing explains.',
      examples: [['pack fresh']],
    },
  },
  required: [...Object.keys(EXAMPLES), 'ignored'],
});
