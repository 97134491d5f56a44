import { Type } from 'typebox';

/** The schemas of the gain of grading a raw card, for each grade. */

/** No default fee: it depends on the company, its service and the country. */
export const FeeParameter = Type.Optional(
  Type.Number({
    description: 'What grading costs, in the currency of the answer, for `grading`; 0 by default.',
    minimum: 0,
    maximum: 100_000,
    examples: [25],
  }),
);

export const Grading = Type.Object(
  {
    fee: Type.Number({ description: 'The fee that is subtracted: the parameter `fee`.' }),
    grades: Type.Array(
      Type.Object({
        grade: Type.String({ description: 'The grade.', examples: ['psa_9'] }),
        price: Type.Number({ description: 'The price of a copy of this grade.', examples: [420] }),
        gain: Type.Number({
          description: 'The price minus the market price minus the fee; negative for a loss.',
          examples: [270],
        }),
      }),
      { description: 'Every grade with a price, by company and from the best to the worst.' },
    ),
  },
  {
    title: 'Grading',
    description:
      'Only if the default printing has a market price and a graded price: what a raw copy of it ' +
      'gains if it gets a grade.',
  },
);
