import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Static } from 'typebox';
import { listAudit } from '../../src/accounts/audit/audit-sql.ts';
import type { DeliveryItem, WebhookItem } from '../../src/http/webhook-schemas.ts';
import { type Caller, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf } from './expect.ts';

type Webhook = Static<typeof WebhookItem>;
type Delivery = Static<typeof DeliveryItem>;

const WEBHOOKS = '/v1/webhooks';
const URL = 'https://shop.example/prices';

async function made(caller: Caller, body: object = { url: URL }, headers = {}): Promise<Webhook> {
  return bodyOf<{ data: Webhook }>(await caller.post(WEBHOOKS, body, headers)).data;
}

async function changed(caller: Caller, id: number, change: string, headers = {}) {
  const answer = await caller.post(`${WEBHOOKS}/${id}/${change}`, {}, headers);
  return bodyOf<{ data: Webhook }>(answer).data;
}

async function listed(caller: Caller): Promise<Webhook[]> {
  return bodyOf<{ data: Webhook[] }>(await caller.get(WEBHOOKS)).data;
}

async function sent(caller: Caller, id: number): Promise<Delivery[]> {
  return bodyOf<{ data: Delivery[] }>(await caller.get(`${WEBHOOKS}/${id}/deliveries`)).data;
}

forEachEngine((label) => {
  const shared = shareService(label);

  it('makes and lists webhooks of the account, with the secret only of a new one', async () => {
    const caller = await shared.service.caller('free');
    const { secret = '', ...webhook } = await made(caller);
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    assert.deepEqual(webhook, {
      id: webhook.id,
      url: URL,
      events: ['prices.published', 'alert.fired'],
      createdAt: '2026-01-29T12:00:00Z',
      disabledAt: null,
      disabledReason: null,
    });
    const second = await made(caller, { url: `${URL}/2`, events: ['alert.fired'] });
    assert.deepEqual(second.events, ['alert.fired']);
    const { secret: _, ...known } = second;
    assert.deepEqual(await listed(caller), [webhook, known]);
  });

  it('rotates the secret, disables, enables and deletes', async () => {
    const caller = await shared.service.caller('free');
    const { id, secret } = await made(caller);
    const rotated = await changed(caller, id, 'rotate');
    assert.match(rotated.secret ?? '', /^whsec_/);
    assert.notEqual(rotated.secret, secret);
    assert.equal((await changed(caller, id, 'disable')).disabledAt, '2026-01-29T12:00:00Z');
    assert.equal((await changed(caller, id, 'enable')).disabledAt, null);
    assert.equal((await changed(caller, id, 'delete')).id, id);
    assert.deepEqual(await listed(caller), []);
  });

  it('answers a repeated request with the secret of the first, and changes nothing', async () => {
    const caller = await shared.service.caller('free');
    const key = { 'idempotency-key': 'a-key-of-at-least-16' };
    const first = await made(caller, { url: URL }, key);
    assert.deepEqual(await made(caller, { url: URL }, key), first);
    assert.equal((await listed(caller)).length, 1);
    const other = { 'idempotency-key': 'another-key-of-at-least-16' };
    const rotated = await changed(caller, first.id, 'rotate', other);
    assert.deepEqual(await changed(caller, first.id, 'rotate', other), rotated);
  });

  it('sends a test, lists it, and sends it again with its id', async () => {
    const caller = await shared.service.caller('free');
    const { id } = await made(caller);
    await changed(caller, id, 'test');
    const [event = assert.fail()] = await sent(caller, id);
    assert.deepEqual([event.type, event.state, event.attempts], ['test', 'waiting', 0]);
    bodyOf(await caller.post(`${WEBHOOKS}/${id}/deliveries/${event.id}/resend`, {}));
    assert.deepEqual(
      (await sent(caller, id)).map((one) => one.id),
      [event.id],
    );
    await changed(caller, id, 'disable');
    errorOf(await caller.post(`${WEBHOOKS}/${id}/test`, {}), 'WEBHOOK_REFUSED');
  });

  it('refuses private addresses, a sixth webhook and malformed bodies', async () => {
    const caller = await shared.service.caller('free');
    for (const url of ['https://10.0.0.1/', 'http://shop.example/', 'x', 'https://[::1]/']) {
      errorOf(await caller.post(WEBHOOKS, { url }), 'WEBHOOK_REFUSED');
    }
    for (const body of [{}, { url: 1 }, { url: URL, events: [] }, { url: URL, events: ['x'] }]) {
      errorOf(await caller.post(WEBHOOKS, body), 'INVALID_BODY');
    }
    for (let count = 0; count < 5; count += 1) await made(caller);
    const { message } = errorOf(await caller.post(WEBHOOKS, { url: URL }), 'WEBHOOK_REFUSED');
    assert.match(message, /5 webhooks/);
    assert.ok(!message.includes('cardprice'), 'the advice is for the command line');
  });

  it('does not know webhooks of other accounts', async () => {
    const [ann, bob] = [await shared.service.caller('free'), await shared.service.caller('free')];
    const { id } = await made(ann);
    await changed(ann, id, 'test');
    const [event = assert.fail()] = await sent(ann, id);
    for (const name of ['rotate', 'disable', 'enable', 'delete', 'test']) {
      errorOf(await bob.post(`${WEBHOOKS}/${id}/${name}`, {}), 'WEBHOOK_NOT_FOUND');
    }
    errorOf(await bob.get(`${WEBHOOKS}/${id}/deliveries`), 'WEBHOOK_NOT_FOUND');
    const resend = `${WEBHOOKS}/${id}/deliveries/${event.id}/resend`;
    errorOf(await bob.post(resend, {}), 'WEBHOOK_NOT_FOUND');
    const own = await made(bob);
    const foreign = `${WEBHOOKS}/${own.id}/deliveries/${event.id}/resend`;
    errorOf(await bob.post(foreign, {}), 'WEBHOOK_NOT_FOUND');
    for (const wrong of ['0', 'x', '99999999999', '%00']) {
      errorOf(await ann.get(`${WEBHOOKS}/${wrong}/deliveries`), 'WEBHOOK_NOT_FOUND');
    }
  });

  it('needs the scope of a key that lists scopes', async () => {
    const caller = await shared.service.caller('free');
    await shared.service.keys.update(caller.keyId, { scopes: ['read', 'alerts'] });
    errorOf(await caller.get(WEBHOOKS), 'KEY_RESTRICTION');
    errorOf(await caller.post(WEBHOOKS, { url: URL }), 'KEY_RESTRICTION');
    await shared.service.keys.update(caller.keyId, { scopes: ['webhooks'] });
    bodyOf(await caller.get(WEBHOOKS));
  });

  it('leaves each change in the audit log, without the secret', async () => {
    const caller = await shared.service.caller('free');
    const { id } = await made(caller);
    for (const name of ['rotate', 'test', 'disable', 'enable', 'delete']) {
      await changed(caller, id, name);
    }
    const { db } = shared.service.store.accounts;
    const entries = await listAudit(
      db,
      { account: caller.email, action: 'webhook-changed' },
      { limit: 10, offset: 0 },
    );
    assert.deepEqual(
      entries.map(({ detail }) => detail),
      ['deleted', 'enabled', 'disabled', 'rotated', 'added'].map((what) => {
        return `webhook ${id} ${what} by an API key`;
      }),
    );
  });
});
