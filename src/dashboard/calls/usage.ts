import { formatMoment } from '../../domain/day.ts';
import { burstLimitOf } from '../../http/hooks.ts';
import { Data } from '../../operator/schemas.ts';
import { type AnyRoute, defineRoute } from '../route.ts';
import { RequestsView, UsageView } from '../views.ts';

/** What the own account has used, and what it may use. */
export const USAGE_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/usage',
    access: 'account',
    audit: null,
    schema: { response: { 200: Data(UsageView) } },
    async handle({ usage: report, accounts, burst, keyBurst }, { session }) {
      const { accountId } = session;
      // An operator's session is not limited by the plan, but the keys of the account are.
      const { plan } = session.isOperator ? await accounts.get(accountId) : session;
      const { resetAt, now, ...used } = await report.read(accountId, plan);
      const { historyDays, features } = plan;
      const limits = {
        ...{ burst: burstLimitOf(plan, burst) ?? null, keyBurst },
        ...{ historyDays, features: [...features] },
      };
      return { data: { ...used, limits, resetAt: formatMoment(resetAt), now: formatMoment(now) } };
    },
  }),

  /** What was asked with each key, and the last requests; what is written once a second. */
  defineRoute({
    method: 'GET',
    path: '/requests',
    access: 'account',
    audit: null,
    schema: { response: { 200: Data(RequestsView) } },
    async handle({ usage: report }, { session: { accountId } }) {
      const { counts, recent } = await report.requests(accountId);
      return {
        data: {
          counts: counts.map(({ code, ...count }) => ({ ...count, code: code || null })),
          recent: recent.map(({ at, requestId, keyName, ...request }) => {
            const { endpoint, status, code } = request;
            const ms = Number(request.ms.toFixed(1));
            return { at: formatMoment(at), requestId, keyName, endpoint, status, code, ms };
          }),
        },
      };
    },
  }),
];
