import { Type } from 'typebox';
import { CURRENCY_CODES } from '../domain/currencies.ts';

/** The last members of prices in a currency that the caller has chosen. */
export const MONEY = {
  currency: Type.Optional(
    Type.String({
      title: 'ChosenCurrency',
      description: 'The currency; only if the request names one.',
      enum: [...CURRENCY_CODES],
    }),
  ),
  converted: Type.Optional(
    Type.Object(
      {
        from: Type.String({ description: 'The currency before.', enum: [...CURRENCY_CODES] }),
        rate: Type.Number({
          description: 'How much of `currency` one unit of it was worth.',
          examples: [0.92592593],
        }),
        date: Type.String({ description: 'The day of the rate.', examples: ['2026-01-28'] }),
        parts: Type.Optional(
          Type.Array(Type.String({ enum: ['figures', 'conditions', 'graded'] }), {
            description: 'What was converted. Absent if everything was.',
          }),
        ),
      },
      {
        title: 'Conversion',
        description: 'How the prices were converted. Absent if none was.',
      },
    ),
  ),
  reason: Type.Optional(
    Type.String({
      title: 'NoRate',
      description: 'Why prices are null. Only if no exchange rate is known.',
    }),
  ),
};
