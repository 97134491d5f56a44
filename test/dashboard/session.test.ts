import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import type { Static } from 'typebox';
import { SESSION_MS } from '../../src/accounts/sessions.ts';
import { createToken } from '../../src/accounts/tokens.ts';
import type { Mailer } from '../../src/dashboard/mail.ts';
import type { Me, SessionView } from '../../src/dashboard/schemas.ts';
import { GAMES } from '../../src/domain/games.ts';
import { bodyOf, errorOf, unauthorizedOf } from '../http/expect.ts';
import { PASSWORD, type Service, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';

type Session = { data: Static<typeof SessionView> };
type Account = { data: Static<typeof Me> };

const NEXT = 'another battery staple';
const WRONG = 'The e-mail address or the password is wrong.';
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
      ['tulip', 201],
    ],
  },
  {
    kind: 'open',
    signUp: { isOpen: true, invitationCode: '' },
    answers: [
      [undefined, 201],
      ['', 201],
    ],
  },
] as const;

async function signedUp(service: Service, email = newEmail()) {
  const browser = service.browser();
  bodyOf<Account>(await browser.post('/dashboard/sign-up', { email, password: PASSWORD }), 201);
  return Object.assign(browser, { email });
}

const sessionCookie = (answer: LightMyRequestResponse) => {
  assert.equal(answer.cookies.length, 1);
  const [cookie] = answer.cookies;
  assert.equal(cookie?.name, 'cardprice_session');
  return cookie;
};

forEachEngine((label) => {
  const shared = shareService(label);

  describe('Signing up', () => {
    it('makes an account on the free plan, and signs in to it', async () => {
      const browser = shared.service.browser();
      const email = newEmail();
      const body = { email: email.toUpperCase(), password: PASSWORD };
      const { data } = bodyOf<Account>(await browser.post('/dashboard/sign-up', body), 201);
      assert.deepEqual(data, {
        email,
        plan: 'free',
        isOperator: false,
        createdAt: '2026-01-29T12:00:00Z',
        sessions: 1,
      });
      const session = bodyOf<Session>(await browser.get('/dashboard/session'));
      assert.deepEqual(session.data.account, data);
    });

    it('is refused for a taken address and a short password', async () => {
      const { email } = await signedUp(shared.service);
      const browser = shared.service.browser();
      const taken = await browser.post('/dashboard/sign-up', { email, password: NEXT });
      assert.match(errorOf(taken, 'REFUSED').message, /already an account/);
      const short = { email: newEmail(), password: 'short' };
      const refused = await browser.post('/dashboard/sign-up', short);
      assert.match(errorOf(refused, 'REFUSED').message, /at least 10 characters/);
      assert.equal(browser.token, undefined);
    });

    for (const { signUp, kind, answers } of SIGN_UPS) {
      it(`can be ${kind}`, async () => {
        const service = await shared.service.beside(shared.location, { dashboard: { signUp } });
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

  describe('Signing in', () => {
    it('answers the same for a wrong password and an unknown account', async () => {
      const { email } = await signedUp(shared.service);
      const browser = shared.service.browser();
      for (const body of [
        { email, password: 'wrong' },
        { email: newEmail(), password: PASSWORD },
        { email: 'no address', password: PASSWORD },
        { email, password: 'x'.repeat(1000) },
      ]) {
        assert.equal(unauthorizedOf(await browser.post('/dashboard/sign-in', body)), WRONG);
      }
      assert.equal(browser.token, undefined);
    });

    it('replaces the session of the browser', async () => {
      const browser = await signedUp(shared.service);
      const before = browser.token;
      const body = { email: browser.email, password: PASSWORD };
      const { data } = bodyOf<Account>(await browser.post('/dashboard/sign-in', body));
      assert.notEqual(browser.token, before);
      assert.equal(data.sessions, 1);
      const old = { cookie: `cardprice_session=${before}` };
      unauthorizedOf(await shared.service.browser().get('/dashboard/keys', old));
    });

    it('slows down, and says how long to wait', async () => {
      const { email } = await signedUp(shared.service);
      const ask = (password: string) =>
        shared.service.browser().post('/dashboard/sign-in', { email, password });
      let answer = await ask('wrong');
      for (let tries = 0; answer.statusCode === 401 && tries < 20; tries += 1) {
        answer = await ask('wrong');
      }
      errorOf(answer, 'TOO_MANY_ATTEMPTS');
      assert.match(String(answer.headers['retry-after']), /^\d+$/);
      errorOf(await ask(PASSWORD), 'TOO_MANY_ATTEMPTS');
      shared.service.now += 1000 * Number(answer.headers['retry-after']);
      bodyOf(await ask(PASSWORD));
    });

    it('works at every process, and ends at every process', async () => {
      const other = await shared.service.beside(shared.location);
      const browser = await signedUp(shared.service);
      bodyOf(await browser.at(other).get('/dashboard/keys'));
      const elsewhere = await other.signIn(browser.email, PASSWORD);
      assert.equal((await elsewhere.post('/dashboard/sign-out')).statusCode, 204);
      bodyOf(await browser.get('/dashboard/keys'));
      assert.equal((await browser.at(other).post('/dashboard/sign-out')).statusCode, 204);
      unauthorizedOf(await browser.get('/dashboard/keys'));
      await other.close();
    });
  });

  describe('The cookie', () => {
    it('is for this server alone, and secure where there is TLS', async () => {
      const service = await shared.service.beside(shared.location, { trustProxy: true });
      const body = JSON.stringify({ email: (await signedUp(service)).email, password: PASSWORD });
      for (const [protocol, secure] of [
        ['https', true],
        ['http', undefined],
      ] as const) {
        const answer = await service
          .browser()
          .post('/dashboard/sign-in', body, { 'x-forwarded-proto': protocol });
        const { value, ...attributes } = sessionCookie(answer) ?? {};
        assert.match(String(value), /^[\w-]{43}$/);
        assert.deepEqual(attributes, {
          name: 'cardprice_session',
          httpOnly: true,
          sameSite: 'Lax',
          path: '/',
          maxAge: SESSION_MS / 1000,
          ...(secure && { secure }),
        });
      }
      await service.close();
    });

    it('is secure only by the word of a trusted proxy', async () => {
      const { email } = await signedUp(shared.service);
      const body = { email, password: PASSWORD };
      const headers = { 'x-forwarded-proto': 'https' };
      const answer = await shared.service.browser().post('/dashboard/sign-in', body, headers);
      assert.equal(sessionCookie(answer)?.secure, undefined);
    });

    it('is cleared when the session has ended and on signing out', async () => {
      const browser = await signedUp(shared.service);
      const answer = await browser.post('/dashboard/sign-out');
      assert.equal(answer.statusCode, 204);
      assert.equal(answer.body, '');
      assert.equal(sessionCookie(answer)?.maxAge, 0);
      assert.equal(browser.token, undefined);

      const ended = { cookie: `cardprice_session=${createToken()}` };
      const asked = await shared.service.browser().get('/dashboard/session', ended);
      assert.equal(bodyOf<Session>(asked).data.account, null);
      assert.equal(sessionCookie(asked)?.maxAge, 0);
      const out = await shared.service.browser().post('/dashboard/sign-out', undefined, ended);
      assert.equal(out.statusCode, 204);
    });

    it('with any other content identifies nobody', async () => {
      for (const cookie of ['=', 'cardprice_session', '%', 'x'.repeat(5000), "' or 1=1 --", 'é']) {
        const headers = { cookie: `cardprice_session=${cookie}; a=b; a=c; ;;` };
        const answer = await shared.service.browser().get('/dashboard/session', headers);
        assert.equal(bodyOf<Session>(answer).data.account, null);
        unauthorizedOf(await shared.service.browser().get('/dashboard/keys', headers));
      }
    });
  });

  describe('A session ends', () => {
    it('after 30 days', async () => {
      const browser = await signedUp(shared.service);
      const { now } = shared.service;
      shared.service.now = now + SESSION_MS - 1;
      bodyOf(await browser.get('/dashboard/keys'));
      shared.service.now = now + SESSION_MS;
      unauthorizedOf(await browser.get('/dashboard/keys'));
      shared.service.now = now;
    });

    it('in every browser at once on signing out everywhere', async () => {
      const browser = await signedUp(shared.service);
      const other = await shared.service.signIn(browser.email, PASSWORD);
      const { data } = bodyOf<Session>(await other.get('/dashboard/session'));
      assert.equal(data.account?.sessions, 2);
      assert.equal((await browser.post('/dashboard/sign-out-everywhere')).statusCode, 204);
      assert.equal(browser.token, undefined);
      unauthorizedOf(await other.get('/dashboard/keys'));
    });

    it('in every other browser, when the password is changed', async () => {
      const browser = await signedUp(shared.service);
      const other = await shared.service.signIn(browser.email, PASSWORD);
      const wrong = await browser.post('/dashboard/password', { current: NEXT, next: NEXT });
      errorOf(wrong, 'REFUSED');
      const body = { current: PASSWORD, next: NEXT };
      const { data } = bodyOf<Account>(await browser.post('/dashboard/password', body));
      assert.equal(data.sessions, 1);
      bodyOf(await browser.get('/dashboard/keys'));
      unauthorizedOf(await other.get('/dashboard/keys'));
      await shared.service.signIn(browser.email, NEXT);
    });

    it('when the account is disabled, and its owner cannot sign in', async () => {
      const browser = await signedUp(shared.service);
      await shared.service.accounts.disable(browser.email);
      unauthorizedOf(await browser.get('/dashboard/keys'));
      const body = { email: browser.email, password: PASSWORD };
      const message = unauthorizedOf(await browser.post('/dashboard/sign-in', body));
      assert.match(message, /disabled/);
    });

    it('when the account is deleted, with its keys', async () => {
      const browser = await signedUp(shared.service);
      const { key } = await shared.service.keys.create(browser.email);
      const other = await shared.service.signIn(browser.email, PASSWORD);
      errorOf(await browser.post('/dashboard/account/delete', { password: NEXT }), 'REFUSED');
      const answer = await browser.post('/dashboard/account/delete', { password: PASSWORD });
      assert.equal(answer.statusCode, 200);
      assert.match(answer.json().data.name, /^deleted account #\d+$/);
      assert.equal(browser.token, undefined);
      unauthorizedOf(await other.get('/dashboard/keys'));
      errorOf(await shared.service.get('/v1/games', { 'x-api-key': key }), 'INVALID_API_KEY');
      const body = { email: browser.email, password: PASSWORD };
      assert.equal(unauthorizedOf(await browser.post('/dashboard/sign-in', body)), WRONG);
    });
  });

  describe('A forgotten password', () => {
    it('is reset with the link of an operator, once', async () => {
      const { email } = await signedUp(shared.service);
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
      const short = await browser.post('/dashboard/reset', { token, password: 'short' });
      assert.match(errorOf(short, 'REFUSED').message, /at least 10/);
      const answer = await browser.post('/dashboard/reset', { token, password: NEXT });
      assert.equal(bodyOf<Account>(answer).data.email, email);
      bodyOf(await browser.get('/dashboard/keys'));
      errorOf(await browser.post('/dashboard/reset', { token, password: NEXT }), 'REFUSED');
    });

    it('is reset with a mailed link, if the account exists', async () => {
      const mails: unknown[][] = [];
      const mailer: Mailer = { sendReset: async (...mail) => void mails.push(mail) };
      const changes = { mailer, publicUrl: 'https://cards.example' };
      const service = await shared.service.beside(shared.location, { dashboard: changes });
      const { email } = await signedUp(service);
      const ask = (to: string) => service.browser().post('/dashboard/forgot', { email: to });
      const answers = [await ask(email.toUpperCase()), await ask(newEmail()), await ask('x')];
      for (const answer of answers) assert.deepEqual(bodyOf(answer, 202), { data: {} });
      assert.equal(mails.length, 1);
      const [to, link, expiresAt] = mails[0] ?? [];
      assert.equal(to, email);
      assert.equal(expiresAt, service.now + 3_600_000);
      const [, token] = /^https:\/\/cards\.example\/reset#(.*)$/.exec(String(link)) ?? [];
      bodyOf(await service.browser().post('/dashboard/reset', { token, password: NEXT }));
      await service.close();
    });

    it('is never mailed to another spelling of the address', async () => {
      const mails: string[] = [];
      const mailer: Mailer = { sendReset: async (to) => void mails.push(to) };
      const service = await shared.service.beside(shared.location, { dashboard: { mailer } });
      const email = `mike-${newEmail()}`;
      await signedUp(service, email);
      // The sign of Kelvin is a K in lower case.
      await service.browser().post('/dashboard/forgot', { email: email.replace('k', '\u212A') });
      assert.deepEqual(mails, [email]);
      await service.close();
    });

    it('answers the same when the mail cannot be sent, which is logged', async () => {
      const mailer: Mailer = { sendReset: () => Promise.reject(new Error('no mail today')) };
      const service = await shared.service.beside(shared.location, { dashboard: { mailer } });
      const { email } = await signedUp(service);
      const answer = await service.browser().post('/dashboard/forgot', { email });
      assert.deepEqual(bodyOf(answer, 202), { data: {} });
      assert.ok(service.log.some((line) => line.includes('no mail today')));
      await service.close();
    });

    it('answers the same when no mail server is set', async () => {
      const { data } = bodyOf<Session>(await shared.service.browser().get('/dashboard/session'));
      assert.equal(data.mail, false);
      const body = { email: newEmail() };
      bodyOf(await shared.service.browser().post('/dashboard/forgot', body), 202);
    });
  });
});

describe('GET /dashboard/session', () => {
  const shared = shareService('SQLite');

  it('returns what the pages load first, to anybody', async () => {
    const { data } = bodyOf<Session>(await shared.service.browser().get('/dashboard/session'));
    const { plans, games, ...rest } = data;
    assert.deepEqual(rest, {
      account: null,
      signUp: 'open',
      mail: false,
      pictures: false,
      now: '2026-01-29T12:00:00Z',
      version: '1.2.3',
      maxKeys: 5,
      keyExpires: null,
      password: { least: 10, most: 128 },
    });
    assert.deepEqual(plans[1], {
      name: 'trader',
      label: 'Trader',
      dailyRequests: 10_000,
      price: 14.99,
      features: ['history', 'batch', 'resolve', 'explain', 'explain-match', 'marketplace-changes'],
    });
    assert.equal(plans.length, 3);
    assert.deepEqual(games[0], { id: 'pokemon', name: 'Pokemon TCG (English)' });
    assert.equal(games.length, GAMES.length);
  });
});

describe('The log', () => {
  const shared = shareService('SQLite');

  it('records sign-ins and sign-outs, and never a password, token or address', async () => {
    const { service } = shared;
    const browser = await signedUp(service);
    const tokens = [browser.token];
    await browser.get(`/dashboard/keys?email=${browser.email}&password=${PASSWORD}`);
    await browser.post('/dashboard/password', { current: PASSWORD, next: NEXT });
    tokens.push(browser.token);
    await browser.post('/dashboard/sign-in', { email: browser.email, password: `${NEXT}!` });
    await browser.post('/dashboard/sign-in', `{"email":"${browser.email}","password":"${NEXT}`);
    const operator = await service.operator();
    const made = await operator.post('/dashboard/operator/accounts/reset-link', browser);
    const [, token] = made.json().data.link.split('#');
    tokens.push(token);
    await browser.post('/dashboard/reset', { token, password: PASSWORD });
    tokens.push(browser.token);
    const { key } = (await browser.post('/dashboard/keys', {})).json().data;
    await browser.post('/dashboard/sign-out');

    const lines = service.log.map((line) => JSON.parse(line));
    const told = lines
      .filter(({ msg }) => msg !== 'request' && msg !== 'audit')
      .map(({ msg }) => msg);
    assert.deepEqual(told.slice(0, 2), ['signed in', 'password changed']);
    assert.equal(told.at(-1), 'signed out');
    const { account } = lines.find(({ msg }) => msg === 'signed in');
    const requests = lines.filter(
      ({ msg, path }) => msg === 'request' && path === '/dashboard/keys',
    );
    assert.deepEqual(
      requests.map((line) => line.account),
      [account, account],
    );
    const log = service.log.join('');
    for (const secret of [...tokens, key, PASSWORD, NEXT, browser.email, 'argon2']) {
      assert.ok(secret && !log.includes(secret), `${secret} is in the log`);
    }
  });
});
