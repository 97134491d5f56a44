import { Many } from '../../http/schemas.ts';
import {
  describeKey,
  HintBody,
  KeyBody,
  KeyParameter,
  keyView,
  newKeyView,
} from '../../operator/keys.ts';
import { Data } from '../../operator/schemas.ts';
import { KeyView, NewKeyView } from '../../operator/views.ts';
import { notifyOwner } from '../mail.ts';
import { type AnyRoute, defineRoute } from '../route.ts';

/** The API keys of the user's own account. Keys of other accounts are treated as unknown. */
export const KEY_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/keys',
    access: 'account',
    audit: null,
    schema: { response: { 200: Many(KeyView, 'The keys, oldest first.') } },
    async handle({ keys }, { session }) {
      return { data: (await keys.list(session.email)).map(keyView) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/keys',
    creates: true,
    access: 'account',
    isDangerous: true,
    audit: { action: 'key-created', detail: ({ answer }) => describeKey(answer?.data) },
    schema: { body: KeyBody, response: { 201: Data(NewKeyView) } },
    status: 201,
    async handle(services, { body, session, ...call }) {
      const key = await services.keys.create(session.email, body);
      notifyOwner(services, call, session.email, 'key-created');
      return { data: newKeyView(key) };
    },
  }),

  /** Changes the restrictions of a key. Parts that the body omits stay the same. */
  defineRoute({
    method: 'POST',
    path: '/keys/:id',
    access: 'account',
    isDangerous: true,
    audit: { action: 'key-changed', detail: ({ answer }) => describeKey(answer?.data) },
    schema: { params: KeyParameter, body: KeyBody, response: { 200: Data(KeyView) } },
    async handle({ keys }, { params, body, session: { accountId } }) {
      return { data: keyView(await keys.update(params.id, body, { accountId })) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/keys/:id/regenerate',
    creates: true,
    access: 'account',
    audit: {
      action: 'key-changed',
      detail: ({ answer }) => `${describeKey(answer?.data)}, replaced`,
    },
    isDangerous: true,
    schema: { params: KeyParameter, body: HintBody, response: { 200: Data(NewKeyView) } },
    async handle(services, { params, body: { hint }, session: { accountId, email }, ...call }) {
      const key = await services.keys.regenerate(params.id, { accountId, hint });
      notifyOwner(services, call, email, 'key-replaced');
      return { data: newKeyView(key) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/keys/:id/revoke',
    access: 'account',
    audit: { action: 'key-revoked', detail: ({ answer }) => describeKey(answer?.data) },
    schema: { params: KeyParameter, response: { 200: Data(KeyView) } },
    async handle(services, { params, session: { accountId, email }, ...call }) {
      const key = await services.keys.revoke(params.id, { accountId });
      notifyOwner(services, call, email, 'key-revoked');
      return { data: keyView(key) };
    },
  }),
];
