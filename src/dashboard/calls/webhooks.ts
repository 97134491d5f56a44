import { Type } from 'typebox';
import { deliveryView, newWebhookView, webhookView } from '../../accounts/webhooks/webhooks.ts';
import { Many } from '../../http/schemas.ts';
import {
  DeliveryItem,
  NewWebhookView,
  WebhookBody,
  WebhookView,
} from '../../http/webhook-schemas.ts';
import { Data } from '../../operator/schemas.ts';
import { type AnyRoute, defineRoute } from '../route.ts';

const WebhookParameter = Type.Object({ id: Type.String() });
const EventParameter = Type.Object({ id: Type.String(), event: Type.String() });

/** Events sent by hand also appear in the delivery log. */
const SENT = { none: 'the delivery log has it' };

/** The audit entry for a change of a webhook. */
function audited(what: string) {
  return {
    action: 'webhook-changed' as const,
    detail: ({
      answer,
    }: {
      readonly answer?: { readonly data: { readonly id: number } } | undefined;
    }) => {
      return answer ? `webhook ${answer.data.id} ${what}` : '';
    },
  };
}

/** The webhooks of the user's own account. Webhooks of other accounts are treated as unknown. */
export const WEBHOOK_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/webhooks',
    access: 'account',
    audit: null,
    schema: { response: { 200: Many(WebhookView, 'The webhooks, oldest first.') } },
    async handle({ webhooks }, { session }) {
      return { data: (await webhooks.list(session.accountId)).map(webhookView) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/webhooks',
    creates: true,
    access: 'account',
    audit: audited('added'),
    schema: { body: WebhookBody, response: { 201: Data(NewWebhookView) } },
    status: 201,
    async handle({ webhooks }, { body, session }) {
      return { data: newWebhookView(await webhooks.add(session.accountId, body)) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/rotate',
    creates: true,
    access: 'account',
    audit: audited('rotated'),
    schema: { params: WebhookParameter, response: { 200: Data(NewWebhookView) } },
    async handle({ webhooks }, { params: { id }, session: { accountId } }) {
      return { data: newWebhookView(await webhooks.rotate(id, { accountId })) };
    },
  }),

  change('disable', audited('disabled')),
  change('enable', audited('enabled')),
  change('delete', audited('deleted')),
  change('test', SENT),

  defineRoute({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    access: 'account',
    audit: null,
    schema: {
      params: WebhookParameter,
      response: { 200: Many(DeliveryItem, 'The newest events, newest first.') },
    },
    async handle({ webhooks }, { params: { id }, session: { accountId } }) {
      return { data: (await webhooks.deliveries(id, { accountId })).map(deliveryView) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:event/resend',
    access: 'account',
    audit: SENT,
    schema: { params: EventParameter, response: { 200: Data(WebhookView) } },
    async handle({ webhooks }, { params: { id, event }, session: { accountId } }) {
      return { data: webhookView(await webhooks.resend(id, event, { accountId })) };
    },
  }),
];

/** Creates the call that changes one webhook. */
function change(
  name: 'disable' | 'enable' | 'delete' | 'test',
  audit: ReturnType<typeof audited> | typeof SENT,
): AnyRoute {
  return defineRoute({
    method: 'POST',
    path: `/webhooks/:id/${name}`,
    access: 'account',
    audit,
    schema: { params: WebhookParameter, response: { 200: Data(WebhookView) } },
    async handle({ webhooks }, { params: { id }, session: { accountId } }) {
      return { data: webhookView(await webhooks[name](id, { accountId })) };
    },
  });
}
