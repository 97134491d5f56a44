import { Type } from 'typebox';
import { MAX_WEBHOOK_URL } from '../accounts/webhooks/webhook-url.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../domain/webhooks.ts';
import { NullableText, Titled } from './schemas.ts';

/** The schemas of webhooks for the API and the pages. */

const Count = (description: string) => Type.Integer({ description });

const Moment = (description: string) => Type.String({ description });

const Event = Titled(
  'WebhookEvent',
  Type.Unsafe<WebhookEventType>({
    type: 'string',
    enum: WEBHOOK_EVENT_TYPES,
    description: 'The type of an event.',
  }),
);

const Events = Type.Array(Event, {
  title: 'The list of events',
  description: 'The events that it gets.',
  minItems: 1,
  maxItems: WEBHOOK_EVENT_TYPES.length,
});

/** The body of a new webhook. */
export const WebhookBody = Type.Object(
  {
    url: Type.String({
      title: 'The URL',
      description: 'A public https address, or one of Discord or Slack.',
      minLength: 1,
      maxLength: MAX_WEBHOOK_URL,
      examples: ['https://shop.example/prices'],
    }),
    events: Type.Optional(Events),
  },
  { title: 'NewWebhook', description: 'A new webhook.' },
);

const Fields = {
  id: Count('Id of the webhook.'),
  url: Type.String({ description: 'Where it sends.' }),
  events: Events,
  createdAt: Moment('When it was made.'),
  disabledAt: NullableText('Null while it is enabled.'),
  disabledReason: NullableText('Why the service disabled it; null if its owner did.'),
};

const Secret = Type.String({
  description: 'What signs its messages: only of a new one and after `rotate`.',
});

export const WebhookItem = Type.Object(
  { ...Fields, secret: Type.Optional(Secret) },
  { $id: 'Webhook', title: 'Webhook', description: 'A webhook of your account.' },
);

/** A webhook on the pages, and a webhook with its new secret. */
export const WebhookView = Type.Object(Fields);
export const NewWebhookView = Type.Object({ ...Fields, secret: Secret });

const Attempt = Type.Object({
  at: Moment('When it was sent.'),
  durationMs: Count('How long the receiver took.'),
  status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Of its answer; null without one.',
  }),
  error: NullableText('Why there was none; null if there was.'),
});

export const DeliveryItem = Type.Object(
  {
    id: Type.String({ description: 'Id of the event.' }),
    type: Type.String({ description: 'Its type, or `test`.' }),
    at: Moment('When it happened.'),
    state: Type.Unsafe<'waiting' | 'delivered' | 'failed'>({
      type: 'string',
      enum: ['waiting', 'delivered', 'failed'],
      description: 'What became of it.',
    }),
    attempts: Count('How often it was sent.'),
    nextAt: NullableText('When it is sent again; null for never.'),
    error: NullableText('Why the last attempt failed; null if it did not.'),
    log: Type.Array(Attempt, { description: 'The last 20 attempts, oldest first.' }),
  },
  { $id: 'Delivery', title: 'Delivery', description: 'An event that was sent to a webhook.' },
);
