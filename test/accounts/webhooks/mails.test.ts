import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { MailRefused, type OutboxMails } from '../../../src/accounts/webhooks/attempt.ts';
import { WebhookDelivery } from '../../../src/accounts/webhooks/delivery.ts';
import { type DueEvent, listNewest, mailsOf } from '../../../src/accounts/webhooks/outbox-sql.ts';
import { WebhookSender } from '../../../src/accounts/webhooks/sender.ts';
import { RETRY_MS } from '../../../src/domain/webhooks.ts';
import { shareService } from '../../support/app.ts';
import { forEachEngine } from '../../support/engines.ts';

const START = Date.UTC(2026, 0, 29, 12);
const HOUR_MS = 3_600_000;

forEachEngine((label) => {
  const shared = shareService(label);
  let accountId: number;
  const sent: DueEvent[] = [];
  const givenUp: string[] = [];
  let send: OutboxMails['send'];

  before(async () => {
    await shared.service.accounts.create('ann@shop.example', 'free');
    ({ id: accountId } = await shared.service.accounts.find('ann@shop.example'));
  });

  beforeEach(async () => {
    shared.service.now = START;
    await shared.service.store.accounts.db.deleteFrom('outbox').execute();
    sent.length = 0;
    givenUp.length = 0;
    send = async (owner, mail) => keep(owner, mail);
  });

  const deliveryOf = (hasServer = true) => {
    const { service } = shared;
    return new WebhookDelivery({
      store: service.store,
      clock: () => service.now,
      sender: new WebhookSender(),
      billing: undefined,
      mails: hasServer ? { collect: async () => {}, send: (...mail) => send(...mail) } : undefined,
      onFailure: (_error, event) => void givenUp.push(event ?? ''),
      onDisabled: ({ url }) => assert.fail(url),
    });
  };

  const add = (id: string) => {
    const { service } = shared;
    return service.store.accounts.db
      .insertInto('outbox')
      .values({
        id,
        webhook_id: mailsOf(accountId),
        type: 'alert.mail',
        account_id: accountId,
        payload: '{"events":[]}',
        created_at: service.now,
        retry_until: service.now + RETRY_MS,
        next_at: service.now,
        attempts: 0,
      })
      .execute();
  };

  const keep = (owner: number, mail: DueEvent) => {
    assert.equal(owner, accountId);
    sent.push(mail);
  };

  const log = () => listNewest(shared.service.store.accounts.db, mailsOf(accountId), 10);

  describe('A mail in the outbox', () => {
    it('is sent once, whichever process takes it', async () => {
      await add('mail_1');
      await Promise.all([deliveryOf(), deliveryOf()].map((one) => one.deliver()));
      assert.deepEqual(
        sent.map(({ id, attempts }) => [id, attempts]),
        [['mail_1', 1]],
      );
      assert.equal((await log())[0]?.deliveredAt, START);
    });

    it('waits as long as there is no mail server', async () => {
      await add('mail_1');
      await deliveryOf(false).deliver();
      assert.equal((await log())[0]?.attempts, 0);
      await deliveryOf().deliver();
      assert.equal(sent.length, 1);
    });

    it('is sent again after a failure, and by another process if the first one was killed', async () => {
      await add('mail_1');
      send = async () => {
        throw new Error('the mail server answered 421');
      };
      await deliveryOf().deliver();
      const [{ nextAt, error } = assert.fail()] = await log();
      assert.equal(error, 'the mail server answered 421');
      assert.ok(nextAt !== null && nextAt > START);
      send = (owner, mail) => new Promise(() => keep(owner, mail));
      shared.service.now += HOUR_MS;
      await deliveryOf().look();
      while (sent.length === 0) await new Promise(setImmediate);
      send = async (owner, mail) => keep(owner, mail);
      shared.service.now += HOUR_MS;
      await deliveryOf().deliver();
      assert.deepEqual(
        sent.map(({ id, attempts }) => [id, attempts]),
        [
          ['mail_1', 2],
          ['mail_1', 3],
        ],
      );
    });

    it('is given up when the server refuses it for good, or after three days', async () => {
      await add('mail_1');
      send = async () => {
        throw new MailRefused('the mail server answered 550');
      };
      await deliveryOf().deliver();
      assert.deepEqual(givenUp, ['mail_1']);
      assert.equal((await log())[0]?.failedAt, START);
      await add('mail_2');
      send = async () => {
        throw new Error('no connection');
      };
      shared.service.now += RETRY_MS;
      await deliveryOf().deliver();
      assert.deepEqual(givenUp, ['mail_1', 'mail_2']);
    });
  });
});
