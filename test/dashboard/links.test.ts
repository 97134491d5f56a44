import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import type { Static } from 'typebox';
import type { Me, SessionView } from '../../src/dashboard/views.ts';
import type { AccountsPage } from '../../src/operator/views.ts';
import { bodyOf, errorOf, unauthorizedOf } from '../http/expect.ts';
import { PASSWORD, type Service, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { Mailbox } from '../support/mailbox.ts';

type Session = { data: Static<typeof SessionView> };
type Account = { data: Static<typeof Me> };

const NEXT = 'another battery staple';
const URL_OF_PAGES = 'https://cards.example';
const newEmail = () => `${randomUUID()}@shop.example`;

/** Who may make an account, and what answers which invitation. */
const SIGN_UPS = [
  { kind: 'off', signUp: { isOpen: false, invitationCode: 'tulip' }, answers: [['tulip', 403]] },
  {
    kind: 'invitation',
    signUp: { isOpen: true, invitationCode: 'tulip' },
    answers: [
      ['rose', 400],
      [undefined, 400],
      ['tulip', 202],
    ],
  },
  {
    kind: 'open',
    signUp: { isOpen: true, invitationCode: '' },
    answers: [
      [undefined, 202],
      ['', 202],
    ],
  },
] as const;

forEachEngine((label) => {
  const shared = shareService(label);

  /** A service that mails, over the database of the shared one. */
  async function mailing(): Promise<Mailbox & { readonly service: Service }> {
    const box = new Mailbox();
    const dashboard = { mailer: box.mailer, publicUrl: URL_OF_PAGES };
    const service = await shared.service.another(shared.location, { dashboard });
    return Object.assign(box, { service });
  }

  it('A mail that follows an answer is sent before the service has closed', async () => {
    let sent = 0;
    const sendReset = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      sent += 1;
    };
    const dashboard = { mailer: { ...new Mailbox().mailer, sendReset }, publicUrl: URL_OF_PAGES };
    const service = await shared.service.another(shared.location, { dashboard });
    const email = newEmail();
    await service.accounts.create(email, 'free');
    bodyOf(await service.browser().post('/dashboard/forgot', { email }), 202);
    await service.close();
    assert.equal(sent, 1);
  });

  describe('Signing up without mail', () => {
    it('makes an account that an operator confirms', async () => {
      const { service } = shared;
      const operator = await service.operator();
      const email = newEmail();
      const browser = service.browser();
      const body = { email: email.toUpperCase(), password: PASSWORD };
      assert.deepEqual(bodyOf(await browser.post('/dashboard/sign-up', body), 202), { data: {} });
      assert.equal(browser.token, undefined);
      const listed = async () => {
        const answer = await operator.get('/dashboard/operator/accounts?waiting=true');
        return bodyOf<Static<typeof AccountsPage>>(answer);
      };
      let page = await listed();
      while (page.data.length === 0) page = await listed();
      assert.deepEqual(
        page.data.map((one) => [one.email, one.isConfirmed]),
        [[email, false]],
      );
      const signIn = () => service.browser().post('/dashboard/sign-in', body);
      const message = unauthorizedOf(await signIn());
      const nobody = { email: newEmail(), password: PASSWORD };
      const unknown = await service.browser().post('/dashboard/sign-in', nobody);
      assert.equal(unauthorizedOf(unknown), message);
      bodyOf(await operator.post('/dashboard/operator/accounts/confirm', { email }));
      assert.equal((await listed()).waiting, 0);
      assert.deepEqual(bodyOf<Account>(await signIn()).data.plan, 'free');
    });

    it('answers the same when the address is taken, and changes nothing of its account', async () => {
      const { service } = shared;
      const { email } = await service.signedInBrowser();
      const taken = await service.browser().post('/dashboard/sign-up', { email, password: NEXT });
      assert.deepEqual(bodyOf(taken, 202), { data: {} });
      await service.signIn(email, PASSWORD);
      const short = { email: newEmail(), password: 'short' };
      const refused = await service.browser().post('/dashboard/sign-up', short);
      assert.match(errorOf(refused, 'REFUSED').message, /at least 10 characters/);
      const none = await service.browser().post('/dashboard/sign-up', { email: newEmail() });
      assert.equal(errorOf(none, 'INVALID_BODY').message, 'The password is missing.');
    });

    for (const { signUp, kind, answers } of SIGN_UPS) {
      it(`can be ${kind}`, async () => {
        const service = await shared.service.another(shared.location, { dashboard: { signUp } });
        const { data } = bodyOf<Session>(await service.browser().get('/dashboard/session'));
        assert.equal(data.signUp, kind);
        for (const [invitation, status] of answers) {
          const body = { email: newEmail(), password: PASSWORD, invitation };
          const answer = await service.browser().post('/dashboard/sign-up', body);
          assert.equal(answer.statusCode, status, answer.body);
        }
        await service.close();
      });
    }
  });

  describe('Signing up with mail', () => {
    it('mails a link that proves the address, sets the password and signs in', async () => {
      const box = await mailing();
      const { service } = box;
      const email = newEmail();
      const asked = await service.browser().post('/dashboard/sign-up', { email });
      assert.deepEqual(bodyOf(asked, 202), { data: {} });
      const token = await box.nextToken('sendSignUp');
      const browser = service.browser();
      const preview = await browser.post('/dashboard/reset/preview', { token });
      assert.deepEqual(bodyOf(preview), { data: { email, isConfirmed: false, keys: 0 } });
      const body = { token, password: PASSWORD };
      assert.equal(bodyOf<Account>(await browser.post('/dashboard/reset', body)).data.email, email);
      bodyOf(await browser.get('/dashboard/keys'));
      await service.close();
      assert.deepEqual(box.mails, [], 'a new account needs no notice');
    });

    it('mails a link that leads back to a page of this service, and of no other', async () => {
      const box = await mailing();
      const { service } = box;
      const back = '/cards/a?printing=Foil';
      const body = { email: newEmail(), back };
      bodyOf(await service.browser().post('/dashboard/sign-up', body), 202);
      const [link] = (await box.next()).rest;
      assert.ok(String(link).startsWith(`${URL_OF_PAGES}/reset?back=${encodeURIComponent(back)}#`));
      for (const elsewhere of ['//evil.example', '/\\evil.example', 'https://evil.example', '']) {
        const refused = { email: newEmail(), back: elsewhere };
        errorOf(await service.browser().post('/dashboard/sign-up', refused), 'INVALID_BODY');
      }
      await service.close();
    });

    it('answers the same when the address is taken, and informs its owner', async () => {
      const box = await mailing();
      const { service } = box;
      const { email } = await shared.service.signedInBrowser();
      const asked = await service.browser().post('/dashboard/sign-up', { email, password: NEXT });
      assert.deepEqual(bodyOf(asked, 202), { data: {} });
      await service.close();
      assert.deepEqual(box.mails, [
        { kind: 'sendTaken', to: email, rest: [`${URL_OF_PAGES}/forgot`] },
      ]);
    });
  });

  describe('A forgotten password', () => {
    it('is reset with the link of an operator, once', async () => {
      const { email } = await shared.service.signedInBrowser();
      const operator = await shared.service.operator();
      const made = await operator.post('/dashboard/operator/accounts/reset-link', { email });
      const { data } = bodyOf<{ data: { link: string; expiresAt: string } }>(made);
      const [, token] = /^http:\/\/localhost:80\/reset#([\w-]{43})$/.exec(data.link) ?? [];
      assert.equal(
        data.expiresAt,
        new Date(shared.service.now + 86_400_000).toISOString().replace('.000', ''),
      );

      const browser = shared.service.browser();
      errorOf(await browser.post('/dashboard/reset', { token: 'x', password: NEXT }), 'REFUSED');
      errorOf(await browser.post('/dashboard/reset/preview', { token: 'x' }), 'REFUSED');
      const short = await browser.post('/dashboard/reset', { token, password: 'short' });
      assert.match(errorOf(short, 'REFUSED').message, /at least 10/);
      const answer = await browser.post('/dashboard/reset', { token, password: NEXT });
      assert.equal(bodyOf<Account>(answer).data.email, email);
      bodyOf(await browser.get('/dashboard/keys'));
      errorOf(await browser.post('/dashboard/reset', { token, password: NEXT }), 'REFUSED');
    });

    it('revokes the keys made before, unless their owner keeps them', async () => {
      const { service } = shared;
      for (const keepKeys of [undefined, false, true]) {
        const { email } = await service.signedInBrowser();
        const { key } = await service.keys.create(email);
        const operator = await service.operator();
        const made = await operator.post('/dashboard/operator/accounts/reset-link', { email });
        const [, token] = made.json().data.link.split('#');
        const body = { token, password: NEXT, keepKeys };
        bodyOf(await service.browser().post('/dashboard/reset', body));
        const asked = await service.get('/v1/games', { 'x-api-key': key });
        assert.equal(asked.statusCode, keepKeys ? 200 : 401);
      }
    });

    it('is reset with a mailed link if the account exists, and its owner is informed', async () => {
      const box = await mailing();
      const { service } = box;
      const { email } = await shared.service.signedInBrowser();
      await service.keys.create(email);
      const ask = (to: string) => service.browser().post('/dashboard/forgot', { email: to });
      const answers = [await ask(email.toUpperCase()), await ask(newEmail()), await ask('x')];
      for (const answer of answers) assert.deepEqual(bodyOf(answer, 202), { data: {} });
      const { kind, to, rest } = await box.next();
      assert.deepEqual([kind, to, rest[1]], ['sendReset', email, service.now + 3_600_000]);
      const [, token] = /^https:\/\/cards\.example\/reset#(.*)$/.exec(String(rest[0])) ?? [];
      const browser = service.browser();
      bodyOf(await browser.post('/dashboard/reset', { token, password: NEXT }));
      await service.close();
      const notice = { kind: 'keys-revoked', at: service.now, address: browser.address };
      assert.deepEqual(box.mails, [
        { kind: 'sendNotice', to: email, rest: [notice, URL_OF_PAGES] },
      ]);
    });

    it('answers the same however often strangers ask, and stops mailing', async () => {
      const box = await mailing();
      const { email } = await shared.service.signedInBrowser();
      for (let time = 0; time < 12; time += 1) {
        bodyOf(await box.service.browser().post('/dashboard/forgot', { email }), 202);
      }
      await box.service.close();
      assert.equal(box.mails.length, 3);
    });

    it('is reset with a link that every spelling of an international domain gets', async () => {
      const box = await mailing();
      const name = randomUUID();
      const [unicode, ascii] = [`${name}@bücher.example`, `${name}@xn--bcher-kva.example`];
      await shared.service.signedInBrowser('free', unicode);
      for (const [path, kind] of [
        ['/dashboard/sign-up', 'sendTaken'],
        ['/dashboard/forgot', 'sendReset'],
      ] as const) {
        for (const email of [unicode, ascii]) {
          bodyOf(await box.service.browser().post(path, { email }), 202);
          const mail = await box.next();
          assert.deepEqual([mail.kind, mail.to], [kind, ascii]);
        }
      }
      const browser = await box.service.signIn(ascii, PASSWORD);
      const { data } = bodyOf<Session>(await browser.get('/dashboard/session'));
      assert.equal(data.account?.email, ascii);
      await box.service.close();
    });

    it('is never mailed to another spelling of the address', async () => {
      const box = await mailing();
      const email = `mike-${newEmail()}`;
      await shared.service.signedInBrowser('free', email);
      // The sign of Kelvin is a K in lower case.
      const spelling = { email: email.replace('k', '\u212A') };
      await box.service.browser().post('/dashboard/forgot', spelling);
      await box.service.close();
      assert.deepEqual(
        box.mails.map(({ to }) => to),
        [email],
      );
    });

    it('answers the same when the mail cannot be sent, which is logged', async () => {
      const sendReset = () => Promise.reject(new Error('no mail today'));
      const mailer = { ...new Mailbox().mailer, sendReset };
      const service = await shared.service.another(shared.location, { dashboard: { mailer } });
      const { email } = await shared.service.signedInBrowser();
      const answer = await service.browser().post('/dashboard/forgot', { email });
      assert.deepEqual(bodyOf(answer, 202), { data: {} });
      await service.close();
      assert.ok(service.log.some((line) => line.includes('no mail today')));
    });

    it('answers the same when no mail server is set', async () => {
      const { data } = bodyOf<Session>(await shared.service.browser().get('/dashboard/session'));
      assert.equal(data.mail, false);
      const body = { email: newEmail() };
      bodyOf(await shared.service.browser().post('/dashboard/forgot', body), 202);
    });
  });

  describe('A mail informs the owner', () => {
    it('of every change of the password and the keys', async () => {
      const box = await mailing();
      const { email } = await shared.service.signedInBrowser();
      const browser = await box.service.signIn(email, PASSWORD);
      const change = { current: PASSWORD, next: NEXT };
      bodyOf(await browser.post('/dashboard/password', change));
      const { id, hint } = (await browser.post('/dashboard/keys', {})).json().data;
      bodyOf(await browser.post(`/dashboard/keys/${id}/regenerate`, { hint }));
      bodyOf(await browser.post(`/dashboard/keys/${id}/revoke`));
      await browser.post('/dashboard/keys/999999/revoke');
      await box.service.close();
      const kinds = ['password-changed', 'key-created', 'key-replaced', 'key-revoked'];
      assert.deepEqual(
        box.mails.map(({ to, rest }) => [to, rest]),
        kinds.map((kind) => {
          const notice = { kind, at: box.service.now, address: browser.address };
          return [email, [notice, URL_OF_PAGES]];
        }),
      );
    });
  });
});

describe('What others write', () => {
  const shared = shareService('SQLite');

  it('takes equally long whether or not an account exists', async () => {
    const dashboard = { mailer: new Mailbox().mailer };
    const { email } = await shared.service.signedInBrowser();
    const calls = ['/dashboard/forgot', '/dashboard/sign-up'].flatMap((path) =>
      [email, newEmail()].map((asked) => ({ path, asked })),
    );
    // A service each, since what one does after its answer waits for the lock.
    const services = await Promise.all(
      calls.map(() => shared.service.another(shared.location, { dashboard })),
    );
    // What they do once when they begin needs the lock, too.
    for (const service of services) await service.app.ready();
    const other = new Sqlite(`${shared.location}-accounts`);
    other.exec('begin immediate');
    try {
      for (const [index, { path, asked }] of calls.entries()) {
        const started = performance.now();
        const answer = await services[index]?.browser().post(path, { email: asked });
        assert.equal(answer?.statusCode, 202);
        const took = performance.now() - started;
        assert.ok(took < 1000, `${path} waited ${took} ms for a lock`);
      }
    } finally {
      other.exec('rollback');
      other.close();
    }
    for (const service of services) await service.close();
  });
});
