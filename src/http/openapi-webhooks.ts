import { WEBHOOK_EVENTS } from '../domain/webhooks.ts';

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

/** What the webhooks of accounts receive, as OpenAPI 3.1 describes it. */
export const WEBHOOKS = {
  'prices.published': {
    post: {
      summary: WEBHOOK_EVENTS['prices.published'],
      description: 'Signed according to Standard Webhooks (https://www.standardwebhooks.com).',
      security: [],
      requestBody: { content: { 'application/json': { schema: PUBLISHED_EVENT } } },
      responses: {
        '2XX': { description: 'Accepted. Other answers are retried for three days, except 410.' },
      },
    },
  },
};
