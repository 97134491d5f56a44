import type { Static } from 'typebox';
import { IdParameter } from '../../http/parameters.ts';
import { Many } from '../../http/schemas.ts';
import { defineRoute } from '../route.ts';
import { Data, HintBody, KeyBody, KeyView, NewKeyView } from '../schemas.ts';
import { keyView, newKeyView } from './views.ts';

/** The calls for the API keys of an account. The keys of other accounts are unknown to them. */

/** A key in the audit log. */
export function describeKey(
  key: Pick<Static<typeof KeyView>, 'id' | 'name' | 'hint'> | undefined,
): string {
  return key ? `key ${key.id} "${key.name}" (…${key.hint})` : '';
}

export const list = defineRoute({
  method: 'GET',
  path: '/keys',
  access: 'account',
  audit: null,
  schema: { response: { 200: Many(KeyView, 'The keys, oldest first.') } },
  async handle({ keys }, { session }) {
    return { data: (await keys.list(session.email)).map(keyView) };
  },
});

export const create = defineRoute({
  method: 'POST',
  path: '/keys',
  access: 'account',
  audit: { action: 'key-created', detail: ({ answer }) => describeKey(answer?.data) },
  schema: { body: KeyBody, response: { 201: Data(NewKeyView) } },
  status: 201,
  async handle({ keys }, { body, session }) {
    return { data: newKeyView(await keys.create(session.email, body)) };
  },
});

/** Changes what a key may do; what the body leaves out stays. */
export const update = defineRoute({
  method: 'POST',
  path: '/keys/:id',
  access: 'account',
  audit: { action: 'key-changed', detail: ({ answer }) => describeKey(answer?.data) },
  schema: { params: IdParameter, body: KeyBody, response: { 200: Data(KeyView) } },
  async handle({ keys }, { params, body, session: { accountId } }) {
    return { data: keyView(await keys.update(params.id, body, { accountId })) };
  },
});

export const regenerate = defineRoute({
  method: 'POST',
  path: '/keys/:id/regenerate',
  access: 'account',
  audit: {
    action: 'key-changed',
    detail: ({ answer }) => `${describeKey(answer?.data)}, replaced`,
  },
  schema: { params: IdParameter, body: HintBody, response: { 200: Data(NewKeyView) } },
  async handle({ keys }, { params, body: { hint }, session: { accountId } }) {
    return { data: newKeyView(await keys.regenerate(params.id, { accountId, hint })) };
  },
});

export const revoke = defineRoute({
  method: 'POST',
  path: '/keys/:id/revoke',
  access: 'account',
  audit: { action: 'key-revoked', detail: ({ answer }) => describeKey(answer?.data) },
  schema: { params: IdParameter, response: { 200: Data(KeyView) } },
  async handle({ keys }, { params, session: { accountId } }) {
    return { data: keyView(await keys.revoke(params.id, { accountId })) };
  },
});
