import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { createToken } from '../../src/accounts/sign-in/tokens.ts';
import type { AnyRoute } from '../../src/dashboard/route.ts';
import { ROUTES } from '../../src/dashboard/routes.ts';
import { DATA_ENDPOINTS } from '../../src/http/v1/routes.ts';
import { OPERATOR_CALLS } from '../../src/operator/calls.ts';
import { bodyOf, errorOf, unauthorizedOf } from '../http/expect.ts';
import { PASSWORD, shareService } from '../support/app.ts';
import type { Browser, Headers } from '../support/browser.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Card data, which are the endpoints of the API. */
const CARD_DATA = DATA_ENDPOINTS.filter(({ method }) => method === 'GET').map(({ path }) => ({
  method: 'GET' as const,
  path,
  access: 'visitor' as const,
}));
const LISTS = { method: 'POST' as const, path: '/v1/resolve', access: 'visitor' as const };
/** Every call that there is. */
const CALLS = [...ROUTES, ...CARD_DATA, LISTS];

/** As a browser sends a session. */
const cookie = (token: string): Headers => ({ cookie: `cardprice_session=${token}` });

/** Sends what a route takes, or something like it. */
function ask(
  browser: Browser,
  { method, path }: Pick<AnyRoute, 'method' | 'path'>,
  headers: Headers = {},
): Promise<LightMyRequestResponse> {
  const url = `/dashboard${path.replace(/:id|:name/, '1')}`;
  return method === 'GET' ? browser.get(url, headers) : browser.post(url, {}, headers);
}

describe('The access of a route', () => {
  const shared = shareService('SQLite');

  it('needs an operator below /operator, and nowhere else', () => {
    const operators = ROUTES.filter(({ access }) => access === 'operator');
    const below = ROUTES.filter(({ path }) => path.startsWith('/operator'));
    assert.deepEqual(operators, below);
    assert.equal(operators.length, OPERATOR_CALLS.length);
  });

  it('is anyone or visitor for these routes only', () => {
    const open = ROUTES.filter(({ access }) => access === 'anyone' || access === 'visitor');
    assert.deepEqual(open.map(({ access, method, path }) => `${access} ${method} ${path}`).sort(), [
      'anyone GET /session',
      'anyone POST /forgot',
      'anyone POST /reset',
      'anyone POST /reset/preview',
      'anyone POST /sign-in',
      'anyone POST /sign-in/passkey',
      'anyone POST /sign-in/passkey-options',
      'anyone POST /sign-in/second-factor',
      'anyone POST /sign-in/second-factor/passkey',
      'anyone POST /sign-in/second-factor/passkey-options',
      'anyone POST /sign-out',
      'anyone POST /sign-up',
      'visitor GET /lookups',
      'visitor GET /moved-sets',
      'visitor GET /newest-sets',
      'visitor GET /pictures/:id',
      'visitor GET /price-counts',
    ]);
  });

  it('refuses everybody without a session, except on open routes', async () => {
    for (const route of CALLS.filter(({ access }) => access !== 'anyone')) {
      const message = unauthorizedOf(await ask(shared.service.browser(), route));
      assert.equal(message, 'Sign in first.');
      const ended = await ask(shared.service.browser(), route, cookie(createToken()));
      unauthorizedOf(ended);
      // Another request may have renewed it meanwhile.
      assert.deepEqual(ended.cookies, []);
    }
  });

  it('refuses accounts that are not operators on the routes of operators', async () => {
    const browser = await shared.service.signedInBrowser('business');
    for (const route of ROUTES.filter(({ access }) => access === 'operator')) {
      const { message } = errorOf(await ask(browser, route), 'FORBIDDEN');
      assert.equal(message, 'This is for operators only.');
    }
  });

  it('allows an operator only as long as it is one', async () => {
    const operator = await shared.service.operator();
    bodyOf(await operator.get('/dashboard/operator/accounts'));
    await shared.service.accounts.setOperator(operator.email, false);
    errorOf(await operator.get('/dashboard/operator/accounts'), 'FORBIDDEN');
  });

  it('is checked before unknown paths are answered', async () => {
    const browser = await shared.service.signedInBrowser();
    for (const path of ['', '/', '/nothing', '/keys/', '/v1', '/v1/nothing', '/v1/cards/batch/x']) {
      const url = `/dashboard${path}`;
      unauthorizedOf(await shared.service.browser().get(url));
      const { message } = errorOf(await browser.get(url), 'NOT_FOUND');
      assert.equal(message, `There is nothing at ${url}. See /docs for the endpoints.`);
    }
    errorOf(await browser.send('DELETE', '/dashboard/keys'), 'NOT_FOUND');
    errorOf(await browser.send('DELETE', '/dashboard/v1/games'), 'METHOD_NOT_ALLOWED');
    errorOf(await browser.post('/dashboard/v1/cards/batch', { ids: [] }), 'METHOD_NOT_ALLOWED');
  });

  it('takes no API key, and the API takes no session', async () => {
    const { key } = await shared.service.caller();
    unauthorizedOf(await shared.service.browser().get('/dashboard/keys', { 'x-api-key': key }));
    unauthorizedOf(await shared.service.browser().get(`/dashboard/keys?api_key=${key}`));
    const browser = await shared.service.signedInBrowser();
    errorOf(await browser.get('/v1/games'), 'MISSING_API_KEY');
  });
});

describe('Where the pages are public, the access of a route', () => {
  const shared = shareService('SQLite', { dashboard: { isPublic: true } });

  it('lets visitors read card data, and nothing else', async () => {
    for (const route of CALLS.filter(({ access }) => access !== 'anyone')) {
      const { statusCode, body } = await ask(shared.service.browser(), route);
      if (route.access !== 'visitor') assert.equal(statusCode, 401, route.path);
      else assert.ok(statusCode !== 401 && statusCode < 500, `${route.path} ${body}`);
      unauthorizedOf(await ask(shared.service.browser(), route, cookie(createToken())));
    }
  });

  it('gives visitors what the free plan includes', async () => {
    const visitor = shared.service.browser();
    bodyOf(await visitor.get('/dashboard/v1/cards/pokemon-bs-charizard-004'));
    bodyOf(await visitor.get('/dashboard/v1/rarities?game=pokemon'));
    const history = '/dashboard/v1/cards/pokemon-bs-charizard-004/history';
    bodyOf(await visitor.get(`${history}?period=30d`));
    errorOf(await visitor.get(`${history}?period=90d`), 'PLAN_RESTRICTION');
    const { message } = errorOf(
      await visitor.get('/dashboard/v1/cards/pokemon-bs-charizard-004/explain'),
      'PLAN_RESTRICTION',
    );
    assert.equal(message, 'The explanation of prices requires the Trader plan or above.');
  });

  it('says so to the pages', async () => {
    const { data } = bodyOf<{ data: { isPublic: boolean } }>(
      await shared.service.browser().get('/dashboard/session'),
    );
    assert.equal(data.isPublic, true);
  });

  it('refuses unknown paths and other methods as usual', async () => {
    const visitor = shared.service.browser();
    for (const path of ['', '/', '/nothing', '/v1', '/v1/nothing', '/v1/cards/batch/x']) {
      unauthorizedOf(await visitor.get(`/dashboard${path}`));
    }
    unauthorizedOf(await visitor.send('DELETE', '/dashboard/v1/games'));
    unauthorizedOf(await visitor.post('/dashboard/v1/cards/batch', { ids: [] }));
    errorOf(await visitor.get('/v1/games'), 'MISSING_API_KEY');
  });

  it('holds visitors of a network to 600 calls a minute together', async () => {
    const ask = (remoteAddress: string) =>
      shared.service.app.inject({ url: '/dashboard/v1/games', remoteAddress });
    for (let count = 0; count < 600; count += 1) {
      assert.equal((await ask(`2001:db8::${(count % 9) + 1}`)).statusCode, 200);
    }
    errorOf(await ask('2001:db8::ffff'), 'TOO_MANY_ATTEMPTS');
    assert.equal((await ask('2001:db8:0:1::1')).statusCode, 200);
  });
});

describe('A page of another site', () => {
  const shared = shareService('SQLite');
  let operator: Browser;
  before(async () => {
    operator = await shared.service.operator();
  });

  const FOREIGN: readonly Headers[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
  ];

  /** What browsers without Sec-Fetch-Site send. */
  const ORIGINS = ['https://evil.example', 'null', 'http://localhost:81', 'x', ''];

  it('cannot have the browser post anything', async () => {
    for (const route of ROUTES.filter(({ method }) => method === 'POST')) {
      for (const headers of FOREIGN) {
        const { message } = errorOf(await ask(operator, route, headers), 'FORBIDDEN');
        assert.equal(message, 'This call came from a page of another site.');
      }
    }
  });

  it('is recognised by the Origin header of older browsers', async () => {
    const post = (headers: Headers) =>
      shared.service.app.inject({
        method: 'POST',
        url: '/dashboard/sign-out',
        headers: { host: 'cards.example', ...headers },
      });
    for (const origin of [...ORIGINS, 'https://cards.example:81']) {
      errorOf(await post({ origin }), 'FORBIDDEN');
    }
    assert.equal((await post({ origin: 'https://cards.example' })).statusCode, 204);
    assert.equal((await post({})).statusCode, 204, 'no browser says nothing at all');
    assert.equal((await post({ 'sec-fetch-site': 'none' })).statusCode, 204);
  });

  it('cannot post a form', async () => {
    const browser = await shared.service.signedInBrowser();
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      const answer = await browser.post('/dashboard/keys', '{}', { 'content-type': type });
      errorOf(answer, 'UNSUPPORTED_MEDIA_TYPE');
    }
  });

  it('may link to the dashboard', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    bodyOf(await operator.get('/dashboard/session', headers));
  });
});

describe('Behind a proxy, a page of another site', () => {
  const dashboard = { publicUrl: 'https://cards.example' };
  const shared = shareService('SQLite', { trustProxy: ['127.0.0.1'], dashboard });

  const statusOf = async (headers: Headers) => {
    const post = { method: 'POST', url: '/dashboard/sign-out', headers } as const;
    return (await shared.service.app.inject(post)).statusCode;
  };

  it('is recognised by the address of the service, not by forwarded headers', async () => {
    const host = 'internal:8080';
    assert.equal(await statusOf({ host, origin: 'https://cards.example' }), 204);
    for (const origin of ['https://cards.example.evil.example', 'https://evil.example']) {
      assert.equal(await statusOf({ host, origin, 'x-forwarded-host': new URL(origin).host }), 403);
    }
  });
});

describe('Every answer', () => {
  const shared = shareService('SQLite');

  it('is not cached, and has a content security policy and a request id', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    const answers = [
      await browser.get('/dashboard/session'),
      await browser.get('/dashboard/keys'),
      await browser.get('/dashboard/nothing'),
      await browser.get('/dashboard/v1/games'),
      await browser.get('/dashboard/operator/sources'),
      await browser.post('/dashboard/keys', '{'),
      await browser.post('/dashboard/keys', {}, { 'sec-fetch-site': 'cross-site' }),
      await shared.service.browser().get('/dashboard/keys'),
      await browser.post('/dashboard/sign-out'),
    ];
    const ids = new Set<unknown>();
    for (const { headers } of answers) {
      assert.equal(headers['cache-control'], 'no-store');
      assert.match(String(headers['content-security-policy']), /^default-src 'none';/);
      assert.ok(!String(headers['content-security-policy']).includes('unsafe'));
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['strict-transport-security'], undefined);
      assert.match(String(headers['x-request-id']), UUID);
      ids.add(headers['x-request-id']);
    }
    assert.equal(ids.size, answers.length);
  });

  it('is compressed when it is long and the client accepts that', async () => {
    const browser = await shared.service.signedInBrowser();
    const accepting = { 'accept-encoding': 'gzip' };
    const long = await browser.get('/dashboard/usage', accepting);
    assert.equal(long.headers['content-encoding'], 'gzip');
    assert.match(String(long.headers.vary), /accept-encoding/i);
    const short = await browser.get('/dashboard/keys', accepting);
    assert.equal(short.headers['content-encoding'], undefined);
    const plain = await browser.get('/dashboard/usage');
    assert.equal(plain.headers['content-encoding'], undefined);
  });
});

describe('An account', () => {
  const shared = shareService('SQLite');

  it('may send 600 calls a minute from all of its sessions, independently of others', async () => {
    const browser = await shared.service.signedInBrowser();
    const second = await shared.service.signIn(browser.email, PASSWORD);
    for (let count = 0; count < 300; count += 1) {
      bodyOf(await browser.get('/dashboard/keys'));
      bodyOf(await second.get('/dashboard/keys'));
    }
    const third = await shared.service.signIn(browser.email, PASSWORD);
    errorOf(await third.get('/dashboard/keys'), 'TOO_MANY_ATTEMPTS');
    const refused = await browser.get('/dashboard/keys');
    const { message } = errorOf(refused, 'TOO_MANY_ATTEMPTS');
    assert.equal(message, 'Too many requests. Please wait 1 s.');
    assert.equal(refused.headers['retry-after'], '1');
    bodyOf(await (await shared.service.signedInBrowser()).get('/dashboard/keys'));
    shared.service.now += 1000;
    bodyOf(await browser.get('/dashboard/keys'));
  });
});
