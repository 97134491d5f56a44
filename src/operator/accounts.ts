import { type Static, Type } from 'typebox';
import type { AccountOrder } from '../accounts/account-sql.ts';
import type { Account, AccountWithUsage } from '../accounts/accounts.ts';
import { limitsView } from '../accounts/quota/usage-report.ts';
import { RESET_LINK_MS, resetLink } from '../accounts/sign-in/self-service.ts';
import { formatMoment } from '../domain/day.ts';
import { FREE } from '../domain/plans.ts';
import { originOf } from '../http/guard.ts';
import { Limit, Offset } from '../http/parameters.ts';
import { defineOperatorCall, type OperatorCall } from './call.ts';
import { AccountQuery } from './keys.ts';
import { Limits, limitsOf } from './limits.ts';
import { Data, Email, EmailBody, moment } from './schemas.ts';
import type { OperatorServices } from './services.ts';
import { AccountsPage, AccountView, ResetLinkView } from './views.ts';

const AccountsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 254 })),
  /** Only the accounts that wait to be confirmed. */
  waiting: Type.Optional(Type.Boolean()),
  /** By address, the newest first, or only those used today, the most used first. */
  sort: Type.Unsafe<AccountOrder>({
    type: 'string',
    enum: ['email', 'newest', 'used'],
    default: 'email',
  }),
  limit: Limit(50, 100),
  offset: Offset,
});

const PlanChoice = Type.String({
  title: 'The plan',
  minLength: 1,
  maxLength: 40,
  examples: ['trader'],
});

const NewAccountBody = Type.Object({ email: Email, plan: Type.Optional(PlanChoice) });

const LimitsBody = Type.Object({ email: Email, limits: Limits });

const OperatorBody = Type.Object({
  email: Email,
  isOperator: Type.Boolean({ title: 'Whether it is an operator' }),
});

/** The id of a deleted account. */
const DeletedView = Type.Object({
  account: Type.Integer({ description: 'Its id, which the audit log keeps.' }),
});

/** Second factors that were removed. */
const RemovedView = Type.Object({ removed: Type.Integer() });

const PlanBody = Type.Object({ email: Email, plan: PlanChoice });

/** Accounts: who has one, its plan and limits, and who may sign in. */
export const ACCOUNT_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'listAccounts',
    summary: 'List accounts, with their usage of today.',
    method: 'GET',
    path: '/accounts',
    keys: true,
    audit: null,
    schema: { querystring: AccountsQuery, response: { 200: AccountsPage } },
    async handle({ accounts: all }, { query: { q, waiting: isWaiting = false, ...asked } }) {
      const { limit, offset } = asked;
      const page = await all.page({ ...(q && { q }), isWaiting, ...asked });
      const waiting = await all.countWaiting();
      return { data: page.accounts.map(accountView), total: page.total, waiting, limit, offset };
    },
  }),

  defineOperatorCall({
    id: 'readAccount',
    summary: 'Read an account, with its usage of today.',
    method: 'GET',
    path: '/account',
    keys: true,
    audit: null,
    schema: { querystring: AccountQuery, response: { 200: Data(AccountView) } },
    async handle(services, { query: { email } }) {
      return answerOf(services, await services.accounts.find(email));
    },
  }),

  defineOperatorCall({
    id: 'createAccount',
    summary: 'Create an account.',
    method: 'POST',
    path: '/accounts',
    creates: true,
    keys: true,
    isDangerous: true,
    audit: {
      action: 'account-created',
      subject: ({ body }) => body.email,
      detail: ({ answer }) => `on the plan ${answer?.data.plan}`,
    },
    schema: { body: NewAccountBody, response: { 201: Data(AccountView) } },
    status: 201,
    async handle({ accounts }, { body: { email, plan = FREE } }) {
      return { data: accountView({ ...(await accounts.create(email, plan)), usedToday: 0 }) };
    },
  }),

  defineOperatorCall({
    id: 'confirmAccount',
    summary: 'Confirm the e-mail address of an account that signed up.',
    method: 'POST',
    path: '/accounts/confirm',
    keys: true,
    isDangerous: true,
    audit: { action: 'account-verified', subject: ({ body }) => body.email },
    schema: { body: EmailBody, response: { 200: Data(AccountView) } },
    async handle(services, { body: { email }, session }) {
      return answerOf(services, await services.accounts.confirm(email, session));
    },
  }),

  defineOperatorCall({
    id: 'setAccountPlan',
    summary: 'Move an account to another plan.',
    method: 'POST',
    path: '/accounts/plan',
    keys: true,
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
  }),

  defineOperatorCall({
    id: 'setAccountLimits',
    summary: 'Give an account other limits than its plan.',
    method: 'POST',
    path: '/accounts/limits',
    keys: true,
    isDangerous: true,
    audit: {
      action: 'plan-changed',
      subject: ({ body }) => body.email,
      detail: ({ body }) => `limits ${JSON.stringify(body.limits)}`,
    },
    schema: { body: LimitsBody, response: { 200: Data(AccountView) } },
    async handle(services, { body: { email, limits } }) {
      return answerOf(services, await services.accounts.setLimits(email, limitsOf(limits)));
    },
  }),

  defineOperatorCall({
    id: 'setOperator',
    summary: 'Give an account the operator role, or remove it.',
    method: 'POST',
    path: '/accounts/operator',
    keys: {
      refusal:
        'API keys cannot change who is an operator. Use the page Accounts, or ' +
        '`cardprice account set-operator`.',
    },
    audit: {
      action: 'operator-changed',
      subject: ({ body }) => body.email,
      detail: ({ body }) => (body.isOperator ? 'on' : 'off'),
    },
    isDangerous: true,
    notice: ({ email, isOperator }) => {
      return { to: email, kind: isOperator ? 'operator-added' : 'operator-removed' };
    },
    schema: { body: OperatorBody, response: { 200: Data(AccountView) } },
    async handle(services, { body: { email, isOperator }, session }) {
      return answerOf(services, await services.accounts.setOperator(email, isOperator, session));
    },
  }),

  defineOperatorCall({
    id: 'disableAccount',
    summary: 'Disable the keys and the password of an account.',
    method: 'POST',
    path: '/accounts/disable',
    keys: true,
    audit: { action: 'account-disabled', subject: ({ body }) => body.email },
    isDangerous: true,
    schema: { body: EmailBody, response: { 200: Data(AccountView) } },
    async handle(services, { body: { email }, session }) {
      return answerOf(services, await services.accounts.disable(email, session));
    },
  }),

  defineOperatorCall({
    id: 'enableAccount',
    summary: 'Enable the keys and the password of an account again.',
    method: 'POST',
    path: '/accounts/enable',
    keys: true,
    audit: { action: 'account-enabled', subject: ({ body }) => body.email },
    isDangerous: true,
    schema: { body: EmailBody, response: { 200: Data(AccountView) } },
    async handle(services, { body: { email }, session }) {
      return answerOf(services, await services.accounts.enable(email, session));
    },
  }),

  defineOperatorCall({
    id: 'deleteAccount',
    summary: 'Delete an account and all its data permanently.',
    method: 'POST',
    path: '/accounts/delete',
    keys: true,
    isDangerous: true,
    // The address no longer exists when the entry is written, so the log names the account by its
    // id.
    audit: { action: 'account-deleted', subject: ({ answer }) => answer?.data.account ?? null },
    schema: { body: EmailBody, response: { 200: Data(DeletedView) } },
    async handle({ accounts }, { body: { email }, session }) {
      const { id } = await accounts.delete(email, session);
      return { data: { account: id } };
    },
  }),

  defineOperatorCall({
    id: 'createResetLink',
    summary: 'Create a link that sets a password once.',
    method: 'POST',
    path: '/accounts/reset-link',
    creates: true,
    keys: {
      refusal:
        'API keys cannot make links that set a password. Use the page Accounts, or ' +
        '`cardprice account reset-link`.',
    },
    audit: { action: 'reset-link-made', subject: ({ body }) => body.email },
    isDangerous: true,
    notice: ({ email }) => ({ to: email, kind: 'reset-link-made' }),
    schema: { body: EmailBody, response: { 200: Data(ResetLinkView) } },
    async handle({ selfService, publicUrl }, { body: { email }, request }) {
      const { token, expiresAt } = await selfService.resetToken(email, RESET_LINK_MS);
      // Without a setting, links use the address at which this operator reaches the pages.
      const origin = publicUrl || originOf(request);
      return { data: { link: resetLink(origin, token), expiresAt: formatMoment(expiresAt) } };
    },
  }),

  defineOperatorCall({
    id: 'removeSecondFactors',
    summary: 'Remove the second factors of an account whose owner has lost them, and sign it out.',
    method: 'POST',
    path: '/accounts/remove-second-factors',
    keys: {
      refusal:
        'API keys cannot remove second factors. Use the page Accounts, or ' +
        '`cardprice account remove-second-factor`.',
    },
    isDangerous: true,
    audit: {
      action: 'second-factor-changed',
      subject: ({ body }) => body.email,
      detail: () => 'all were removed',
    },
    notice: ({ email }) => ({ to: email, kind: 'second-factors-removed' }),
    schema: { body: EmailBody, response: { 200: Data(RemovedView) } },
    async handle({ secondFactors }, { body: { email } }) {
      return { data: { removed: await secondFactors.removeAll(email) } };
    },
  }),
];

async function answerOf({ usage }: OperatorServices, account: Account) {
  const usedToday = await usage.usedToday(account.id);
  return { data: accountView({ ...account, usedToday }) };
}

function accountView(account: AccountWithUsage): Static<typeof AccountView> {
  const { email, plan, limits, isOperator, usedToday, createdAt, disabledAt, verifiedAt } = account;
  return {
    email,
    plan: plan.name,
    limits: limits && (limitsView(limits) as Static<typeof AccountView>['limits']),
    isOperator,
    usedToday,
    dailyRequests: plan.dailyRequests,
    createdAt: formatMoment(createdAt),
    disabledAt: moment(disabledAt),
    isConfirmed: verifiedAt !== null,
  };
}
