import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { DeliveryItem, NewWebhookView, WebhookView } from '../../src/http/webhook-schemas.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { forEachEngine } from '../support/engines.ts';

type NewWebhook = Static<typeof NewWebhookView>;

const WEBHOOKS = '/dashboard/webhooks';
const URL = 'https://shop.example/prices';

async function add(browser: Browser, body: object = { url: URL }): Promise<NewWebhook> {
  return bodyOf<{ data: NewWebhook }>(await browser.post(WEBHOOKS, body), 201).data;
}

async function list(browser: Browser) {
  return bodyOf<{ data: Static<typeof WebhookView>[] }>(await browser.get(WEBHOOKS)).data;
}

async function deliveries(browser: Browser, { id }: { readonly id: number }) {
  const answer = await browser.get(`${WEBHOOKS}/${id}/deliveries`);
  return bodyOf<{ data: Static<typeof DeliveryItem>[] }>(answer).data;
}

forEachEngine((label) => {
  const shared = shareService(label);

  describe('The owner of an account', () => {
    it('adds a webhook, and sees its secret once, or again by the same Idempotency-Key', async () => {
      const browser = await shared.service.signedInBrowser();
      const { secret, ...shown } = await add(browser);
      assert.match(secret, /^whsec_[A-Za-z\d+/]{43}=$/);
      assert.deepEqual(shown, {
        id: shown.id,
        url: URL,
        events: ['prices.published', 'alert.fired'],
        createdAt: '2026-01-29T12:00:00Z',
        disabledAt: null,
        disabledReason: null,
      });
      assert.deepEqual(await list(browser), [shown]);
      const { data } = bodyOf<{ data: NewWebhook }>(
        await browser.post(`${WEBHOOKS}/${shown.id}/rotate`),
      );
      assert.notEqual(data.secret, secret);
    });

    it('sends a test, which the log lists, and sends it again', async () => {
      const browser = await shared.service.signedInBrowser();
      const webhook = await add(browser);
      bodyOf(await browser.post(`${WEBHOOKS}/${webhook.id}/test`));
      const [test = assert.fail()] = await deliveries(browser, webhook);
      assert.deepEqual(test, {
        id: test.id,
        type: 'test',
        at: '2026-01-29T12:00:00Z',
        state: 'waiting',
        attempts: 0,
        nextAt: '2026-01-29T12:00:00Z',
        error: null,
        log: [],
      });
      bodyOf(await browser.post(`${WEBHOOKS}/${webhook.id}/disable`));
      assert.equal((await deliveries(browser, webhook))[0]?.state, 'failed');
      const resend = `${WEBHOOKS}/${webhook.id}/deliveries/${test.id}/resend`;
      assert.match(errorOf(await browser.post(resend), 'WEBHOOK_REFUSED').message, /is disabled/);
      bodyOf(await browser.post(`${WEBHOOKS}/${webhook.id}/enable`));
      bodyOf(await browser.post(resend));
      assert.equal((await deliveries(browser, webhook))[0]?.state, 'waiting');
      bodyOf(await browser.post(`${WEBHOOKS}/${webhook.id}/delete`));
      assert.deepEqual(await list(browser), []);
    });

    it('does not reach the webhooks of others', async () => {
      const { id } = await add(await shared.service.signedInBrowser());
      const other = await shared.service.signedInBrowser();
      assert.deepEqual(await list(other), []);
      const unknown = new RegExp(`^There is no webhook with the id "${id}"\\.$`);
      for (const action of [
        'rotate',
        'disable',
        'enable',
        'delete',
        'test',
        'deliveries/x/resend',
      ]) {
        const refused = await other.post(`${WEBHOOKS}/${id}/${action}`);
        assert.match(errorOf(refused, 'WEBHOOK_NOT_FOUND').message, unknown, action);
      }
      const log = await other.get(`${WEBHOOKS}/${id}/deliveries`);
      assert.match(errorOf(log, 'WEBHOOK_NOT_FOUND').message, unknown);
    });

    it('gets a clear message for a URL or events that are not allowed', async () => {
      const browser = await shared.service.signedInBrowser();
      for (const [body, message] of [
        [{ url: 'https://10.0.0.1/' }, /must be an address of the public internet/],
        [{ url: 'http://shop.example/' }, /needs an https:\/\/ URL/],
        [{ url: 'https://shop.example:8443/' }, /may not contain a port/],
        [{ url: 'https://ann@shop.example/' }, /may not contain a user/],
      ] as const) {
        assert.match(
          errorOf(await browser.post(WEBHOOKS, body), 'WEBHOOK_REFUSED').message,
          message,
        );
      }
      for (const body of [{}, { url: 7 }, { url: URL, events: ['x'] }, { url: URL, events: [] }]) {
        errorOf(await browser.post(WEBHOOKS, body), 'INVALID_BODY');
      }
    });
  });
});
