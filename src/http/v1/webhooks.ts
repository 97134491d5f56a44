import { Type } from 'typebox';
import { AuditLog } from '../../accounts/audit/audit.ts';
import {
  deliveryView,
  type NewWebhook,
  newWebhookView,
  type Webhook,
  type Webhooks,
  webhookView,
} from '../../accounts/webhooks/webhooks.ts';
import type { Store } from '../../store/connect.ts';
import { Many, One } from '../schemas.ts';
import { DeliveryItem, WebhookBody, WebhookItem } from '../webhook-schemas.ts';
import { accountOf, Creation, defineEndpoint, type Resources } from './endpoint.ts';

/** The webhooks of the caller's account. Webhooks of other accounts are treated as unknown. */

const OF_CALLER = { scope: 'webhooks', isOfCaller: true } as const;

const WebhookPath = Type.Object({
  id: Type.String({ description: 'Id of the webhook.', examples: ['1'] }),
});

/** The errors of a call that changes something. */
const CHANGE_ERRORS = [
  'WEBHOOK_REFUSED',
  'INVALID_BODY',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const;

export const listWebhooks = defineEndpoint({
  ...OF_CALLER,
  method: 'GET',
  path: '/v1/webhooks',
  errors: [],
  schema: {
    operationId: 'listWebhooks',
    summary: 'List your webhooks',
    description: 'The oldest first.',
    response: { 200: Many(WebhookItem, 'The webhooks.') },
  },
  async answer({ webhooks }, _request, _history, caller) {
    return { data: (await webhooks.list(accountOf(caller))).map(webhookView) };
  },
});

export const createWebhook = defineEndpoint({
  ...OF_CALLER,
  method: 'POST',
  path: '/v1/webhooks',
  creates: true,
  errors: CHANGE_ERRORS,
  schema: {
    operationId: 'createWebhook',
    summary: 'Make a webhook',
    description: 'The answer has its secret, which is shown only now.',
    body: WebhookBody,
    response: { 200: One(WebhookItem) },
  },
  async answer(resources, { body }, _history, caller) {
    const accountId = accountOf(caller);
    return new Creation(async (store) => {
      const webhook = await resources.webhooks.within(store).add(accountId, body);
      await audit(resources, store, { accountId, detail: `webhook ${webhook.id} added` });
      return { data: newWebhookView(webhook) };
    });
  },
});

/** The changes of a webhook, by the last part of the path, with their wording in the audit log. */
const CHANGES = {
  enable: 'enabled',
  disable: 'disabled',
  rotate: 'rotated',
  test: undefined,
  delete: 'deleted',
} as const satisfies Partial<Record<keyof Webhooks, string | undefined>>;

type ChangeName = keyof typeof CHANGES;

const ChangePath = Type.Object({
  ...WebhookPath.properties,
  change: Type.Unsafe<ChangeName>({
    type: 'string',
    enum: Object.keys(CHANGES) as ChangeName[],
    description: 'After `rotate` the old secret signs as well for a day.',
  }),
});

export const changeWebhook = defineEndpoint({
  ...OF_CALLER,
  method: 'POST',
  path: '/v1/webhooks/:id/:change',
  creates: true,
  errors: ['WEBHOOK_NOT_FOUND', ...CHANGE_ERRORS],
  schema: {
    operationId: 'changeWebhook',
    summary: 'Change, test or delete a webhook',
    description: 'A webhook that is disabled loses what waits for it.',
    params: ChangePath,
    response: { 200: One(WebhookItem) },
  },
  async answer(resources, { params: { id, change } }, _history, caller) {
    const accountId = accountOf(caller);
    return new Creation(async (store) => {
      const webhook = await resources.webhooks.within(store)[change](id, { accountId });
      const done = CHANGES[change];
      const detail = `webhook ${webhook.id} ${done}`;
      if (done) await audit(resources, store, { accountId, detail });
      return { data: isNew(webhook) ? newWebhookView(webhook) : webhookView(webhook) };
    });
  },
});

export const listDeliveries = defineEndpoint({
  ...OF_CALLER,
  method: 'GET',
  path: '/v1/webhooks/:id/deliveries',
  errors: ['WEBHOOK_NOT_FOUND'],
  schema: {
    operationId: 'listDeliveries',
    summary: 'List what was sent to a webhook',
    description: 'The newest 50 events, the newest first.',
    params: WebhookPath,
    response: { 200: Many(DeliveryItem, 'The events.') },
  },
  async answer({ webhooks }, { params: { id } }, _history, caller) {
    const events = await webhooks.deliveries(id, { accountId: accountOf(caller) });
    return { data: events.map(deliveryView) };
  },
});

const DeliveryPath = Type.Object({
  ...WebhookPath.properties,
  event: Type.String({ description: 'Id of the event.', examples: ['alert_0f3c'] }),
});

export const resendDelivery = defineEndpoint({
  ...OF_CALLER,
  method: 'POST',
  path: '/v1/webhooks/:id/deliveries/:event/resend',
  errors: ['WEBHOOK_NOT_FOUND', ...CHANGE_ERRORS],
  schema: {
    operationId: 'resendDelivery',
    summary: 'Send an event again',
    description: 'With the same id and the same bytes.',
    params: DeliveryPath,
    response: { 200: One(WebhookItem) },
  },
  async answer({ webhooks }, { params: { id, event } }, _history, caller) {
    const webhook = await webhooks.resend(id, event, { accountId: accountOf(caller) });
    return { data: webhookView(webhook) };
  },
});

/** Whether a webhook has a new secret. */
function isNew(webhook: Webhook): webhook is NewWebhook {
  return 'secret' in webhook;
}

/** Records in the audit log that an account's key changed a webhook. */
async function audit(
  { clock }: Pick<Resources, 'clock'>,
  store: Store,
  { accountId, detail }: { readonly accountId: number; readonly detail: string },
): Promise<void> {
  const actor = { kind: 'account', account: accountId, address: null, requestId: null } as const;
  const entry = { subject: accountId, detail: `${detail} by an API key` };
  await new AuditLog(store, clock).record('webhook-changed', actor, entry);
}
