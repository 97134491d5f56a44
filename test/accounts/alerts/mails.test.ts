import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { insertAlert } from '../../../src/accounts/alerts/alert-sql.ts';
import { recordEvents } from '../../../src/accounts/alerts/event-sql.ts';
import { AlertMails, type AlertNews } from '../../../src/accounts/alerts/mails.ts';
import { Unsubscribing } from '../../../src/accounts/alerts/unsubscribing.ts';
import { WebhookDelivery } from '../../../src/accounts/webhooks/delivery.ts';
import { WebhookSender } from '../../../src/accounts/webhooks/sender.ts';
import type { AlertMail } from '../../../src/domain/alerts.ts';
import type { Cents } from '../../../src/domain/money.ts';
import { shareService } from '../../support/app.ts';
import { forEachEngine } from '../../support/engines.ts';

const START = Date.UTC(2026, 0, 29, 12);
const SEVEN = Date.UTC(2026, 0, 30, 7);

forEachEngine((label) => {
  const shared = shareService(label);
  const posted: AlertNews[] = [];
  let post: (news: AlertNews) => Promise<void>;
  let ann: number;
  let bob: number;

  before(async () => {
    const { accounts } = shared.service;
    for (const name of ['ann', 'bob']) await accounts.create(`${name}@shop.example`, 'free');
    ({ id: ann } = await accounts.find('ann@shop.example'));
    ({ id: bob } = await accounts.find('bob@shop.example'));
  });

  beforeEach(async () => {
    shared.service.now = START;
    const { db } = shared.service.store.accounts;
    for (const table of [
      'outbox',
      'alert_events',
      'alert_lines',
      'alerts',
      'alert_progress',
    ] as const) {
      await db.deleteFrom(table).execute();
    }
    posted.length = 0;
    post = async (news) => void posted.push(news);
  });

  const deliver = async () => {
    const { service } = shared;
    const delivery = new WebhookDelivery({
      store: service.store,
      clock: () => service.now,
      sender: new WebhookSender(),
      billing: undefined,
      mails: new AlertMails(service.store, (news) => post(news)),
      onFailure: (error) => assert.ifError(error),
      onDisabled: ({ url }) => assert.fail(url),
    });
    // The first look takes what the second one sends.
    await delivery.deliver();
    await delivery.close();
  };

  const RULE = { kind: 'above', amount: 50_00 as Cents, percent: null, days: null } as const;

  const make = async (accountId: number, mail: AlertMail) => {
    const alert = { ...RULE, accountId, mail, name: '', set: null, createdAt: START, since: 1 };
    return (await insertAlert(shared.service.store.accounts.db, alert, [])).id;
  };

  let fired = 0;
  const fire = (alertId: number, accountId: number, mail: AlertMail, ...cards: string[]) => {
    const at = shared.service.now;
    const events = cards.map((card) => {
      fired += 1;
      const line = { card, printing: 'Holofoil', copy: '', cardName: card } as const;
      const prices = { before: 48_00 as Cents, after: 53_20 as Cents };
      const publication = { revision: 7, id: 'publication-7' };
      const alert = { id: `alert_${fired}`, alertId, accountId, mail, rule: RULE, name: '' };
      return { ...alert, ...line, ...prices, at, publishedAt: at, publication, cursor: '7.x' };
    });
    return recordEvents(shared.service.store.accounts.db, events);
  };

  const mailed = () => {
    return posted.map(({ to, events }) => [to, ...events.map(({ card }) => card)]);
  };

  const judging = (place: string | null) => {
    const { db } = shared.service.store.accounts;
    const progress = { revision: 7, publication_id: 'publication-7', place };
    return db
      .insertInto('alert_progress')
      .values({ id: 1, ...progress })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(progress))
      .execute();
  };

  describe('What fired', () => {
    it('is mailed at once, in one mail for each account', async () => {
      const [first, second] = [await make(ann, 'now'), await make(ann, 'now')];
      await fire(first, ann, 'now', 'a', 'b');
      await fire(second, ann, 'now', 'c');
      await fire(await make(bob, 'now'), bob, 'now', 'a');
      await deliver();
      await deliver();
      assert.deepEqual(mailed().sort(), [
        ['ann@shop.example', 'a', 'b', 'c'],
        ['bob@shop.example', 'a'],
      ]);
      const [event] = posted.flatMap(({ events }) => events);
      assert.deepEqual(event?.rule, RULE);
      assert.deepEqual([event?.before, event?.after], [48_00, 53_20]);
    });

    it('is mailed once by several processes', async () => {
      const alert = await make(ann, 'now');
      for (let card = 0; card < 20; card += 1) await fire(alert, ann, 'now', `card-${card}`);
      await Promise.all([deliver(), deliver(), deliver()]);
      await deliver();
      assert.equal(posted.flatMap(({ events }) => events).length, 20);
    });

    it('is mailed when its publication is judged as a whole', async () => {
      const alert = await make(ann, 'now');
      await judging('card-1');
      await fire(alert, ann, 'now', 'a');
      await deliver();
      assert.deepEqual(posted, []);
      await fire(alert, ann, 'now', 'b');
      await judging(null);
      await deliver();
      assert.deepEqual(mailed(), [['ann@shop.example', 'a', 'b']]);
    });

    it('is mailed at 07:00 UTC, together, if the owner wants one mail a day', async () => {
      const alert = await make(ann, 'daily');
      await fire(alert, ann, 'daily', 'a');
      shared.service.now += 3_600_000;
      await fire(alert, ann, 'daily', 'b');
      await deliver();
      shared.service.now = SEVEN - 1;
      await deliver();
      assert.deepEqual(posted, []);
      shared.service.now = SEVEN;
      await fire(alert, ann, 'daily', 'c');
      await deliver();
      assert.deepEqual(mailed(), [['ann@shop.example', 'a', 'b']]);
      shared.service.now = SEVEN + 86_400_000;
      await deliver();
      assert.deepEqual(mailed().at(-1), ['ann@shop.example', 'c']);
    });

    it('is not mailed for an alert without mails', async () => {
      await fire(await make(ann, 'off'), ann, 'off', 'a');
      shared.service.now = SEVEN;
      await deliver();
      assert.deepEqual(posted, []);
    });

    it('is listed up to 50 events, and the others are counted', async () => {
      const alert = await make(ann, 'now');
      const cards = Array.from({ length: 52 }, (_, card) => `card-${card}`);
      await fire(alert, ann, 'now', ...cards);
      await deliver();
      assert.deepEqual([posted[0]?.events.length, posted[0]?.more], [50, 2]);
    });

    it('is not mailed days later, when there was no mail server', async () => {
      await fire(await make(ann, 'now'), ann, 'now', 'a');
      shared.service.now += 5 * 86_400_000;
      await deliver();
      assert.deepEqual(posted, []);
    });

    it('is sent again with the same id, and lost by no failure', async () => {
      await fire(await make(ann, 'now'), ann, 'now', 'a');
      const ids: string[] = [];
      post = async ({ id }) => {
        ids.push(id);
        throw new Error('the mail server answered 421');
      };
      await deliver();
      shared.service.now += 3_600_000;
      post = async (news) => void posted.push(news);
      await deliver();
      assert.deepEqual(
        posted.map(({ id }) => id),
        ids,
      );
    });

    it('is not mailed to an account that is disabled in the meantime', async () => {
      await fire(await make(bob, 'now'), bob, 'now', 'a');
      await shared.service.accounts.disable('bob@shop.example');
      await deliver();
      assert.deepEqual(posted, []);
      await shared.service.accounts.enable('bob@shop.example');
    });
  });

  describe('The token of a mail', () => {
    const unsubscribing = () => new Unsubscribing(shared.service.store);

    it('ends the mails of its alert, also of one that waits to be sent again', async () => {
      const [first, second] = [await make(ann, 'now'), await make(ann, 'now')];
      await fire(first, ann, 'now', 'a');
      await deliver();
      const [{ token } = assert.fail()] = posted.splice(0);
      post = async () => {
        throw new Error('the mail server answered 421');
      };
      await fire(first, ann, 'now', 'b');
      await deliver();
      assert.equal(await unsubscribing().end(token, false), true);
      assert.equal(await unsubscribing().end(token, false), true, 'again');
      post = async (news) => void posted.push(news);
      shared.service.now += 3_600_000;
      await fire(second, ann, 'now', 'c');
      await deliver();
      assert.deepEqual(mailed(), [['ann@shop.example', 'c']]);
    });

    it('ends the mails of all alerts if its mail is about several, or if its bearer says so', async () => {
      const [first, second] = [await make(ann, 'now'), await make(ann, 'daily')];
      const other = await make(bob, 'now');
      const mails = async () => {
        const rows = shared.service.store.accounts.db.selectFrom('alerts').select(['id', 'mail']);
        return Object.fromEntries((await rows.execute()).map(({ id, mail }) => [id, mail]));
      };
      await unsubscribing().end(await tokenOf(ann, first), true);
      assert.deepEqual(await mails(), { [first]: 'off', [second]: 'off', [other]: 'now' });
      const third = await make(ann, 'now');
      await unsubscribing().end(await tokenOf(ann, null), false);
      assert.equal((await mails())[third], 'off');
      assert.equal((await mails())[other], 'now');
    });

    const tokenOf = (accountId: number, alertId: number | null) => {
      return unsubscribing().tokenOf({ accountId, alertId });
    };

    it('cannot be made for another alert or account, and has no e-mail address', async () => {
      const [alert, other] = [await make(ann, 'now'), await make(bob, 'now')];
      const token = await tokenOf(ann, alert);
      assert.match(token, /^\d+-\d+-[\w-]{43}$/);
      const mac = token.slice(`${ann}-${alert}-`.length);
      const forged = [
        `${bob}-${other}-${mac}`,
        `${ann}-all-${mac}`,
        `${ann}-${alert}-${'A'.repeat(43)}`,
        `${ann}-0${alert}-${mac}`,
        `${token}A`,
        token.slice(0, -1),
        '',
        `${ann}-${alert}-`,
      ];
      for (const text of forged) assert.equal(await unsubscribing().end(text, true), false, text);
      const row = await shared.service.store.accounts.db
        .selectFrom('alerts')
        .select('mail')
        .where('id', '=', other)
        .executeTakeFirst();
      assert.equal(row?.mail, 'now');
    });
  });
});
