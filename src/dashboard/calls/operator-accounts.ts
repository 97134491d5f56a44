import { FREE } from '../../domain/plans.ts';
import { IdParameter } from '../../http/parameters.ts';
import { Many } from '../../http/schemas.ts';
import {
  AccountQuery,
  DeletedView,
  KeyOfBody,
  LimitsBody,
  NewAccountBody,
  NewKeyOfBody,
  RemovedView,
} from '../operator-schemas.ts';
import { defineRoute } from '../route.ts';
import { AccountView, Data, EmailBody, HintBody, KeyView, NewKeyView } from '../schemas.ts';
import { describeKey } from './keys.ts';
import { limitsOf } from './plan-parts.ts';
import { accountView, keyView, newKeyView } from './views.ts';

/** The calls by which operators make, limit and delete accounts, and manage their API keys. */

export const create = defineRoute({
  method: 'POST',
  path: '/operator/accounts',
  access: 'operator',
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
});

export const setLimits = defineRoute({
  method: 'POST',
  path: '/operator/accounts/limits',
  access: 'operator',
  isDangerous: true,
  audit: {
    action: 'plan-changed',
    subject: ({ body }) => body.email,
    detail: ({ body }) => `limits ${JSON.stringify(body.limits)}`,
  },
  schema: { body: LimitsBody, response: { 200: Data(AccountView) } },
  async handle({ accounts, usage }, { body: { email, limits } }) {
    const account = await accounts.setLimits(email, limitsOf(limits));
    return { data: accountView({ ...account, usedToday: await usage.usedToday(account.id) }) };
  },
});

export const remove = defineRoute({
  method: 'POST',
  path: '/operator/accounts/delete',
  access: 'operator',
  isDangerous: true,
  // The address is gone when the entry is written: the log knows the account by its id.
  audit: { action: 'account-deleted', subject: ({ answer }) => answer?.data.account ?? null },
  schema: { body: EmailBody, response: { 200: Data(DeletedView) } },
  async handle({ accounts }, { body: { email }, session }) {
    const { id } = await accounts.delete(email, session);
    return { data: { account: id } };
  },
});

/** For an owner who has lost them: after this, the password alone is enough to sign in. */
export const removeSecondFactors = defineRoute({
  method: 'POST',
  path: '/operator/accounts/remove-second-factors',
  access: 'operator',
  isDangerous: true,
  audit: {
    action: 'second-factor-changed',
    subject: ({ body }) => body.email,
    detail: () => 'all were removed',
  },
  schema: { body: EmailBody, response: { 200: Data(RemovedView) } },
  async handle({ secondFactors }, { body: { email } }) {
    return { data: { removed: await secondFactors.removeAll(email) } };
  },
});

export const listKeys = defineRoute({
  method: 'GET',
  path: '/operator/keys',
  access: 'operator',
  audit: null,
  schema: { querystring: AccountQuery, response: { 200: Many(KeyView, 'Oldest first.') } },
  async handle({ keys }, { query: { email } }) {
    return { data: (await keys.list(email)).map(keyView) };
  },
});

export const createKey = defineRoute({
  method: 'POST',
  path: '/operator/keys',
  access: 'operator',
  isDangerous: true,
  audit: {
    action: 'key-created',
    subject: ({ body }) => body.email,
    detail: ({ answer }) => describeKey(answer?.data),
  },
  schema: { body: NewKeyOfBody, response: { 201: Data(NewKeyView) } },
  status: 201,
  async handle({ keys }, { body: { email, ...options } }) {
    return { data: newKeyView(await keys.create(email, options)) };
  },
});

/** Changes what a key may do; what the body leaves out stays. */
export const updateKey = defineRoute({
  method: 'POST',
  path: '/operator/keys/:id',
  access: 'operator',
  isDangerous: true,
  audit: { action: 'key-changed', detail: ({ answer }) => describeKey(answer?.data) },
  schema: { params: IdParameter, body: KeyOfBody, response: { 200: Data(KeyView) } },
  async handle({ keys }, { params: { id }, body }) {
    return { data: keyView(await keys.update(id, body, { isOrdinary: true })) };
  },
});

export const regenerateKey = defineRoute({
  method: 'POST',
  path: '/operator/keys/:id/regenerate',
  access: 'operator',
  isDangerous: true,
  audit: {
    action: 'key-changed',
    detail: ({ answer }) => `${describeKey(answer?.data)}, replaced`,
  },
  schema: { params: IdParameter, body: HintBody, response: { 200: Data(NewKeyView) } },
  async handle({ keys }, { params: { id }, body: { hint } }) {
    return { data: newKeyView(await keys.regenerate(id, { hint, isOrdinary: true })) };
  },
});

export const revokeKey = defineRoute({
  method: 'POST',
  path: '/operator/keys/:id/revoke',
  access: 'operator',
  audit: { action: 'key-revoked', detail: ({ answer }) => describeKey(answer?.data) },
  schema: { params: IdParameter, response: { 200: Data(KeyView) } },
  async handle({ keys }, { params: { id } }) {
    return { data: keyView(await keys.revoke(id)) };
  },
});
