import { Type } from 'typebox';
import { CURRENCY_CODES } from '../domain/currencies.ts';

/** The members of a price about buying and selling. Each is absent if no source reports it. */
export const TRADE = {
  buylist: Type.Optional(
    Type.Object(
      {
        price: Type.Number({ description: 'The price, in `currency`.', examples: [210] }),
        currency: Type.String({
          description: 'The currency of the dealer, whatever the request asks for.',
          enum: [...CURRENCY_CODES],
        }),
        marketplace: Type.String({ description: 'The dealer.', examples: ['cardkingdom'] }),
        at: Type.String({
          description: 'When it was observed: ISO 8601, UTC.',
          examples: ['2026-01-28T00:00:00Z'],
        }),
      },
      { description: 'The most that a dealer pays for a copy. Absent if unknown.' },
    ),
  ),
  sales: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ description: 'Copies sold in the last `days` days.' }),
        days: Type.Integer({ description: 'The number of days.', examples: [365] }),
        last: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'The day of the last sale, `YYYY-MM-DD`; null if unknown.',
          examples: ['2026-01-27'],
        }),
      },
      { description: 'How often the printing was sold. Absent if unknown.' },
    ),
  ),
};
