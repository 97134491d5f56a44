import { Type } from 'typebox';
import type { UsageDay } from '../../accounts/quota/usage-report.ts';
import { formatMoment } from '../../domain/day.ts';
import { DayText, One, Text } from '../schemas.ts';
import { accountOf, defineEndpoint } from './endpoint.ts';

const Limit = Type.Integer({ description: 'Requests per day (UTC).' });
const Used = Type.Integer({ description: 'Requests charged today, without this one.' });
const Remaining = Type.Integer({ description: 'Requests left today, with this one.' });

const Day = Type.Object({
  date: DayText,
  requests: Type.Integer({ description: 'All requests, charged or not.' }),
  errors: Type.Integer({ description: 'Those that were answered with an error.' }),
});

const UsageItem = Type.Object(
  {
    plan: Text('The plan of the account.', 'trader'),
    limit: Limit,
    used: Used,
    remaining: Remaining,
    resetAt: Text('When the quota resets: ISO 8601, UTC.', '2026-01-30T00:00:00Z'),
    key: Type.Unsafe<{ limit: number; used: number; remaining: number } | null>({
      type: ['object', 'null'],
      title: 'KeyUsage',
      description: 'The limit of the API key itself; null if it has none.',
      properties: { limit: Limit, used: Used, remaining: Remaining },
      required: ['limit', 'used', 'remaining'],
    }),
    days: Type.Array(Day, { description: 'The last 30 days, oldest first.' }),
  },
  { $id: 'Usage', title: 'Usage', description: 'What an account has used.' },
);

export const usage = defineEndpoint({
  method: 'GET',
  path: '/v1/usage',
  isOfCaller: true,
  alwaysChanges: true,
  errors: [],
  schema: {
    operationId: 'getUsage',
    summary: 'Read what your account has used',
    description: 'The quota of today, and the requests of the last 30 days. Costs one request.',
    response: { 200: One(UsageItem) },
  },
  async answer({ usage: report }, _request, _history, caller) {
    const { plan, access, keyUsedToday = 0 } = caller;
    const { limit, used, remaining, resetAt, days } = await report.read(accountOf(caller), plan);
    const own = access?.dailyRequests ?? null;
    const key = own === null ? null : quotaOf(own, keyUsedToday);
    const quota = { limit, used, remaining, resetAt: formatMoment(resetAt) };
    return { data: { plan: plan.name, ...quota, key, days: days.map(dayView) } };
  },
});

function quotaOf(limit: number, used: number) {
  return { limit, used, remaining: Math.max(0, limit - used) };
}

function dayView({ date, requests }: UsageDay) {
  const errors = requests.filter(({ statusClass }) => statusClass >= 4);
  return { date, requests: sum(requests), errors: sum(errors) };
}

function sum(counts: UsageDay['requests']): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
