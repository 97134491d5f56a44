import type { Static } from 'typebox';
import { IdParameter } from '../../http/parameters.ts';
import { Many } from '../../http/schemas.ts';
import type { AccountRoute } from '../routes.ts';
import { Data, HintBody, KeyView, NewKeyBody, NewKeyView } from '../schemas.ts';
import { keyView, newKeyView } from './views.ts';

/** The keys of an account: those of another are unknown. */

export const list: AccountRoute = {
  method: 'GET',
  path: '/keys',
  access: 'account',
  schema: { response: { 200: Many(KeyView, 'The keys, oldest first.') } },
  async handle({ keys }, { who }) {
    return { data: (await keys.list(who.email)).map(keyView) };
  },
};

export const create: AccountRoute = {
  method: 'POST',
  path: '/keys',
  access: 'account',
  schema: { body: NewKeyBody, response: { 201: Data(NewKeyView) } },
  status: 201,
  async handle({ keys }, { request, who }) {
    const options = request.body as Static<typeof NewKeyBody>;
    return { data: newKeyView(await keys.create(who.email, options)) };
  },
};

export const regenerate: AccountRoute = {
  method: 'POST',
  path: '/keys/:id/regenerate',
  access: 'account',
  schema: { params: IdParameter, body: HintBody, response: { 200: Data(NewKeyView) } },
  async handle({ keys }, { request, who: { accountId } }) {
    const { id } = request.params as Static<typeof IdParameter>;
    const { hint } = request.body as Static<typeof HintBody>;
    return { data: newKeyView(await keys.regenerate(id, { accountId, hint })) };
  },
};

export const revoke: AccountRoute = {
  method: 'POST',
  path: '/keys/:id/revoke',
  access: 'account',
  schema: { params: IdParameter, response: { 200: Data(KeyView) } },
  async handle({ keys }, { request, who: { accountId } }) {
    const { id } = request.params as Static<typeof IdParameter>;
    return { data: keyView(await keys.revoke(id, { accountId })) };
  },
};
