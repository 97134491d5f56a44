import { type Static, Type } from 'typebox';
import type { Account } from '../../accounts/accounts.ts';
import { resetLink as linkOf, RESET_LINK_MS } from '../../accounts/self-service.ts';
import { formatMoment } from '../../domain/day.ts';
import { ApiError, OperatorError } from '../../domain/errors.ts';
import { PRICE_SOURCES } from '../../domain/sources.ts';
import {
  findValidationRule,
  isApprovable,
  VALIDATION_RULES,
} from '../../domain/validation-rules.ts';
import { Limit, Offset } from '../../http/parameters.ts';
import { Many } from '../../http/schemas.ts';
import type { SourceHealth } from '../../store/health.ts';
import {
  countQuarantinedByRule,
  type ListedQuarantineRow,
  listQuarantined,
} from '../../store/quarantine.ts';
import { defineRoute } from '../route.ts';
import {
  AccountsPage,
  AccountView,
  Data,
  DecisionView,
  EmailBody,
  MAX_QUARANTINED,
  PlanBody,
  type QuarantinedView,
  QuarantineIdsBody,
  QuarantineList,
  ResetLinkView,
  SourceHealthView,
} from '../schemas.ts';
import type { Decision, Services } from '../services.ts';
import { accountView, moment } from './views.ts';

/** The calls of operators. */

const AccountsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 254 })),
  limit: Limit(50, 100),
  offset: Offset,
});

export const accounts = defineRoute({
  method: 'GET',
  path: '/operator/accounts',
  access: 'operator',
  schema: { querystring: AccountsQuery, response: { 200: AccountsPage } },
  async handle(services, { query: { q, limit, offset } }) {
    const page = await services.accounts.page({ ...(q && { q }), limit, offset });
    return { data: page.accounts.map(accountView), total: page.total, limit, offset };
  },
});

export const setPlan = defineRoute({
  method: 'POST',
  path: '/operator/accounts/plan',
  access: 'operator',
  schema: { body: PlanBody, response: { 200: Data(AccountView) } },
  async handle(services, { body: { email, plan } }) {
    return changed(services, await services.accounts.setPlan(email, plan));
  },
});

export const disable = defineRoute({
  method: 'POST',
  path: '/operator/accounts/disable',
  access: 'operator',
  schema: { body: EmailBody, response: { 200: Data(AccountView) } },
  async handle(services, { body: { email } }) {
    return changed(services, await services.accounts.disable(email));
  },
});

export const enable = defineRoute({
  method: 'POST',
  path: '/operator/accounts/enable',
  access: 'operator',
  schema: { body: EmailBody, response: { 200: Data(AccountView) } },
  async handle(services, { body: { email } }) {
    return changed(services, await services.accounts.enable(email));
  },
});

async function changed({ usage }: Services, account: Account) {
  const usedToday = await usage.usedToday(account.id);
  return { data: accountView({ ...account, usedToday }) };
}

export const resetLink = defineRoute({
  method: 'POST',
  path: '/operator/accounts/reset-link',
  access: 'operator',
  schema: { body: EmailBody, response: { 200: Data(ResetLinkView) } },
  async handle({ selfService, publicUrl }, { body: { email }, request }) {
    const { token, expiresAt } = await selfService.resetToken(email, RESET_LINK_MS);
    // Without a setting, others reach the pages as this operator does.
    const origin = publicUrl || `${request.protocol}://${request.host}`;
    return { data: { link: linkOf(origin, token), expiresAt: formatMoment(expiresAt) } };
  },
});

export const sources = defineRoute({
  method: 'GET',
  path: '/operator/sources',
  access: 'operator',
  schema: { response: { 200: Many(SourceHealthView, 'By source and game.') } },
  async handle({ health }) {
    return { data: (await health()).map(healthView) };
  },
});

function healthView(health: SourceHealth): Static<typeof SourceHealthView> {
  const { source, game, succeededAt, observedAt, age, stale, error, errorAt } = health;
  const { priced, cards, quarantined } = health;
  return {
    source,
    game,
    succeededAt: moment(succeededAt),
    observedAt: moment(observedAt),
    age: age === null ? null : Math.floor(age / 1000),
    isStale: stale,
    priced,
    cards,
    quarantined,
    error,
    errorAt: moment(errorAt),
  };
}

const QuarantineQuery = Type.Object({
  source: Type.Optional(Type.String({ enum: PRICE_SOURCES.map(({ name }) => name) })),
  rule: Type.Optional(Type.String({ enum: Object.keys(VALIDATION_RULES) })),
  limit: Limit(50, MAX_QUARANTINED),
});

/** Lists the quarantined prices that wait for the operator, oldest first. */
export const quarantine = defineRoute({
  method: 'GET',
  path: '/operator/quarantine',
  access: 'operator',
  schema: { querystring: QuarantineQuery, response: { 200: QuarantineList } },
  async handle({ store: { db } }, { query: { source, rule, limit } }) {
    const rows = await listQuarantined(db, { source, rule, isDecided: false, limit });
    const counts = (await countQuarantinedByRule(db)).filter((row) => {
      return row.source === (source ?? row.source) && row.rule === (rule ?? row.rule);
    });
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    return { data: rows.map(quarantinedView), total };
  },
});

function quarantinedView(row: ListedQuarantineRow): Static<typeof QuarantinedView> {
  const { id, source, game, card, card_name, printing, rule, detail, quarantined_at } = row;
  return {
    id,
    source,
    game,
    cardId: card,
    cardName: card_name,
    printing,
    rule,
    detail,
    quarantinedAt: formatMoment(quarantined_at),
    isApprovable: isApprovable(findValidationRule(rule) ?? 'price-jump'),
  };
}

export const approve = defineRoute({
  method: 'POST',
  path: '/operator/quarantine/approve',
  access: 'operator',
  schema: { body: QuarantineIdsBody, response: { 200: Data(DecisionView) } },
  handle({ review }, { body: { ids } }) {
    return decided(review.approve({ ids }));
  },
});

export const reject = defineRoute({
  method: 'POST',
  path: '/operator/quarantine/reject',
  access: 'operator',
  schema: { body: QuarantineIdsBody, response: { 200: Data(DecisionView) } },
  handle({ review }, { body: { ids } }) {
    return decided(review.reject({ ids }));
  },
});

/** The body of a decision. It fails with CONFLICT while an import is running. */
async function decided(decision: Promise<Decision>) {
  try {
    return { data: await decision };
  } catch (error) {
    throw error instanceof OperatorError ? new ApiError('CONFLICT', error.message) : error;
  }
}
