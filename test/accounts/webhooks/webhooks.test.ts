import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Compile } from 'typebox/compile';
import { type DisabledWebhook, WebhookDelivery } from '../../../src/accounts/webhooks/delivery.ts';
import { claimEvents } from '../../../src/accounts/webhooks/outbox-sql.ts';
import { WebhookSender } from '../../../src/accounts/webhooks/sender.ts';
import { deliveryView, Webhooks } from '../../../src/accounts/webhooks/webhooks.ts';
import { MS_PER_DAY } from '../../../src/domain/day.ts';
import { type AnnouncedCatalog, Announcements } from '../../../src/http/announcements.ts';
import { PUBLISHED_EVENT } from '../../../src/http/openapi-webhooks.ts';
import { bodyOf } from '../../http/expect.ts';
import { type Service, shareService } from '../../support/app.ts';
import { forEachEngine } from '../../support/engines.ts';
import { Webhook } from '../../support/webhook.ts';

const START = Date.UTC(2026, 0, 29, 12);
const ANN = 'ann@shop.example';
const LOOPBACK = ['127.0.0.0/8'];
const HOUR_MS = 3_600_000;

forEachEngine((label) => {
  const shared = shareService(label);
  const sender = new WebhookSender(LOOPBACK);
  const disabled: DisabledWebhook[] = [];
  let receiver: Webhook;
  let webhooks: Webhooks;
  let ann: number;
  let delivery: WebhookDelivery;

  const deliveryOf = (service: Service) => {
    return new WebhookDelivery({
      store: service.store,
      clock: () => service.now,
      sender,
      billing: undefined,
      onFailure: assert.ifError,
      onDisabled: (webhook) => void disabled.push(webhook),
    });
  };

  before(async () => {
    receiver = await Webhook.open();
    await shared.service.accounts.create(ANN, 'free');
    ann = await idOf(ANN);
    webhooks = new Webhooks(shared.service.store, () => shared.service.now, LOOPBACK);
    delivery = deliveryOf(shared.service);
  });

  after(async () => {
    await sender.close();
    receiver.close();
  });

  beforeEach(async () => {
    shared.service.now = START;
    const { db } = shared.service.store.accounts;
    await db.deleteFrom('outbox').execute();
    await db.deleteFrom('webhooks').execute();
    for (const list of [receiver.received, receiver.bodies, disabled]) list.length = 0;
    receiver.answer = (response) => response.writeHead(204).end();
  });

  async function idOf(email: string): Promise<number> {
    return (await shared.service.accounts.find(email)).id;
  }

  /** Adds a webhook of Ann; the receiver expects its secret. */
  async function add(url = receiver.url): Promise<string> {
    const { id, secret } = await webhooks.add(ann, { url });
    receiver.secrets = [secret];
    return String(id);
  }

  /** A publication that was served now. */
  function catalogOf(revision: number, id = `publication-${revision}`): AnnouncedCatalog {
    const publication = { revision, id, publishedAt: shared.service.now };
    const { catalog } = shared.service;
    const games = () => catalog.games();
    return { publication, games, asOf: () => 20_480 as never, onPublished() {} };
  }

  const announceFrom = (catalog: AnnouncedCatalog, now = shared.service.now) => {
    const { store } = shared.service;
    return new Announcements({ store, clock: () => now, catalog }).record();
  };
  const announce = (revision: number, id?: string) => announceFrom(catalogOf(revision, id));

  describe('A webhook of an account', () => {
    it('gets one event a publication, however many processes announce it', async () => {
      const id = await add();
      await Promise.all([announce(7), announce(7), announce(7)]);
      await Promise.all([delivery, deliveryOf(shared.service)].map((one) => one.deliver()));
      await announce(7);
      await delivery.deliver();
      assert.equal(receiver.received.length, 1);
      const [{ type, data } = assert.fail()] = receiver.received;
      assert.equal(type, 'prices.published');
      const isDocumented = Compile(PUBLISHED_EVENT);
      assert.ok(isDocumented.Check(JSON.parse(receiver.bodies[0] ?? '')));
      assert.equal(data.publication, 7);
      assert.equal(data.publishedAt, '2026-01-29T12:00:00Z');
      assert.deepEqual((data.games as object[])[0], {
        game: 'pokemon',
        name: 'Pokemon TCG (English)',
        asOf: '2026-01-27',
      });
      const [{ deliveredAt, attempts } = assert.fail()] = await webhooks.deliveries(id);
      assert.deepEqual([deliveredAt, attempts], [START, 1]);
    });

    it('gets the cursor with which /v1/changes lists what changes after the publication', async () => {
      await add();
      const { service } = shared;
      const { catalog } = service;
      const publication = { ...catalog.publication, publishedAt: START };
      const served = { ...catalogOf(0), publication };
      await announceFrom(served, START);
      await delivery.deliver();
      const caller = await service.caller('trader');
      const { nextCursor } = bodyOf<{ nextCursor: string }>(await caller.get('/v1/changes'));
      assert.equal(receiver.received[0]?.data.cursor, nextCursor);
    });

    it('gets each publication in order that was served while the database was lost', async () => {
      await add();
      let [served, serve, isLost] = [catalogOf(7), () => {}, true];
      const { store } = shared.service;
      const db = store.accounts.db.withPlugin({
        transformQuery({ node }) {
          if (isLost) throw new Error('lost');
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const announcements = new Announcements({
        store: { ...store, accounts: { ...store.accounts, db } },
        clock: () => START,
        catalog: {
          ...served,
          get publication() {
            return served.publication;
          },
          onPublished(listener) {
            serve = listener;
          },
        },
      });
      await assert.rejects(announcements.record(), /lost/);
      served = catalogOf(8);
      serve();
      isLost = false;
      await announcements.record();
      await announcements.record();
      await delivery.deliver();
      assert.deepEqual(
        receiver.received.map(({ data }) => data.publication),
        [7, 8],
      );
    });

    it('gets no publication from before it was made, and none that is days old', async () => {
      const before = catalogOf(7);
      shared.service.now += 1000;
      await add();
      await announceFrom(before);
      await announceFrom(catalogOf(8), shared.service.now + 4 * MS_PER_DAY);
      await delivery.deliver();
      assert.deepEqual(receiver.received, []);
    });

    it('gets the same id and bytes again if a process was killed before it noted the answer', async () => {
      const id = await add();
      await webhooks.test(id);
      await delivery.deliver();
      const [event = assert.fail()] = await webhooks.deliveries(id);
      const { db } = shared.service.store.accounts;
      // As it was before the answer was noted.
      const claimed = { next_at: START + 60_000, delivered_at: null };
      await db.updateTable('outbox').set(claimed).where('id', '=', event.id).execute();
      await delivery.deliver();
      assert.equal(receiver.received.length, 1, 'the other process may still be at it');
      shared.service.now += 60_000;
      await delivery.deliver();
      assert.equal(receiver.received.length, 2);
      assert.equal(new Set(receiver.received.map((one) => one.id)).size, 1);
      assert.equal(new Set(receiver.bodies).size, 1);
    });

    it('waits as long as Retry-After says', async () => {
      const id = await add();
      receiver.answer = (response) => response.writeHead(429, { 'retry-after': '600' }).end();
      await webhooks.test(id);
      await delivery.deliver();
      const [{ nextAt, error } = assert.fail()] = await webhooks.deliveries(id);
      assert.deepEqual([nextAt, error], [START + 600_000, 'answered 429']);
    });

    it('has what its receiver answered in the delivery log, attempt by attempt', async () => {
      const id = await add();
      await webhooks.test(id);
      for (const answer of [
        (response: ServerResponse) => response.writeHead(503).end(),
        (response: ServerResponse) => response.destroy(),
        (response: ServerResponse) => response.writeHead(202).end(),
      ]) {
        receiver.answer = answer;
        await delivery.deliver();
        shared.service.now += HOUR_MS;
      }
      const [event = assert.fail()] = (await webhooks.deliveries(id)).map(deliveryView);
      assert.deepEqual([event.state, event.attempts, event.error], ['delivered', 3, null]);
      assert.deepEqual(
        event.log.map(({ at, status, error }) => [at, status, error]),
        [
          ['2026-01-29T12:00:00Z', 503, null],
          ['2026-01-29T13:00:00Z', null, 'no connection (UND_ERR_SOCKET)'],
          ['2026-01-29T14:00:00Z', 202, null],
        ],
      );
      assert.ok(event.log.every(({ durationMs }) => Number.isInteger(durationMs)));
    });

    it('gets all of its events while five others hang', async () => {
      await shared.service.accounts.create('hanging@shop.example', 'free');
      const others: Webhook[] = [];
      for (let count = 0; count < 5; count += 1) {
        const hanging = await Webhook.open();
        hanging.answer = () => {};
        const { id, secret } = await webhooks.add(await idOf('hanging@shop.example'), {
          url: hanging.url,
        });
        hanging.secrets = [secret];
        await webhooks.test(String(id));
        others.push(hanging);
      }
      await add();
      for (let revision = 0; revision < 40; revision += 1) await announce(revision);
      await delivery.look();
      await waitFor(() => receiver.received.length === 40);
      assert.deepEqual(
        others.map(({ received }) => received.length),
        [1, 1, 1, 1, 1],
      );
      for (const hanging of others) hanging.close();
      await delivery.close();
      delivery = deliveryOf(shared.service);
    });

    it('is disabled when it has accepted nothing for three days, and its owner is notified', async () => {
      const id = await add();
      receiver.answer = (response) => response.destroy();
      await webhooks.test(id);
      for (let hours = 0; hours < 80; hours += 1) {
        await delivery.deliver();
        shared.service.now += HOUR_MS;
      }
      const [webhook = assert.fail()] = await webhooks.list(ann);
      assert.ok(webhook.disabledAt && webhook.disabledAt <= START + 3 * MS_PER_DAY + HOUR_MS);
      assert.equal(disabled.length, 1);
      assert.match(
        disabled[0]?.reason ?? '',
        /^nothing was accepted for three days: no connection/,
      );
      await announce(9);
      await delivery.deliver();
      assert.equal((await webhooks.deliveries(id)).length, 1, 'it gets no events');
    });

    it('stays enabled when it has accepted another event since', async () => {
      const id = await add();
      receiver.answer = (response) => response.writeHead(500).end();
      await webhooks.test(id);
      await delivery.deliver();
      receiver.answer = (response) => response.writeHead(204).end();
      await announce(7);
      await delivery.deliver();
      receiver.answer = (response) => response.writeHead(500).end();
      shared.service.now += 4 * MS_PER_DAY;
      await delivery.deliver();
      assert.deepEqual(disabled, []);
      const failed = (await webhooks.deliveries(id)).map(({ failedAt }) => failedAt !== null);
      assert.deepEqual(failed.sort(), [false, true]);
    });

    it('is disabled at once by 410, and gets what its owner sends again once it is enabled', async () => {
      const id = await add();
      receiver.answer = (response) => response.writeHead(410).end();
      await webhooks.test(id);
      await webhooks.test(id);
      await delivery.deliver();
      assert.equal(receiver.received.length, 1);
      assert.equal(disabled[0]?.reason, 'answered 410');
      const events = await webhooks.deliveries(id);
      assert.ok(events.every(({ nextAt, failedAt }) => nextAt === null && failedAt === START));
      const gone = receiver.received[0]?.id ?? '';
      await assert.rejects(webhooks.resend(id, gone), /The webhook is disabled/);
      receiver.answer = (response) => response.writeHead(200).end();
      await webhooks.enable(id);
      await webhooks.resend(id, gone);
      await delivery.deliver();
      assert.deepEqual(
        receiver.received.map((one) => one.id),
        [gone, gone],
      );
    });

    it('gets its events while another hangs', async () => {
      const hanging = await Webhook.open();
      const { id, secret } = await webhooks.add(ann, { url: hanging.url });
      hanging.secrets = [secret];
      hanging.answer = () => {};
      for (let count = 0; count < 3; count += 1) await webhooks.test(String(id));
      await add();
      await announce(7);
      await delivery.look();
      await waitFor(() => receiver.received.length === 1 && hanging.received.length === 1);
      await announce(8);
      await delivery.look();
      await waitFor(() => receiver.received.length === 2);
      assert.equal(hanging.received.length, 1, 'it gets one event at a time');
      hanging.close();
      await delivery.close();
      delivery = deliveryOf(shared.service);
    });

    it('is signed with two secrets for a day after the secret was replaced', async () => {
      const { id, secret } = await webhooks.add(ann, { url: receiver.url });
      const { secret: newer } = await webhooks.rotate(String(id));
      for (const [hours, secrets] of [
        [0, [newer, secret]],
        [24, [newer]],
      ] as const) {
        shared.service.now = START + hours * HOUR_MS;
        receiver.secrets = secrets;
        await webhooks.test(String(id));
        await delivery.deliver();
      }
      assert.equal(receiver.received.length, 2);
    });

    it('is one of five, unknown to other accounts, and sent five waiting events by hand', async () => {
      const id = await add();
      for (let count = 1; count < 5; count += 1) await add();
      await assert.rejects(add(), /has 5 webhooks, which is the most/);
      await assert.rejects(webhooks.test(id, { accountId: 0 }), /no webhook with the id/);
      await assert.rejects(webhooks.add(ann, { url: 'https://10.0.0.1/' }), /public internet/);
      for (let count = 0; count < 5; count += 1) await webhooks.test(id);
      await assert.rejects(webhooks.test(id), /5 events wait/);
      await webhooks.delete(id);
      await assert.rejects(webhooks.deliveries(id), /no webhook with the id/);
    });

    it('loses no event when processes are killed and the receiver fails', async () => {
      await add();
      const { db } = shared.service.store.accounts;
      let count = 0;
      receiver.answer = (response) => {
        count += 1;
        response.writeHead(count % 3 === 0 ? 503 : 204).end();
      };
      const published = Array.from({ length: 40 }, (_, index) => `p${index}`);
      for (const [index, id] of published.entries()) {
        await announce(index, id);
        if (index % 4 > 0) continue;
        // A process that is killed after it took an event.
        const { now } = shared.service;
        const { id: webhook } = (await webhooks.list(ann))[0] ?? assert.fail();
        await claimEvents(db, webhook, { now, until: now + 120_000, most: 1 });
      }
      for (let looks = 0; looks < 200 && (await waiting()) > 0; looks += 1) {
        await delivery.deliver();
        shared.service.now += 60_000;
      }
      const ids = receiver.received.map((one) => one.id.split('_')[0]);
      assert.deepEqual([...new Set(ids)].sort(), published.toSorted());
      const contents = receiver.received.map(({ id }, index) => `${id} ${receiver.bodies[index]}`);
      assert.equal(new Set(contents).size, published.length, 'no id has two contents');
    });
  });

  async function waiting(): Promise<number> {
    const { db } = shared.service.store.accounts;
    const rows = await db.selectFrom('outbox').select('id').where('next_at', 'is not', null);
    return (await rows.execute()).length;
  }
});

async function waitFor(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 250 && !isDone(); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(isDone());
}
