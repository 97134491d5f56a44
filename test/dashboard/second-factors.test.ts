import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import type { Static } from 'typebox';
import { CHALLENGE_MS } from '../../src/accounts/sign-in/challenges.ts';
import { totpCode } from '../../src/accounts/sign-in/codes.ts';
import type { Mailer } from '../../src/dashboard/mail.ts';
import type { AnyRoute } from '../../src/dashboard/route.ts';
import { ROUTES } from '../../src/dashboard/routes.ts';
import type { FactorsView, Me, SessionView } from '../../src/dashboard/views.ts';
import { bodyOf, errorOf, unauthorizedOf } from '../http/expect.ts';
import { PASSWORD, type Service, shareService } from '../support/app.ts';
import { SoftAuthenticator } from '../support/authenticator.ts';
import type { Browser } from '../support/browser.ts';
import { forEachEngine } from '../support/engines.ts';

type Member = Browser & { readonly email: string };
type Account = { data: Static<typeof Me> };
type Codes = { data: { recoveryCodes: string[] } };

const FACTORS = '/dashboard/second-factors';
const STEP_MS = 30_000;
/** How long a proof of identity is enough for dangerous calls. */
const PROOF_MS = 10 * 60_000;

const sent = async (answer: Promise<LightMyRequestResponse>, status: number) =>
  assert.equal((await answer).statusCode, status, (await answer).body);

/** Adds an authenticator app, and returns its secret and the recovery codes. */
async function addTotp(service: Service, browser: Browser) {
  const begun = bodyOf<{ data: { secret: string } }>(await browser.post(`${FACTORS}/totp`), 201);
  const { secret } = begun.data;
  const code = totpCode(secret, service.now);
  const { data } = bodyOf<Codes>(await browser.post(`${FACTORS}/totp/confirm`, { code }));
  service.now += STEP_MS;
  return { secret, ...data };
}

async function addPasskey(browser: Browser): Promise<SoftAuthenticator> {
  const passkey = new SoftAuthenticator('http://localhost');
  const { data } = bodyOf<{ data: never }>(await browser.post(`${FACTORS}/passkey-options`));
  const body = { name: 'phone', response: passkey.create(data) };
  bodyOf<Codes>(await browser.post(`${FACTORS}/passkeys`, body), 201);
  return passkey;
}

/** Has a passkey answer the options of a path, and sends it there. */
async function answer(browser: Browser, path: string, passkey: SoftAuthenticator) {
  const { data } = bodyOf<{ data: never }>(await browser.post(`${path}-options`));
  return browser.post(path, { response: passkey.get(data) });
}

const signIn = (browser: Browser, { email }: Pick<Member, 'email'>) =>
  browser.post('/dashboard/sign-in', { email, password: PASSWORD });

const routesThat = (is: (route: AnyRoute) => boolean | undefined): string[] =>
  ROUTES.filter(is)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();

forEachEngine((label) => {
  const shared = shareService(label);

  describe('Signing in with a second factor', () => {
    it('opens no session before the factor is proved', async () => {
      const member = await shared.service.signedInBrowser();
      const { secret } = await addTotp(shared.service, member);
      const browser = shared.service.browser();
      const first = await signIn(browser, member);
      assert.deepEqual(bodyOf(first, 202), { data: { factors: ['totp', 'recovery-code'] } });
      const [cookie, ...others] = first.cookies;
      assert.deepEqual(others, []);
      const { value, ...attributes } = cookie ?? {};
      assert.match(String(value), /^[\w-]{43}$/);
      assert.deepEqual(attributes, {
        name: 'cardprice_pending',
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: CHALLENGE_MS / 1000,
      });
      unauthorizedOf(await browser.get('/dashboard/keys'));
      const asSession = { cookie: `cardprice_session=${value}` };
      unauthorizedOf(await shared.service.browser().get('/dashboard/keys', asSession));

      const wrong = await browser.post('/dashboard/sign-in/second-factor', { code: '000000' });
      assert.match(errorOf(wrong, 'REFUSED').message, /^This code is wrong/);
      const code = totpCode(secret, shared.service.now);
      const { data } = bodyOf<Account>(
        await browser.post('/dashboard/sign-in/second-factor', { code }),
      );
      assert.deepEqual(data.secondFactors, ['totp', 'recovery-code']);
      bodyOf(await browser.get('/dashboard/keys'));
      unauthorizedOf(await browser.post('/dashboard/sign-in/second-factor', { code }));
    });

    it('is not avoided by a link that sets a password', async () => {
      const member = await shared.service.signedInBrowser();
      const { recoveryCodes } = await addTotp(shared.service, member);
      const operator = await shared.service.operator();
      const path = '/dashboard/operator/accounts/reset-link';
      const { email } = member;
      const { data } = bodyOf<{ data: { link: string } }>(await operator.post(path, { email }));
      const [, token] = data.link.split('#');
      const browser = shared.service.browser();
      const next = 'another battery staple';
      bodyOf(await browser.post('/dashboard/reset', { token, password: next }), 202);
      unauthorizedOf(await browser.get('/dashboard/keys'));
      const [code] = recoveryCodes;
      bodyOf(await browser.post('/dashboard/sign-in/second-factor', { code }));
      bodyOf(await browser.get('/dashboard/keys'));
    });

    it('continues after the password was changed', async () => {
      const member = await shared.service.signedInBrowser();
      await addTotp(shared.service, member);
      const body = { current: PASSWORD, next: 'another battery staple' };
      bodyOf<Account>(await member.post('/dashboard/password', body));
      bodyOf(await member.get('/dashboard/keys'));
    });

    it('needs a pending sign-in', async () => {
      const browser = shared.service.browser();
      const code = await browser.post('/dashboard/sign-in/second-factor', { code: '123456' });
      assert.match(unauthorizedOf(code), /^This sign-in took too long/);
      const options = await browser.post('/dashboard/sign-in/second-factor/passkey-options');
      unauthorizedOf(options);
    });
  });

  describe('A passkey', () => {
    it('signs in alone, or after the password', async () => {
      const member = await shared.service.signedInBrowser();
      const passkey = await addPasskey(member);
      const alone = shared.service.browser();
      const { data } = bodyOf<Account>(await answer(alone, '/dashboard/sign-in/passkey', passkey));
      assert.equal(data.email, member.email);
      bodyOf(await alone.get('/dashboard/keys'));
      const after = shared.service.browser();
      bodyOf(await signIn(after, member), 202);
      bodyOf(await answer(after, '/dashboard/sign-in/second-factor/passkey', passkey));
      bodyOf(await after.get('/dashboard/keys'));
      const list = bodyOf<{ data: Static<typeof FactorsView> }>(await member.get(FACTORS));
      assert.deepEqual(
        list.data.passkeys.map(({ name, lastUsedAt }) => [name, lastUsedAt !== null]),
        [['phone', true]],
      );
      const { passkeys } = list.data;
      await sent(member.post(`${FACTORS}/passkeys/${passkeys[0]?.id}/remove`), 204);
      const gone = await answer(shared.service.browser(), '/dashboard/sign-in/passkey', passkey);
      errorOf(gone, 'REFUSED');
    });

    it('is offered where browsers have it', async () => {
      const originOf = async (publicUrl: string, host: string) => {
        const service = await shared.service.another(shared.location, { dashboard: { publicUrl } });
        const asked = await service.browser().get('/dashboard/session', { host });
        const options = await service
          .browser()
          .post('/dashboard/sign-in/passkey-options', undefined, { host });
        const { passkeyOrigin } = bodyOf<{ data: Static<typeof SessionView> }>(asked).data;
        assert.equal(options.statusCode, passkeyOrigin === null ? 400 : 200);
        await service.close();
        return passkeyOrigin;
      };
      assert.equal(await originOf('', 'localhost:8080'), 'http://localhost:8080');
      assert.equal(await originOf('', 'evil.example'), null);
      assert.equal(await originOf('', '127.0.0.1:8080'), null);
      assert.equal(await originOf('https://cards.example', 'x'), 'https://cards.example');
    });

    it('that is malformed is refused', async () => {
      const browser = shared.service.browser();
      const id = 'abcd';
      const response = { clientDataJSON: '', authenticatorData: '', signature: '' };
      for (const body of [
        {},
        { response: null },
        { response: { id, rawId: id, type: 'public-key' } },
        { response: { id: '\0', rawId: '\0', type: 'public-key', response } },
        { response: { id, rawId: id, type: 'x'.repeat(99), response } },
        { response: { id: 'x'.repeat(2000), rawId: id, type: 'public-key', response } },
      ]) {
        errorOf(await browser.post('/dashboard/sign-in/passkey', body), 'INVALID_BODY');
      }
      const unknown = { response: { id, rawId: id, type: 'public-key', response } };
      errorOf(await browser.post('/dashboard/sign-in/passkey', unknown), 'REFUSED');
    });
  });

  describe('What is dangerous', () => {
    it('is declared by these routes', () => {
      assert.deepEqual(
        routesThat(({ isDangerous }) => isDangerous),
        [
          'POST /account/delete',
          'POST /keys',
          'POST /keys/:id',
          'POST /keys/:id/regenerate',
          'POST /operator/accounts',
          'POST /operator/accounts/confirm',
          'POST /operator/accounts/delete',
          'POST /operator/accounts/disable',
          'POST /operator/accounts/enable',
          'POST /operator/accounts/limits',
          'POST /operator/accounts/operator',
          'POST /operator/accounts/plan',
          'POST /operator/accounts/remove-second-factors',
          'POST /operator/accounts/reset-link',
          'POST /operator/keys',
          'POST /operator/keys/:id',
          'POST /operator/keys/:id/regenerate',
          'POST /operator/plans',
          'POST /operator/plans/:name',
          'POST /operator/plans/:name/delete',
          'POST /operator/quarantine/approve-group',
          'POST /operator/quarantine/reject-group',
          'POST /operator/quarantine/undo-decision',
          'POST /password',
          'POST /second-factors/passkey-options',
          'POST /second-factors/passkeys',
          'POST /second-factors/passkeys/:id/remove',
          'POST /second-factors/recovery-codes',
          'POST /second-factors/totp',
          'POST /second-factors/totp/confirm',
          'POST /second-factors/totp/remove',
          'POST /sessions/revoke',
          'POST /sessions/revoke-others',
        ],
      );
    });

    it('needs a proof within ten minutes, on each of these routes', async () => {
      const operator = await shared.service.operator();
      shared.service.now += PROOF_MS;
      for (const { method, path, isDangerous } of ROUTES) {
        if (!isDangerous) continue;
        assert.equal(method, 'POST');
        const refused = await operator.post(`/dashboard${path.replace(':id', '1')}`, {});
        errorOf(refused, 'REAUTHENTICATION_REQUIRED');
      }
      bodyOf(await operator.get('/dashboard/keys'));
    });

    it('works for ten minutes after the password was sent again', async () => {
      const member = await shared.service.signedInBrowser();
      bodyOf(await member.post('/dashboard/keys', {}), 201);
      shared.service.now += PROOF_MS;
      errorOf(await member.post('/dashboard/keys', {}), 'REAUTHENTICATION_REQUIRED');
      const wrong = await member.post('/dashboard/reauthenticate', { password: 'wrong' });
      assert.match(errorOf(wrong, 'REFUSED').message, /not your password/);
      errorOf(await member.post('/dashboard/keys', {}), 'REAUTHENTICATION_REQUIRED');
      await sent(member.post('/dashboard/reauthenticate', { password: PASSWORD }), 204);
      bodyOf(await member.post('/dashboard/keys', {}), 201);
      shared.service.now += PROOF_MS - 1;
      bodyOf(await member.post('/dashboard/keys', {}), 201);
      shared.service.now += 1;
      errorOf(await member.post('/dashboard/keys', {}), 'REAUTHENTICATION_REQUIRED');
    });

    it('gives the browser a new token with each proof, and the old one ends', async () => {
      const member = await shared.service.signedInBrowser();
      const before = { cookie: `cardprice_session=${member.token}` };
      await sent(member.post('/dashboard/reauthenticate', { password: PASSWORD }), 204);
      assert.notEqual(`cardprice_session=${member.token}`, before.cookie);
      const late = await shared.service.browser().get('/dashboard/keys', before);
      unauthorizedOf(late);
      assert.deepEqual(late.cookies, [], 'an answer that is late leaves the new cookie alone');
      bodyOf(await member.get('/dashboard/keys'));
    });

    it('needs the second factor again of an account that has one', async () => {
      const member = await shared.service.signedInBrowser();
      const { secret } = await addTotp(shared.service, member);
      const passkey = await addPasskey(member);
      shared.service.now += PROOF_MS;
      const alone = await member.post('/dashboard/reauthenticate', { password: PASSWORD });
      assert.match(errorOf(alone, 'REFUSED').message, /code of your second factor/);
      const code = totpCode(secret, shared.service.now);
      await sent(member.post('/dashboard/reauthenticate', { password: PASSWORD, code }), 204);
      bodyOf(await member.post('/dashboard/keys', {}), 201);
      shared.service.now += PROOF_MS;
      const proved = await answer(member, '/dashboard/reauthenticate/passkey', passkey);
      assert.equal(proved.statusCode, 204);
      bodyOf(await member.post('/dashboard/keys', {}), 201);
    });

    it('needs no second factor once the last one is removed', async () => {
      const member = await shared.service.signedInBrowser();
      await addTotp(shared.service, member);
      await sent(member.post(`${FACTORS}/totp/remove`), 204);
      bodyOf(await signIn(shared.service.browser(), member), 200);
    });
  });

  describe('Operators that need a second factor', () => {
    const operatorSecondFactor = true;

    it('can only add one', async () => {
      const service = await shared.service.another(shared.location, {
        dashboard: { operatorSecondFactor },
      });
      const operator = await service.operator();
      assert.deepEqual(
        routesThat(({ isForNewOperators }) => isForNewOperators),
        [
          'GET /second-factors',
          'POST /reauthenticate',
          'POST /reauthenticate/passkey',
          'POST /reauthenticate/passkey-options',
          'POST /second-factors/passkey-options',
          'POST /second-factors/passkeys',
          'POST /second-factors/passkeys/:id/remove',
          'POST /second-factors/recovery-codes',
          'POST /second-factors/totp',
          'POST /second-factors/totp/confirm',
          'POST /second-factors/totp/remove',
          'POST /sign-out-everywhere',
        ],
      );
      const closed = ROUTES.filter((route) => {
        return route.access !== 'anyone' && !route.isForNewOperators;
      });
      for (const { method, path } of [...closed, { method: 'GET', path: '/v1/games' } as const]) {
        const url = `/dashboard${path.replace(':id', '1')}`;
        const asked = method === 'GET' ? operator.get(url) : operator.post(url, {});
        const { message } = errorOf(await asked, 'SECOND_FACTOR_REQUIRED');
        assert.match(message, /Add one on the page/);
      }
      const before = bodyOf<{ data: Static<typeof SessionView> }>(
        await operator.get('/dashboard/session'),
      );
      assert.equal(before.data.account?.needsSecondFactor, true);
      await addTotp(service, operator);
      bodyOf(await operator.get('/dashboard/operator/accounts'));
      const kept = await operator.post(`${FACTORS}/totp/remove`);
      assert.match(errorOf(kept, 'REFUSED').message, /^Operators need a second factor/);
      const { data } = bodyOf<{ data: Static<typeof FactorsView> }>(await operator.get(FACTORS));
      assert.equal(data.isRequired, true);
      const member = await service.signedInBrowser();
      bodyOf(await member.get('/dashboard/keys'));
      await service.close();
    });
  });

  describe('The owner', () => {
    it('gets a mail about changes and used recovery codes', async () => {
      const kinds: string[] = [];
      const mailer: Mailer = {
        sendReset: async () => {},
        sendSignUp: async () => {},
        sendTaken: async () => {},
        sendWebhookDisabled: async () => {},
        sendAlerts: async () => {},
        sendDigest: async () => {},
        sendNotice: async (_to, { kind }) => void kinds.push(kind),
      };
      const service = await shared.service.another(shared.location, { dashboard: { mailer } });
      const member = await service.signedInBrowser();
      const { recoveryCodes } = await addTotp(service, member);
      await addPasskey(member);
      await sent(member.post(`${FACTORS}/totp/remove`), 204);
      const browser = service.browser();
      await signIn(browser, member);
      await browser.post('/dashboard/sign-in/second-factor', { code: recoveryCodes[0] });
      bodyOf<Codes>(await browser.post(`${FACTORS}/recovery-codes`), 201);
      await service.close();
      assert.deepEqual(kinds, [
        'second-factor-added',
        'second-factor-added',
        'second-factor-removed',
        'recovery-code-used',
        'second-factor-added',
      ]);
    });
  });

  describe('The log', () => {
    it('has no code, secret or token', async () => {
      const member = await shared.service.signedInBrowser();
      const { secret, recoveryCodes } = await addTotp(shared.service, member);
      const browser = shared.service.browser();
      const [pending] = (await signIn(browser, member)).cookies;
      const [code = ''] = recoveryCodes;
      await browser.post('/dashboard/sign-in/second-factor', { code });
      const log = shared.service.log.join('');
      for (const text of [secret, code, pending?.value ?? '?', browser.token ?? '?']) {
        assert.ok(!log.includes(text));
      }
      assert.match(log, /second factor added/);
    });
  });
});
