import { type Static, Type } from 'typebox';
import type { AccountOrder } from '../../accounts/account-list-sql.ts';
import type { Account } from '../../accounts/accounts.ts';
import { resetLink as linkOf, RESET_LINK_MS } from '../../accounts/sign-in/self-service.ts';
import { formatMoment } from '../../domain/day.ts';
import { Limit, Offset } from '../../http/parameters.ts';
import { Many } from '../../http/schemas.ts';
import type { StoredPartFault } from '../../store/catalogue/failed-parts.ts';
import type { SourceHealth } from '../../store/reports/health.ts';
import { AccountQuery, OperatorBody } from '../operator-schemas.ts';
import { defineRoute } from '../route.ts';
import {
  AccountsPage,
  AccountView,
  Data,
  EmailBody,
  type FailedPartView,
  PlanBody,
  ResetLinkView,
  SourceHealthView,
} from '../schemas.ts';
import type { Services } from '../services.ts';
import { accountView, moment } from './views.ts';

/** The calls of operators. */

const AccountsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 254 })),
  /** Only the accounts that wait to be confirmed. */
  waiting: Type.Optional(Type.Boolean()),
  /** By address, the newest first, or only those used today, the most used first. */
  sort: Type.Unsafe<AccountOrder>({
    ...{ type: 'string', enum: ['email', 'newest', 'used'], default: 'email' },
  }),
  limit: Limit(50, 100),
  offset: Offset,
});

export const accounts = defineRoute({
  method: 'GET',
  path: '/operator/accounts',
  access: 'operator',
  audit: null,
  schema: { querystring: AccountsQuery, response: { 200: AccountsPage } },
  async handle({ accounts: all }, { query: { q, waiting: isWaiting = false, ...asked } }) {
    const { limit, offset } = asked;
    const page = await all.page({ ...(q && { q }), isWaiting, ...asked });
    const waiting = await all.countWaiting();
    return { data: page.accounts.map(accountView), total: page.total, waiting, limit, offset };
  },
});

/** Reads one account. */
export const account = defineRoute({
  method: 'GET',
  path: '/operator/account',
  access: 'operator',
  audit: null,
  schema: { querystring: AccountQuery, response: { 200: Data(AccountView) } },
  async handle(services, { query: { email } }) {
    return answerOf(services, await services.accounts.find(email));
  },
});

/** Lets somebody sign in who signed up. */
export const confirm = defineRoute({
  method: 'POST',
  path: '/operator/accounts/confirm',
  access: 'operator',
  isDangerous: true,
  audit: { action: 'account-verified', subject: ({ body }) => body.email },
  schema: { body: EmailBody, response: { 200: Data(AccountView) } },
  async handle(services, { body: { email } }) {
    return answerOf(services, await services.accounts.confirm(email));
  },
});

export const setPlan = defineRoute({
  method: 'POST',
  path: '/operator/accounts/plan',
  access: 'operator',
  audit: {
    action: 'plan-changed',
    subject: ({ body }) => body.email,
    detail: ({ body }) => `to ${body.plan}`,
  },
  isDangerous: true,
  schema: { body: PlanBody, response: { 200: Data(AccountView) } },
  async handle(services, { body: { email, plan } }) {
    return answerOf(services, await services.accounts.setPlan(email, plan));
  },
});

/** Makes an account an operator, or takes that away; never from who asks, nor from the last one. */
export const setOperator = defineRoute({
  method: 'POST',
  path: '/operator/accounts/operator',
  access: 'operator',
  audit: {
    action: 'operator-changed',
    subject: ({ body }) => body.email,
    detail: ({ body }) => (body.isOperator ? 'on' : 'off'),
  },
  isDangerous: true,
  schema: { body: OperatorBody, response: { 200: Data(AccountView) } },
  async handle(services, { body: { email, isOperator }, session }) {
    return answerOf(services, await services.accounts.setOperator(email, isOperator, session));
  },
});

export const disable = defineRoute({
  method: 'POST',
  path: '/operator/accounts/disable',
  access: 'operator',
  audit: { action: 'account-disabled', subject: ({ body }) => body.email },
  isDangerous: true,
  schema: { body: EmailBody, response: { 200: Data(AccountView) } },
  async handle(services, { body: { email }, session }) {
    return answerOf(services, await services.accounts.disable(email, session));
  },
});

export const enable = defineRoute({
  method: 'POST',
  path: '/operator/accounts/enable',
  access: 'operator',
  audit: { action: 'account-enabled', subject: ({ body }) => body.email },
  isDangerous: true,
  schema: { body: EmailBody, response: { 200: Data(AccountView) } },
  async handle(services, { body: { email } }) {
    return answerOf(services, await services.accounts.enable(email));
  },
});

async function answerOf({ usage }: Services, account: Account) {
  const usedToday = await usage.usedToday(account.id);
  return { data: accountView({ ...account, usedToday }) };
}

export const resetLink = defineRoute({
  method: 'POST',
  path: '/operator/accounts/reset-link',
  access: 'operator',
  audit: { action: 'reset-link-made', subject: ({ body }) => body.email },
  isDangerous: true,
  schema: { body: EmailBody, response: { 200: Data(ResetLinkView) } },
  async handle({ selfService, publicUrl }, { body: { email }, request }) {
    const { token, expiresAt } = await selfService.resetToken(email, RESET_LINK_MS);
    // Without a setting, others reach the pages as this operator does.
    const origin = publicUrl || `${request.protocol}://${request.headers.host}`;
    return { data: { link: linkOf(origin, token), expiresAt: formatMoment(expiresAt) } };
  },
});

export const sources = defineRoute({
  method: 'GET',
  path: '/operator/sources',
  access: 'operator',
  audit: null,
  schema: { response: { 200: Many(SourceHealthView, 'By source and game.') } },
  async handle({ health }) {
    return { data: (await health()).map(healthView) };
  },
});

/** The failed parts of a row that are shown; all are counted. */
const MAX_FAILED_PARTS = 5;

function healthView(health: SourceHealth): Static<typeof SourceHealthView> {
  const { source, game, succeededAt, observedAt, age, watched, stale, error, errorAt } = health;
  const { priced, cards, quarantined, failedParts } = health;
  return {
    source,
    game,
    succeededAt: moment(succeededAt),
    observedAt: moment(observedAt),
    age: age === null ? null : Math.floor(age / 1000),
    isWatched: watched,
    isStale: stale,
    priced,
    cards,
    quarantined,
    failedPartCount: failedParts.length,
    failedParts: failedParts.slice(0, MAX_FAILED_PARTS).map(failedPartView),
    error,
    errorAt: moment(errorAt),
  };
}

function failedPartView(failed: StoredPartFault): Static<typeof FailedPartView> {
  const { part, since, badRows, examples } = failed;
  const [first] = examples;
  const example = first ? `${first.name}: ${first.reason}` : '';
  return { part, since: formatMoment(since), badRows, example };
}
