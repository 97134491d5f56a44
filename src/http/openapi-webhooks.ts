import { WEBHOOK_EVENTS, type WebhookEventType } from '../domain/webhooks.ts';

const TEXT = { type: 'string' };

/** The JSON schema of the event `prices.published`. */
export const PUBLISHED_EVENT = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { const: 'prices.published' },
    timestamp: { type: 'string', format: 'date-time' },
    data: {
      type: 'object',
      required: ['publication', 'publishedAt', 'cursor', 'games'],
      properties: {
        publication: { type: 'integer', description: 'For `If-Publication-At-Least`.' },
        publishedAt: { type: 'string', format: 'date-time' },
        cursor: { type: 'string', description: 'For the next call of `/v1/changes`.' },
        games: {
          type: 'array',
          items: {
            type: 'object',
            required: ['game', 'name', 'asOf'],
            properties: {
              game: TEXT,
              name: TEXT,
              asOf: { type: 'string', description: 'The day (UTC) of its newest prices.' },
            },
          },
        },
      },
    },
  },
};

/** The JSON schema of the event `alert.fired`. */
export const FIRED_EVENT = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { const: 'alert.fired' },
    timestamp: { type: 'string', format: 'date-time', description: 'Of the publication.' },
    data: {
      type: 'object',
      required: ['alert', 'rule', 'card', 'printing', 'before', 'after', 'publication', 'cursor'],
      properties: {
        alert: { type: 'integer' },
        name: TEXT,
        rule: { type: 'string', description: 'What it waits for, in words.' },
        card: TEXT,
        cardName: TEXT,
        printing: TEXT,
        condition: TEXT,
        grade: TEXT,
        before: { type: ['number', 'null'], description: 'Null for a first price.' },
        after: { type: 'number', description: 'In US dollars.' },
        publication: { type: 'integer' },
        cursor: TEXT,
      },
    },
  },
};

function received<Schema extends object>(type: WebhookEventType, schema: Schema) {
  return {
    post: {
      summary: WEBHOOK_EVENTS[type],
      description: 'Signed according to Standard Webhooks (https://www.standardwebhooks.com).',
      security: [],
      requestBody: { content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Accepted. All but 410 are retried for three days.' },
      },
    },
  };
}

/** The messages to webhooks of accounts, in the form of OpenAPI 3.1. */
export const WEBHOOKS = {
  'prices.published': received('prices.published', PUBLISHED_EVENT),
  'alert.fired': received('alert.fired', FIRED_EVENT),
} satisfies Record<WebhookEventType, object>;
