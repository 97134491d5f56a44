import { Type } from 'typebox';
import { CONFIDENCE_LEVELS, type ConfidenceLevel } from '../domain/confidence.ts';

/** The schemas of price confidence, which follow the other members of a price. */

const Level = Type.Unsafe<ConfidenceLevel>({
  title: 'ConfidenceLevel',
  type: 'string',
  description:
    '`confirmed`: two marketplaces report about this price, or the listings of several sellers ' +
    'agree with it. `single-source`: one marketplace reports it, on at least three days. `thin`: ' +
    'there is little to compare it with. `stale`: it is out of date. `disputed`: a source ' +
    'reports another price, which is not believed yet.',
  enum: [...CONFIDENCE_LEVELS],
});

const Sources = Type.Integer({
  description: 'How many independent marketplaces report about this price.',
  minimum: 0,
});

const Observations = Type.Integer({
  description: 'On how many of the 30 days up to `figuresAt` the price was newly observed.',
  minimum: 0,
});

interface ListedConfidence {
  readonly level: ConfidenceLevel;
  readonly sources: number;
  readonly observations: number;
}

const LISTED = { level: Level, sources: Sources, observations: Observations };

const EXAMPLE = { level: 'confirmed', sources: 2, observations: 28 };

const confidence = <Content>(title: string, properties: object, example: object) =>
  Type.Unsafe<Content | null>({
    type: ['object', 'null'],
    title,
    description: 'How sure the price is; null without a price, and with `asOf`.',
    properties,
    required: Object.keys(properties),
    examples: [example],
  });

interface Range {
  readonly low: number;
  readonly high: number;
}

const Interval = Type.Unsafe<Range | null>({
  type: ['object', 'null'],
  description:
    'The lowest and the highest market price, in US dollars, that the marketplace reported ' +
    'within the 7 days up to `figuresAt` and others report now; null if there is only one report.',
  properties: {
    low: Type.Number({ description: 'The lowest, in US dollars.' }),
    high: Type.Number({ description: 'The highest, in US dollars.' }),
  },
  required: ['low', 'high'],
});

const Disputed = Type.Optional(
  Type.Object(
    {
      reported: Type.Number({ description: 'The reported price, in US dollars.' }),
      since: Type.String({
        description: 'The first day (UTC) on which the source reported about this.',
        examples: ['2026-01-28'],
      }),
      reason: Type.String({ description: 'Why it is not believed yet, in a sentence.' }),
    },
    {
      title: 'Disputed',
      description:
        'What a source reports instead and is not believed yet. The price above is the last ' +
        'believed one. Absent otherwise.',
    },
  ),
);

/** The last members of a price in lists. */
export const LISTED_CONFIDENCE = {
  confidence: confidence<ListedConfidence>('ListedConfidence', LISTED, EXAMPLE),
  disputed: Disputed,
};

/** The last members of a price in the details of a card. */
export const DETAILED_CONFIDENCE = {
  confidence: confidence<ListedConfidence & { readonly interval: Range | null }>(
    'Confidence',
    { ...LISTED, interval: Interval },
    { ...EXAMPLE, interval: { low: 448.5, high: 460.12 } },
  ),
  disputed: Disputed,
};
