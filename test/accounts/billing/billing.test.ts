import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { billingTarget } from '../../../src/accounts/billing/billing.ts';
import { enableBilling } from '../../../src/accounts/billing/billing-sql.ts';
import { listWaiting, thresholdObserver } from '../../../src/accounts/billing/events.ts';
import { Authenticator } from '../../../src/accounts/keys/authenticator.ts';
import { WebhookDelivery } from '../../../src/accounts/webhooks/delivery.ts';
import {
  BILLING,
  claimEvents,
  giveUpWaiting,
  listUndelivered,
  trimOutbox,
} from '../../../src/accounts/webhooks/outbox-sql.ts';
import { WebhookSender } from '../../../src/accounts/webhooks/sender.ts';
import { formatMoment, MS_PER_DAY, parseDay } from '../../../src/domain/day.ts';
import { type Service, shareService } from '../../support/app.ts';
import { forEachEngine } from '../../support/engines.ts';
import { type Received, SECRET, Webhook } from '../../support/webhook.ts';
import { ADDRESS, PASSWORD, wire } from '../fixtures.ts';

const START = Date.UTC(2026, 0, 29, 12);

it('Billing needs an address and a secret', () => {
  assert.equal(billingTarget({ billingWebhook: '', billingSecret: '' }), undefined);
  const half = { billingWebhook: 'http://billing.example', billingSecret: '' };
  assert.throws(() => billingTarget(half), /needs both/);
});

forEachEngine((label) => {
  const shared = shareService(label);
  let webhook: Webhook;
  let delivery: WebhookDelivery;
  const sender = new WebhookSender();
  const failures: (string | undefined)[] = [];

  const deliveryOf = (service: Service) => {
    return new WebhookDelivery({
      store: service.store,
      clock: () => service.now,
      sender,
      billing: { url: webhook.url, secrets: [SECRET], isTrusted: true },
      onDisabled: () => assert.fail(),
      onFailure(error, event) {
        if (event === undefined) throw error;
        failures.push(event);
      },
    });
  };

  before(async () => {
    webhook = await Webhook.open();
    delivery = deliveryOf(shared.service);
    await enableBilling(shared.service.store.accounts.db, true);
  });

  after(async () => {
    await sender.close();
    webhook.close();
  });

  beforeEach(async () => {
    const { service } = shared;
    service.now = START;
    await service.store.accounts.db.deleteFrom('outbox').execute();
    webhook.received.length = 0;
    webhook.answer = (response) => response.writeHead(204).end();
    failures.length = 0;
  });

  /** Sends what waits; returns what the billing system got, the oldest first. */
  async function delivered(): Promise<readonly Received[]> {
    for (let count = -1; count < webhook.received.length; ) {
      count = webhook.received.length;
      await delivery.deliver();
    }
    return webhook.received;
  }

  describe('The billing system', () => {
    it('gets an event for each change of an account, and none if nothing changes', async () => {
      const { accounts } = shared.service;
      const email = 'told@shop.example';
      const { id } = await accounts.create(email, 'free');
      await accounts.setPlan(email, 'trader');
      await accounts.setPlan(email, 'trader');
      await accounts.setLimits(email, { dailyRequests: 7 });
      await accounts.disable(email);
      await accounts.enable(email);
      await accounts.setOperator(email, true);
      const events = [...(await delivered())].sort((a, b) => a.type.localeCompare(b.type));
      assert.deepEqual(
        events.map(({ type }) => type),
        [
          ...['account.created', 'account.disabled', 'account.enabled'],
          ...['account.plan_changed', 'account.plan_changed'],
        ],
      );
      assert.deepEqual(events[0]?.data, {
        account: id,
        email,
        plan: 'free',
        price: 0,
        limits: null,
        dailyRequests: 200,
      });
      const moved = events.find(({ data }) => data.dailyRequests === 10_000);
      assert.deepEqual(moved?.data.previous, { plan: 'free', limits: null });
      assert.equal(moved?.data.price, 14.99);
      assert.equal(new Set(events.map((event) => event.id)).size, events.length);
    });

    it('learns of an account that somebody signed up for once it is confirmed', async () => {
      const { accounts, selfService } = wire(shared.service.store);
      const email = 'signed-up@shop.example';
      const request = { email, password: PASSWORD, invitation: '', address: ADDRESS };
      await selfService.signUps.add(await selfService.signUps.check(request));
      await accounts.setPlan(email, 'trader');
      assert.deepEqual(await delivered(), []);
      await accounts.confirm(email);
      await accounts.confirm(email);
      const events = (await delivered()).map(({ type, data }) => [type, data.email, data.plan]);
      assert.deepEqual(events, [['account.created', email, 'trader']]);
    });

    it('gets the usage of two whole months of an account that is deleted', async () => {
      const { accounts, store } = shared.service;
      const { id } = await accounts.create('two-months@shop.example', 'free');
      const used = {
        '2025-11-30': 1,
        '2025-12-01': 2,
        '2025-12-31': 4,
        '2026-01-01': 8,
        '2026-01-31': 16,
        '2026-02-01': 32,
      };
      const rows = Object.entries(used).map(([date, used]) => {
        return { account_id: id, day: parseDay(date) ?? assert.fail(date), used };
      });
      await store.accounts.db.insertInto('usage').values(rows).execute();
      await accounts.delete('two-months@shop.example');
      const [event] = await delivered();
      assert.deepEqual(event?.data.usage, { '2025-12': 6, '2026-01': 24 });
    });

    it('gets the last usage of an account that is deleted, and not its address', async () => {
      const { service } = shared;
      const caller = await service.caller('trader');
      await caller.get('/v1/games');
      const { id } = await service.accounts.find(caller.email);
      await service.accounts.delete(caller.email);
      const events = await delivered();
      assert.equal(events.length, 1, 'what waited about it is gone');
      assert.equal(events[0]?.type, 'account.deleted');
      const { account, usage, plan } = events[0]?.data ?? {};
      assert.deepEqual([account, plan, usage], [id, 'trader', { '2025-12': 0, '2026-01': 1 }]);
      assert.ok(!JSON.stringify(events).includes(caller.email));
    });

    it('gets one event a day for each threshold, however many processes charge', async () => {
      const { service } = shared;
      const caller = await service.caller('free');
      await service.store.accounts.db.deleteFrom('outbox').execute();
      const clock = () => service.now;
      const processes = [1, 2].map(() => {
        const observe = thresholdObserver(
          { store: service.store, clock },
          [80, 100],
          assert.ifError,
        );
        return new Authenticator(service.store, clock, observe);
      });
      const charges = Array.from({ length: 240 }, async (_, index) => {
        const process = processes[index % 2];
        const who = await process?.identify(caller.key);
        return who ? process?.charge(who) : assert.fail('the key is known');
      });
      const granted = (await Promise.all(charges)).filter((charge) => charge?.granted);
      assert.equal(granted.length, 200);
      await waitFor(async () => (await delivered()).length === 2);
      const events = webhook.received.map(({ type, data }) => [type, data.usage]);
      const [first, second] = events.sort((a, b) =>
        JSON.stringify(a).localeCompare(JSON.stringify(b)),
      );
      assert.equal(first?.[0], 'usage.threshold_reached');
      const usage = { day: '2026-01-29', limit: 200 };
      const told = [first, second].map((event) => event?.[1] as Record<string, unknown>);
      assert.deepEqual(
        told.map(({ used: _, ...rest }) => rest),
        [
          { ...usage, percent: 100 },
          { ...usage, percent: 80 },
        ],
      );
    });

    it('gets an event again, with the same id, until it accepts it', async () => {
      const { service } = shared;
      webhook.answer = (response) => response.writeHead(500).end('busy');
      await service.accounts.create('again@shop.example', 'free');
      await delivery.deliver();
      await delivery.deliver();
      assert.equal(webhook.received.length, 1, 'it waits before the next attempt');
      const [waiting] = await listUndelivered(service.store.accounts.db, 10);
      assert.deepEqual([waiting?.attempts, waiting?.error], [1, 'answered 500']);
      service.now += 5000;
      webhook.answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end();
      await delivery.deliver();
      webhook.answer = (response) => response.writeHead(200).end();
      service.now += 300_000;
      await delivery.deliver();
      assert.deepEqual(await listUndelivered(service.store.accounts.db, 10), []);
      assert.equal(webhook.received.length, 3, 'redirects are not followed');
      assert.equal(new Set(webhook.received.map(({ id }) => id)).size, 1);
    });

    it('gets no event after three days, and the log says so', async () => {
      const { service } = shared;
      webhook.answer = (response) => response.destroy();
      await service.accounts.create('lost@shop.example', 'free');
      for (let hours = 0; hours < 100; hours += 1) {
        await delivery.deliver();
        service.now += 3_600_000;
      }
      const [lost] = await listUndelivered(service.store.accounts.db, 10);
      assert.ok(lost?.failedAt && lost.failedAt <= START + 3 * MS_PER_DAY + 3_600_000);
      assert.match(lost.error ?? '', /^no connection/);
      assert.deepEqual(failures, [lost.id]);
      const [listed] = await listWaiting(service.store);
      const { at, nextAt, givenUpAt } = listed ?? {};
      const expected = [START, lost.failedAt].map(formatMoment);
      assert.deepEqual([at, givenUpAt, nextAt], [...expected, null]);
      await service.accounts.create('waiting@shop.example', 'free');
      const [, waiting] = await listWaiting(service.store);
      assert.deepEqual([waiting?.nextAt, waiting?.givenUpAt], [waiting?.at, null]);
      assert.ok(webhook.received.length >= 8 && webhook.received.length <= 12);
    });

    it('gets each event from one process only, or again after one was killed', async () => {
      const { service } = shared;
      for (const name of ['a', 'b', 'c']) {
        await service.accounts.create(`${name}-once@shop.example`, 'free');
      }
      await Promise.all(
        [delivery, deliveryOf(service), deliveryOf(service)].map((it) => it.deliver()),
      );
      assert.equal(webhook.received.length, 3);
      assert.equal(new Set(webhook.received.map(({ id }) => id)).size, 3);
      await service.accounts.disable('a-once@shop.example');
      const claim = { now: service.now, until: service.now + 120_000, most: 1 };
      await claimEvents(service.store.accounts.db, BILLING, claim);
      assert.equal((await delivered()).length, 3, 'the other process has it');
      service.now += 120_000;
      assert.equal((await delivered()).length, 4);
    });

    it('keeps a bounded number of events, for some days', async () => {
      const { service } = shared;
      const { db } = service.store.accounts;
      for (const name of ['x', 'y', 'z']) {
        await service.accounts.create(`${name}-kept@shop.example`, 'free');
        service.now += 1000;
      }
      await trimOutbox(db, START, 2);
      assert.equal((await listUndelivered(db, 10)).length, 3, 'they wait');
      await giveUpWaiting(db, BILLING, { failedAt: service.now, error: 'answered 500' });
      await trimOutbox(db, START, 2);
      assert.equal((await listUndelivered(db, 10)).length, 2);
      await trimOutbox(db, service.now, 2);
      assert.deepEqual(await listUndelivered(db, 10), []);
    });

    it('gets the events that a process of an earlier release recorded', async () => {
      const { db } = shared.service.store.accounts;
      const event = { id: 'evt_former', type: 'account.created', account_id: null, attempts: 1 };
      const row = { ...event, payload: '{"type":"account.created","data":{}}', error: null };
      await db
        .insertInto('billing_events')
        .values({ ...row, created_at: START, next_at: START, delivered_at: null, failed_at: null })
        .execute();
      const newProcess = deliveryOf(shared.service);
      await newProcess.deliver();
      assert.deepEqual(
        webhook.received.map(({ id }) => id),
        ['evt_former'],
      );
      assert.deepEqual(await db.selectFrom('billing_events').select('id').execute(), []);
    });

    it('gets no event while billing is turned off', async () => {
      const { service } = shared;
      const { db } = service.store.accounts;
      await enableBilling(db, false);
      await service.accounts.create('off@shop.example', 'free');
      assert.deepEqual(await listUndelivered(db, 10), []);
      await enableBilling(db, true);
    });
  });
});

async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail('it did not happen');
}
