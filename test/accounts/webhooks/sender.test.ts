import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WebhookSender, webhookHeaders } from '../../../src/accounts/webhooks/sender.ts';
import {
  eventPayload,
  messageBody,
  nextAttempt,
  webhookForm,
} from '../../../src/domain/webhooks.ts';
import { SECRET, Webhook } from '../../support/webhook.ts';

const NOW = Date.UTC(2026, 0, 29, 12);

it('A message is signed as Standard Webhooks says, by each secret', () => {
  // The example of its specification.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  const headers = webhookHeaders([secret], message, 1_614_265_330_000);
  assert.equal(headers['webhook-timestamp'], '1614265330');
  assert.equal(headers['webhook-signature'], signature);
  const two = webhookHeaders([SECRET, secret], message, 1_614_265_330_000)['webhook-signature'];
  assert.equal(two?.split(' ')[1], signature);
});

it('An answer has its status, its first 500 characters and the pause that it demands', async () => {
  const webhook = await Webhook.open();
  const sender = new WebhookSender();
  const send = (headers: Record<string, string>) => {
    webhook.answer = (response) => response.writeHead(418, headers).end('é'.repeat(600));
    const target = { url: webhook.url, secrets: [SECRET], isTrusted: true };
    return sender.send(target, { id: 'msg_1', body: '{"type":"test","data":{}}' }, NOW);
  };
  const body = 'é'.repeat(500);
  assert.deepEqual(await send({}), { status: 418, body, retryAfterMs: 0 });
  for (const [header, ms] of [
    ['120', 120_000],
    [new Date(NOW + 90_000).toUTCString(), 90_000],
    [new Date(NOW - 90_000).toUTCString(), 0],
    ['999999999', 86_400_000],
    ['soon', 0],
    ['-5', 0],
  ] as const) {
    assert.equal((await send({ 'retry-after': header })).retryAfterMs, ms, header);
  }
  await sender.close();
  webhook.close();
});

it('Pauses grow, differ by a fifth, and are as long as the receiver demands', () => {
  const failed = { attempts: 3, retryUntil: NOW + 3_600_000, retryAfterMs: 0 };
  assert.equal(
    nextAttempt(failed, NOW, () => 0),
    NOW + 1_800_000,
  );
  assert.equal(
    nextAttempt(failed, NOW, () => 1),
    NOW + 1_440_000,
  );
  const later = { ...failed, retryAfterMs: 2_000_000 };
  assert.equal(
    nextAttempt(later, NOW, () => 0),
    NOW + 2_000_000,
  );
  assert.equal(nextAttempt({ ...failed, attempts: 4 }, NOW), undefined);
});

it('Discord and Slack get a sentence in their own form', () => {
  const games = [
    { game: 'mtg', name: 'Magic: The Gathering', asOf: '2026-01-28' },
    { game: 'pokemon', name: 'Pokémon', asOf: '2026-01-29' },
  ];
  const type = 'prices.published';
  const payload = eventPayload(type, NOW, { publication: 7, games });
  const text =
    'New card prices are published: Magic: The Gathering (2026-01-28), Pokémon (2026-01-29).';
  for (const [url, body] of [
    ['https://discord.com/api/webhooks/1/x', JSON.stringify({ content: text })],
    ['https://canary.discord.com/api/webhooks/1/x', JSON.stringify({ content: text })],
    ['https://hooks.slack.com/services/T/B/x', JSON.stringify({ text })],
    ['https://discord.com.shop.example/api/webhooks/1/x', payload],
    ['https://shop.example/hooks.slack.com', payload],
  ] as const) {
    assert.equal(messageBody(webhookForm(url), { type, payload }), body, url);
  }
  const test = messageBody('slack', { type: 'test', payload: '{}' });
  assert.match(test, /This is a test/);
});
