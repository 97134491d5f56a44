import { Type } from 'typebox';
import type { Feature } from '../domain/plans.ts';
import { Burst, HistoryDays } from './limit-schemas.ts';

/** The schemas of what accounts have asked, and of what limits them. */

/** What limits an account, by its plan, its own limits and the settings of the service. */
export const UsageLimitsView = Type.Object({
  burst: Burst,
  /** The burst limit of each API key. */
  keyBurst: Burst,
  historyDays: HistoryDays,
  features: Type.Array(Type.Unsafe<Feature>({ type: 'string' })),
});

const OptionalCode = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** The requests of the last 30 days by API key, endpoint and error, and the last ones. */
export const RequestsView = Type.Object({
  /** The most first. */
  counts: Type.Array(
    Type.Object({
      keyId: Type.Integer(),
      keyName: Type.String(),
      /** As in the reference: `GET /v1/cards/{id}`. */
      endpoint: Type.String(),
      /** The code of the error; null for requests that were answered. */
      code: OptionalCode,
      count: Type.Integer(),
    }),
  ),
  /** The newest first. */
  recent: Type.Array(
    Type.Object({
      at: Type.String(),
      /** By which the log of the service has it. */
      requestId: Type.String(),
      keyName: Type.String(),
      endpoint: Type.String(),
      status: Type.Integer(),
      code: OptionalCode,
      /** How long the answer took, in milliseconds. */
      ms: Type.Number(),
    }),
  ),
});
