import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { listWaiting } from '../accounts/billing/events.ts';
import {
  countDeleted,
  monthUsageCsv,
  monthUsageView,
  readMonthUsage,
} from '../accounts/quota/usage-report.ts';
import { type Month, parseMonth } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { Many } from '../http/schemas.ts';
import { defineOperatorCall, type OperatorCall } from './call.ts';
import { OwnLimits, Price } from './limits.ts';
import { OptionalText } from './schemas.ts';

const MonthQuery = Type.Object({
  month: Type.String({
    description: 'The month (UTC), `YYYY-MM`.',
    maxLength: 7,
    examples: ['2026-01'],
  }),
});

const MonthUsageView = Type.Object({
  account: Type.Integer({ description: 'The id of the account.' }),
  email: Type.String(),
  plan: Type.String({ description: 'Its current plan.' }),
  price: Price,
  requests: Type.Integer({ description: 'Requests charged in the month.' }),
  days: Type.Integer({ description: 'Days of the month with requests.' }),
  highestDay: OptionalText,
  highestRequests: Type.Integer({ description: 'The highest number of requests in a day.' }),
  limits: OwnLimits,
  isDisabled: Type.Boolean(),
});

const MonthUsages = Type.Object({
  data: Type.Array(MonthUsageView),
  deleted: Type.Integer({
    description: 'Accounts that were deleted in the month; nothing is left of their usage.',
  }),
});

/** An event for billing that was not delivered. */
const BillingEventView = Type.Object({
  id: Type.String({ description: 'Its id, the same for every attempt.' }),
  type: Type.String(),
  attempts: Type.Integer(),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The error of the last attempt.',
  }),
  at: Type.String(),
  nextAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'When it is sent again; null for never.',
  }),
  givenUpAt: OptionalText,
  payload: Type.Unknown({ description: 'The body to send.' }),
});

/** The usage of each account in a month, for invoices, and the undelivered billing events. */
export const USAGE_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'readUsage',
    summary: 'List what each account used in a month, for invoices.',
    method: 'GET',
    path: '/usage',
    keys: true,
    audit: null,
    schema: { querystring: MonthQuery, response: { 200: MonthUsages } },
    async handle({ store }, { query }) {
      const days = requireMonth(query.month);
      const usages = await Array.fromAsync(readMonthUsage(store, days));
      return { data: usages.map(monthUsageView), deleted: await countDeleted(store, days) };
    },
  }),

  defineOperatorCall({
    id: 'readUsageCsv',
    summary: 'Download the usage of a month as CSV.',
    method: 'GET',
    path: '/usage.csv',
    keys: true,
    audit: null,
    schema: { querystring: MonthQuery },
    async handle({ store }, { query, reply }) {
      const lines = monthUsageCsv(readMonthUsage(store, requireMonth(query.month)));
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="usage-${query.month}.csv"`);
      return Readable.from(lines);
    },
  }),

  defineOperatorCall({
    id: 'listBillingEvents',
    summary: 'List the events for billing that were not delivered.',
    method: 'GET',
    path: '/billing',
    keys: true,
    audit: null,
    schema: { response: { 200: Many(BillingEventView, 'The oldest first, 1,000 at most.') } },
    async handle({ store }) {
      return { data: await listWaiting(store) };
    },
  }),
];

/** @throws ApiError if the text is not a month. */
function requireMonth(text: string): Month {
  const days = parseMonth(text);
  if (days) return days;
  const message = 'must be a month such as 2026-10.';
  throw new ApiError('INVALID_PARAMETER', `month: ${message}`, {
    details: [{ parameter: 'month', message }],
  });
}
