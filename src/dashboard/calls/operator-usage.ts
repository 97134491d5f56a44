import { Readable } from 'node:stream';
import {
  countDeleted,
  monthUsageCsv,
  monthUsageView,
  readMonthUsage,
} from '../../accounts/quota/month-usage.ts';
import { type Month, parseMonth } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { MonthQuery, MonthUsages } from '../operator-schemas.ts';
import { defineRoute } from '../route.ts';

/** The calls by which operators read what accounts used in a month, for invoices. */

export const month = defineRoute({
  method: 'GET',
  path: '/operator/usage',
  access: 'operator',
  audit: null,
  schema: { querystring: MonthQuery, response: { 200: MonthUsages } },
  async handle({ store }, { query }) {
    const days = requireMonth(query.month);
    const usages = await Array.fromAsync(readMonthUsage(store, days));
    return { data: usages.map(monthUsageView), deleted: await countDeleted(store, days) };
  },
});

export const monthCsv = defineRoute({
  method: 'GET',
  path: '/operator/usage.csv',
  access: 'operator',
  audit: null,
  schema: { querystring: MonthQuery },
  async handle({ store }, { query, reply }) {
    const lines = monthUsageCsv(readMonthUsage(store, requireMonth(query.month)));
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="usage-${query.month}.csv"`);
    return Readable.from(lines);
  },
});

/** @throws ApiError when the text is no month. */
function requireMonth(text: string): Month {
  const days = parseMonth(text);
  if (days) return days;
  const message = 'must be a month such as 2026-10.';
  throw new ApiError('INVALID_PARAMETER', `month: ${message}`, {
    details: [{ parameter: 'month', message }],
  });
}
