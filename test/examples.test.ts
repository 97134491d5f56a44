import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { EXAMPLES, exampleAnswers } from '../scripts/examples.ts';
import { ENDPOINTS } from '../src/http/v1/routes.ts';

/**
 * In the starter catalogue nothing changes, no marketplace either, and it has no bulk files. A new
 * account has no alerts and no webhooks, and the secret of a new one is random.
 */
const WITHOUT_EXAMPLE = [
  ...['listChanges', 'listMarketplaceChanges', 'listBulkFiles'],
  ...['listAlerts', 'listAlertEvents', 'getAlert', 'changeAlert'],
  ...['listWebhooks', 'createWebhook', 'changeWebhook', 'listDeliveries', 'resendDelivery'],
];

it('every endpoint has an example of its answer', () => {
  const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8'));
  const ids = ENDPOINTS.map(({ schema }) => schema.operationId);
  assert.deepEqual(
    ids.filter((id) => !(id in examples)),
    WITHOUT_EXAMPLE,
    'run node scripts/examples.ts and npm run fix',
  );
});

it('the examples of answers are what the service answers with the starter catalogue', async () => {
  const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8'));
  const message = 'run node scripts/examples.ts and npm run fix: an example is out of date';
  assert.deepEqual(JSON.parse(JSON.stringify(await exampleAnswers())), examples, message);
});
