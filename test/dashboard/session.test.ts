import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import type { Static } from 'typebox';
import { DEVICE_MS } from '../../src/accounts/sign-in/devices.ts';
import { SESSION_MS } from '../../src/accounts/sign-in/sessions.ts';
import { createToken } from '../../src/accounts/sign-in/tokens.ts';
import type { Me, SessionEntryView, SessionView } from '../../src/dashboard/views.ts';
import { GAMES } from '../../src/domain/games.ts';
import { bodyOf, errorOf, unauthorizedOf } from '../http/expect.ts';
import { PASSWORD, type Service, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';

type Session = { data: Static<typeof SessionView> };
type Sessions = { data: Static<typeof SessionEntryView>[] };
type Account = { data: Static<typeof Me> };

const NEXT = 'another battery staple';
const WRONG = 'The e-mail address or the password is wrong, or the account is not confirmed yet.';
const newEmail = () => `${randomUUID()}@shop.example`;

/** Waits until the use of a session is recorded, which no answer waits for. */
async function useIsRecorded({ store, now }: Service): Promise<void> {
  const query = store.accounts.db.selectFrom('sessions').select('token_hash');
  const isRecorded = () => query.where('last_used_at', '=', now).executeTakeFirst();
  while (!(await isRecorded())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A service that people open by https. */
const SECURE = { dashboard: { publicUrl: 'https://cards.example' } };

const sessionCookie = (answer: LightMyRequestResponse) => {
  const cookies = answer.cookies.filter(({ name }) => name.endsWith('cardprice_session'));
  assert.equal(cookies.length, 1);
  return cookies[0];
};

forEachEngine((label) => {
  const shared = shareService(label);

  describe('Signing in', () => {
    it('answers the same for a wrong password and an unknown account', async () => {
      const { email } = await shared.service.signedInBrowser();
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
      const browser = await shared.service.signedInBrowser();
      const before = browser.token;
      const body = { email: browser.email, password: PASSWORD };
      const { data } = bodyOf<Account>(await browser.post('/dashboard/sign-in', body));
      assert.notEqual(browser.token, before);
      assert.equal(data.sessions, 1);
      const old = { cookie: `cardprice_session=${before}` };
      unauthorizedOf(await shared.service.browser().get('/dashboard/keys', old));
    });

    it('slows down, and says how long to wait', async () => {
      const { email } = await shared.service.signedInBrowser();
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
      const other = await shared.service.another(shared.location);
      const browser = await shared.service.signedInBrowser();
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
      const service = await shared.service.another(shared.location, { trustProxy: ['10.0.0.0/8'] });
      const body = JSON.stringify({
        email: (await service.signedInBrowser()).email,
        password: PASSWORD,
      });
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
          name: secure ? '__Host-cardprice_session' : 'cardprice_session',
          httpOnly: true,
          sameSite: 'Lax',
          path: '/',
          maxAge: SESSION_MS / 1000,
          ...(secure && { secure }),
        });
      }
      await service.close();
    });

    it('of a known browser is sent by this site alone, and outlives the session', async () => {
      const { email } = await shared.service.signedInBrowser();
      const body = { email, password: PASSWORD };
      const answer = await shared.service.browser().post('/dashboard/sign-in', body);
      const device = answer.cookies.find(({ name }) => name === 'cardprice_device');
      const { value, ...attributes } = device ?? {};
      assert.match(String(value), /^[\w-]{43}$/);
      assert.deepEqual(attributes, {
        name: 'cardprice_device',
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: DEVICE_MS / 1000,
      });
      assert.ok(DEVICE_MS > SESSION_MS);
    });

    it('is secure only if a trusted proxy says so', async () => {
      const { email } = await shared.service.signedInBrowser();
      const body = { email, password: PASSWORD };
      const headers = { 'x-forwarded-proto': 'https' };
      const answer = await shared.service.browser().post('/dashboard/sign-in', body, headers);
      assert.equal(sessionCookie(answer)?.secure, undefined);
    });

    it('is always secure if the dashboard has an https address', async () => {
      const service = await shared.service.another(shared.location, SECURE);
      const { email } = await shared.service.signedInBrowser();
      const browser = service.browser();
      const body = { email, password: PASSWORD };
      const cookie = sessionCookie(await browser.post('/dashboard/sign-in', body));
      assert.equal(cookie?.name, '__Host-cardprice_session');
      assert.deepEqual([cookie?.secure, cookie?.path, cookie?.domain], [true, '/', undefined]);
      bodyOf(await browser.get('/dashboard/keys'));
      const out = await browser.post('/dashboard/sign-out');
      assert.equal(sessionCookie(out)?.name, '__Host-cardprice_session');
      await service.close();
    });

    it('is not secure when people open the dashboard by http', async () => {
      const dashboard = { publicUrl: 'http://cards.example' };
      const service = await shared.service.another(shared.location, { dashboard });
      const { email } = await shared.service.signedInBrowser();
      const body = { email, password: PASSWORD };
      const cookie = sessionCookie(await service.browser().post('/dashboard/sign-in', body));
      assert.deepEqual([cookie?.name, cookie?.secure], ['cardprice_session', undefined]);
      await service.close();
    });

    it('of the name without TLS, which a neighbouring host can set, does not count with TLS', async () => {
      const service = await shared.service.another(shared.location, SECURE);
      const [ann, evil] = [await service.signedInBrowser(), await service.signedInBrowser()];
      const plain = `cardprice_session=${evil.secureToken}`;
      const asked = await service.browser().get('/dashboard/session', { cookie: plain });
      assert.equal(bodyOf<Session>(asked).data.account, null);
      assert.deepEqual(asked.cookies, []);
      unauthorizedOf(await service.browser().get('/dashboard/keys', { cookie: plain }));
      const both = `${plain}; __Host-cardprice_session=${ann.secureToken}`;
      const answer = await service.browser().get('/dashboard/session', { cookie: both });
      assert.equal(bodyOf<Session>(answer).data.account?.email, ann.email);
      await service.close();
    });

    it('is cleared when the session has ended and on signing out', async () => {
      const browser = await shared.service.signedInBrowser();
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
    it('after 30 days, used or not', async () => {
      const browser = await shared.service.signedInBrowser();
      const { now } = shared.service;
      for (let days = 10; days < 30; days += 10) {
        shared.service.now = now + days * 86_400_000;
        bodyOf(await browser.get('/dashboard/keys'));
        await useIsRecorded(shared.service);
      }
      shared.service.now = now + SESSION_MS - 1;
      bodyOf(await browser.get('/dashboard/keys'));
      shared.service.now = now + SESSION_MS;
      unauthorizedOf(await browser.get('/dashboard/keys'));
      shared.service.now = now;
    });

    it('after 14 days in which nobody uses it, an operator’s after 12 hours', async () => {
      for (const [browser, idle] of [
        [await shared.service.signedInBrowser(), 14 * 86_400_000],
        [await shared.service.operator(), 12 * 3_600_000],
      ] as const) {
        const { now } = shared.service;
        shared.service.now = now + idle - 1;
        bodyOf(await browser.get('/dashboard/keys'));
        await useIsRecorded(shared.service);
        shared.service.now += idle - 60_000;
        bodyOf(await browser.get('/dashboard/keys'));
        await useIsRecorded(shared.service);
        shared.service.now += idle;
        unauthorizedOf(await browser.get('/dashboard/keys'));
        shared.service.now = now;
      }
    });

    it('when its owner ends it in the list of another browser', async () => {
      const browser = await shared.service.signedInBrowser();
      const phone = shared.service.browser();
      const body = { email: browser.email, password: PASSWORD };
      const agent = { 'user-agent': 'A phone' };
      bodyOf(await phone.post('/dashboard/sign-in', body, agent));
      const listed = async () =>
        bodyOf<Sessions>(await browser.get('/dashboard/sessions')).data.toSorted((one) =>
          one.isCurrent ? -1 : 1,
        );
      const [own, other, ...more] = await listed();
      assert.deepEqual(more, []);
      assert.deepEqual(
        [own?.isCurrent, own?.address, other?.isCurrent, other?.address, other?.userAgent],
        [true, browser.address, false, phone.address, 'A phone'],
      );
      const stranger = await shared.service.signedInBrowser();
      const end = { id: other?.id };
      assert.equal((await stranger.post('/dashboard/sessions/revoke', end)).statusCode, 204);
      bodyOf(await phone.get('/dashboard/keys'));
      assert.equal((await browser.post('/dashboard/sessions/revoke', end)).statusCode, 204);
      unauthorizedOf(await phone.get('/dashboard/keys'));
      assert.equal((await listed()).length, 1);

      const third = await shared.service.signIn(browser.email, PASSWORD);
      const others = await browser.post('/dashboard/sessions/revoke-others');
      assert.equal(others.statusCode, 204);
      unauthorizedOf(await third.get('/dashboard/keys'));
      bodyOf(await browser.get('/dashboard/keys'));
      const itself = { id: own?.id };
      assert.equal((await browser.post('/dashboard/sessions/revoke', itself)).statusCode, 204);
      assert.equal(browser.token, undefined);
    });

    it('in every browser at once on signing out everywhere', async () => {
      const browser = await shared.service.signedInBrowser();
      const other = await shared.service.signIn(browser.email, PASSWORD);
      const { data } = bodyOf<Session>(await other.get('/dashboard/session'));
      assert.equal(data.account?.sessions, 2);
      assert.equal((await browser.post('/dashboard/sign-out-everywhere')).statusCode, 204);
      assert.equal(browser.token, undefined);
      unauthorizedOf(await other.get('/dashboard/keys'));
    });

    it('in every other browser, when the password is changed', async () => {
      const browser = await shared.service.signedInBrowser();
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
      const browser = await shared.service.signedInBrowser();
      await shared.service.accounts.disable(browser.email);
      unauthorizedOf(await browser.get('/dashboard/keys'));
      const body = { email: browser.email, password: PASSWORD };
      const message = unauthorizedOf(await browser.post('/dashboard/sign-in', body));
      assert.match(message, /disabled/);
    });

    it('when the account is deleted, with its keys', async () => {
      const browser = await shared.service.signedInBrowser();
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
});

describe('GET /dashboard/session', () => {
  const shared = shareService('SQLite');

  it('returns what the pages load first, to anybody', async () => {
    const { data } = bodyOf<Session>(await shared.service.browser().get('/dashboard/session'));
    const { plans, games, ...rest } = data;
    assert.deepEqual(rest, {
      account: null,
      brand: { name: 'Cardprice', tagline: 'What cards are worth.', hasLogo: false },
      isPublic: false,
      signUp: 'open',
      mail: false,
      pictures: false,
      passkeyOrigin: 'http://localhost',
      now: '2026-01-29T12:00:00Z',
      historyDays: 30,
      version: '1.2.3',
      maxKeys: 5,
      keyExpires: null,
      password: { least: 10, most: 128 },
    });
    assert.deepEqual(plans[1], {
      name: 'trader',
      label: 'Trader',
      dailyRequests: 10_000,
      historyDays: null,
      price: 14.99,
      features: ['history', 'batch', 'resolve', 'explain', 'explain-match', 'marketplace-changes'],
      alerts: 1000,
      dailyLookups: 10_000,
      howToGet: '',
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
    const browser = await service.signedInBrowser();
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
