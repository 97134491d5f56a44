import { type Static, Type } from 'typebox';
import type { AccountKey, NewKey } from '../accounts/keys/account-keys.ts';
import { dayOf, formatDay, formatMoment, type Millis } from '../domain/day.ts';
import { ALL_SCOPE_NAMES } from '../domain/key-scopes.ts';
import { Many } from '../http/schemas.ts';
import { defineOperatorCall, type OperatorCall } from './call.ts';
import { Data, Email, moment } from './schemas.ts';
import { KeyView, NewKeyView } from './views.ts';

/** The path of a call about one key. */
export const KeyParameter = Type.Object({
  id: Type.String({ description: 'Id of the key.', examples: ['7'] }),
});

const KeyName = Type.String({
  title: 'The name',
  minLength: 1,
  maxLength: 100,
  examples: ['shop server'],
});

/**
 * Missing fields get the service's defaults in a new key, and keep their value in a changed one.
 */
export const KeyBody = Type.Object({
  name: Type.Optional(KeyName),
  /** The last day (UTC) on which it works, or `never`. */
  expires: Type.Optional(Type.String({ title: 'The expiry date', maxLength: 10 })),
  scopes: Type.Optional(
    Type.Array(Type.String({ enum: [...ALL_SCOPE_NAMES] }), {
      title: 'The list of scopes',
      minItems: 1,
      maxItems: ALL_SCOPE_NAMES.length,
    }),
  ),
  /** Requests per day that it may use from the quota; null for all of them. */
  dailyRequests: Type.Optional(
    Type.Unsafe<number | null>({ title: 'The limit', type: ['integer', 'null'] }),
  ),
  /** Addresses and networks in CIDR notation; none for any. */
  addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), { title: 'The list of addresses', maxItems: 100 }),
  ),
  /** Whether the key is also accepted as `?api_key=`. */
  inQuery: Type.Optional(Type.Boolean({ title: 'The query' })),
});

/** The end of the key that the page shows, because another tab may have replaced the key. */
export const HintBody = Type.Object({
  hint: Type.String({
    title: 'The end of the key',
    minLength: 1,
    maxLength: 10,
    examples: ['x7Qm'],
  }),
});

export const AccountQuery = Type.Object({ email: Email });

/** Operators' restrictions on another account's key: it gets no scopes of operators. */
const KeyOfBody = Type.Object({
  ...KeyBody.properties,
  scopes: Type.Optional(
    Type.Array(Type.String({ enum: ALL_SCOPE_NAMES.filter((name) => !name.includes(':')) }), {
      title: 'The list of scopes',
      minItems: 1,
    }),
  ),
});

const NewKeyOfBody = Type.Object({ ...KeyOfBody.properties, email: Email });

/** The API keys of accounts. Keys with a scope of operators can only be revoked here. */
export const KEY_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'listKeys',
    summary: 'List the API keys of an account.',
    method: 'GET',
    path: '/keys',
    keys: true,
    audit: null,
    schema: { querystring: AccountQuery, response: { 200: Many(KeyView, 'Oldest first.') } },
    async handle({ keys }, { query: { email } }) {
      return { data: (await keys.list(email)).map(keyView) };
    },
  }),

  defineOperatorCall({
    id: 'createKey',
    summary: 'Create an API key for an account. It is shown only once.',
    method: 'POST',
    path: '/keys',
    creates: true,
    keys: true,
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
  }),

  defineOperatorCall({
    id: 'updateKey',
    summary: 'Change the permissions of an API key. Missing fields stay as they are.',
    method: 'POST',
    path: '/keys/:id',
    keys: true,
    isDangerous: true,
    audit: { action: 'key-changed', detail: ({ answer }) => describeKey(answer?.data) },
    schema: { params: KeyParameter, body: KeyOfBody, response: { 200: Data(KeyView) } },
    async handle({ keys }, { params: { id }, body }) {
      return { data: keyView(await keys.update(id, body, { isOrdinary: true })) };
    },
  }),

  defineOperatorCall({
    id: 'regenerateKey',
    summary: 'Replace an API key with a new one.',
    method: 'POST',
    path: '/keys/:id/regenerate',
    creates: true,
    keys: true,
    isDangerous: true,
    audit: {
      action: 'key-changed',
      detail: ({ answer }) => `${describeKey(answer?.data)}, replaced`,
    },
    schema: { params: KeyParameter, body: HintBody, response: { 200: Data(NewKeyView) } },
    async handle({ keys }, { params: { id }, body: { hint } }) {
      return { data: newKeyView(await keys.regenerate(id, { hint, isOrdinary: true })) };
    },
  }),

  defineOperatorCall({
    id: 'revokeKey',
    summary: 'Revoke an API key permanently.',
    method: 'POST',
    path: '/keys/:id/revoke',
    keys: true,
    audit: { action: 'key-revoked', detail: ({ answer }) => describeKey(answer?.data) },
    schema: { params: KeyParameter, response: { 200: Data(KeyView) } },
    async handle({ keys }, { params: { id } }) {
      return { data: keyView(await keys.revoke(id)) };
    },
  }),
];

export function keyView(key: AccountKey): Static<typeof KeyView> {
  const { id, name, hint, status, createdAt, expiresAt, revokedAt, lastUse } = key;
  const { scopes, dailyRequests, usedToday, addresses, inQuery } = key;
  return {
    id,
    name,
    hint,
    status,
    createdAt: formatMoment(createdAt),
    expires: lastDay(expiresAt),
    revokedAt: moment(revokedAt),
    lastUsedAt: moment(lastUse?.at ?? null),
    lastUsedFrom: lastUse?.address || null,
    scopes,
    dailyRequests,
    usedToday,
    addresses,
    inQuery,
  };
}

/** The last day (UTC) before a moment; null for no end. */
export function lastDay(end: Millis | null): string | null {
  return end === null ? null : formatDay(dayOf(end - 1));
}

/** An API key with its secret, which cannot be read again. */
export function newKeyView(key: NewKey): Static<typeof NewKeyView> {
  return { ...keyView(key), key: key.key };
}

/** A key in the audit log. */
export function describeKey(
  key: Pick<Static<typeof KeyView>, 'id' | 'name' | 'hint'> | undefined,
): string {
  return key ? `key ${key.id} "${key.name}" (…${key.hint})` : '';
}
