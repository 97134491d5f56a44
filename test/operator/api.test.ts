import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { SelfService } from '../../src/accounts/sign-in/self-service.ts';
import { ROUTES } from '../../src/dashboard/routes.ts';
import { OPERATOR_CALLS } from '../../src/operator/calls.ts';
import { parseDocument } from '../http/document.ts';
import { bodyOf, errorOf, unauthorizedOf } from '../http/expect.ts';
import { PASSWORD, type Service, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';

const API = '/operator/v1';

/** Sends calls with an API key. */
class Program {
  readonly #service: Service;
  readonly #key: string;
  readonly email: string;

  constructor(service: Service, email: string, key: string) {
    this.#service = service;
    this.email = email;
    this.#key = key;
  }

  send(method: 'GET' | 'POST', path: string, body?: object): Promise<LightMyRequestResponse> {
    return this.#service.app.inject({
      method,
      url: path,
      headers: { 'x-api-key': this.#key },
      ...(body && { payload: body }),
    });
  }

  get(path: string) {
    return this.send('GET', `${API}${path}`);
  }

  post(path: string, body: object = {}) {
    return this.send('POST', `${API}${path}`, body);
  }
}

let programs = 0;

async function programOf(service: Service, ...scopes: string[]): Promise<Program> {
  programs += 1;
  const email = `operator-${programs}@shop.example`;
  await service.accounts.create(email, 'free', { isOperator: true });
  const { key } = await service.keys.create(email, { scopes });
  return new Program(service, email, key);
}

const FOR_SESSIONS = OPERATOR_CALLS.filter((call) => call.keys !== true);

/** The body of each operation that changes something, and its path. */
function requestOf(path: string): string {
  return path.replace(':id', '1').replace(':name', 'free');
}

forEachEngine((label) => {
  const shared = shareService(label);
  let program: Program;
  before(async () => {
    program = await programOf(shared.service, 'operator:read', 'operator:write');
  });

  describe('An API key of an operator', () => {
    it('makes, limits, disables and deletes accounts', async () => {
      const email = 'ann@shop.example';
      const made = await program.post('/accounts', { email, plan: 'trader' });
      assert.equal(bodyOf<{ data: { plan: string } }>(made, 201).data.plan, 'trader');
      bodyOf(await program.post('/accounts/plan', { email, plan: 'business' }));
      const limited = await program.post('/accounts/limits', {
        email,
        limits: { dailyRequests: 7, burst: null, features: ['history'] },
      });
      const { data } = bodyOf<{ data: { dailyRequests: number } }>(limited);
      assert.equal(data.dailyRequests, 7);
      bodyOf(await program.post('/accounts/disable', { email }));
      bodyOf(await program.post('/accounts/enable', { email }));
      const listed = bodyOf<{ total: number }>(await program.get('/accounts?q=ann%40'));
      assert.equal(listed.total, 1);
      bodyOf(await program.post('/accounts/delete', { email }));
      errorOf(await program.post('/accounts/delete', { email }), 'REFUSED');
    });

    it('gives nobody control of an account', async () => {
      const { email } = await shared.service.signedInBrowser();
      const before = await shared.service.accounts.find(email);
      for (const { path, keys } of FOR_SESSIONS) {
        const answer = await program.post(path, { email, isOperator: true });
        assert.equal(errorOf(answer, 'SESSION_REQUIRED').message, keys.refusal);
        errorOf(await program.post(path), 'SESSION_REQUIRED');
      }
      assert.deepEqual(await shared.service.accounts.find(email), before);
      const { db } = shared.service.store.accounts;
      assert.deepEqual(await db.selectFrom('password_resets').selectAll().execute(), []);
    });

    it('lets no operator in, and locks none out', async () => {
      const { accounts } = shared.service;
      const { email } = await shared.service.operator();
      const waiting = 'waiting@shop.example';
      const selfService = new SelfService(shared.service.store, () => shared.service.now, {
        signUp: { isOpen: true, invitationCode: '' },
      });
      const request = { email: waiting, password: PASSWORD, invitation: '', address: '127.0.0.1' };
      await selfService.signUps.add(await selfService.signUps.check(request));
      await accounts.setOperator(waiting, true);
      const refuse = async (path: string, body: object) => {
        const { message } = errorOf(await program.post(path, body), 'SESSION_REQUIRED');
        assert.match(message, /^API keys cannot confirm, enable, disable or delete /);
      };
      await refuse('/accounts/confirm', { email: waiting });
      await refuse('/accounts/disable', { email });
      await refuse('/accounts/delete', { email });
      await accounts.disable(email);
      await refuse('/accounts/enable', { email });
      assert.notEqual((await accounts.find(email)).disabledAt, null);
      assert.equal((await accounts.find(waiting)).verifiedAt, null);
      await accounts.delete(waiting);
    });

    it('leaves its own account alone', async () => {
      for (const path of ['/accounts/disable', '/accounts/delete']) {
        errorOf(await program.post(path, { email: program.email }), 'REFUSED');
      }
    });

    it('makes and revokes keys of accounts, none with a scope of operators', async () => {
      const email = 'bob@shop.example';
      await shared.service.accounts.create(email, 'free');
      const made = bodyOf<{ data: { id: number; key: string } }>(
        await program.post('/keys', { email, name: 'shop', scopes: ['read'] }),
        201,
      );
      const headers = { 'x-api-key': made.data.key };
      assert.equal((await shared.service.get('/v1/games', headers)).statusCode, 200);
      assert.equal(bodyOf<{ data: [] }>(await program.get(`/keys?email=${email}`)).data.length, 1);
      bodyOf(await program.post(`/keys/${made.data.id}/revoke`));
      assert.equal((await shared.service.get('/v1/games', headers)).statusCode, 401);
      const scopes = ['operator:read'];
      errorOf(await program.post('/keys', { email, scopes }), 'INVALID_BODY');
    });

    it('makes, changes and deletes plans', async () => {
      const made = await program.post('/plans', { name: 'shop', dailyRequests: null, price: 4.99 });
      const plan = bodyOf<{ data: Record<string, unknown> }>(made, 201).data;
      assert.deepEqual([plan.dailyRequests, plan.price, plan.label], [null, 4.99, 'shop']);
      const change = { historyDays: 30, howToGet: 'Write to sales@shop.example.' };
      const changed = bodyOf<{ data: typeof change }>(await program.post('/plans/shop', change));
      const { historyDays, howToGet } = changed.data;
      assert.deepEqual({ historyDays, howToGet }, change);
      assert.equal(bodyOf<{ data: [] }>(await program.get('/plans')).data.length, 4);
      bodyOf(await program.post('/plans/shop/delete'));
      errorOf(await program.post('/plans/shop/delete'), 'REFUSED');
      for (const wrong of [
        { name: 'Gold', dailyRequests: 5 },
        { name: 'gold' },
        { name: 'gold', dailyRequests: -1 },
        { name: 'gold', dailyRequests: 5, price: 1.999 },
        { name: 'gold', dailyRequests: 5, features: ['magic'] },
        { name: 'gold', dailyRequests: 5, burst: { requests: 0, seconds: 1 } },
        { name: 'gold', dailyRequests: 5, label: 'a\u0000' },
        { name: 'gold', dailyRequests: 5, howToGet: 'a\nb' },
        { name: 'gold', dailyRequests: 5, howToGet: 'a'.repeat(301) },
      ]) {
        errorOf(await program.post('/plans', wrong), 'INVALID_BODY');
      }
    });

    it('sets the limits of a plan to anything within bounds', async () => {
      bodyOf(await program.post('/plans', { name: 'wide', dailyRequests: 0 }), 201);
      for (const limits of [
        ...[{ dailyRequests: 0 }, { dailyRequests: 999_999_999 }],
        ...[{ historyDays: 1 }, { historyDays: 36_500 }],
        ...[{ price: 0 }, { price: 999_999.99 }],
        { burst: { requests: 1, seconds: 1 } },
        { burst: { requests: 100_000, seconds: 3600 } },
      ]) {
        const changed = await program.post('/plans/wide', limits);
        const { data } = bodyOf<{ data: object }>(changed);
        assert.deepEqual({ ...data, ...limits }, data);
      }
      for (const wrong of [
        ...[{ dailyRequests: -1 }, { dailyRequests: 1_000_000_000 }],
        ...[{ historyDays: 0 }, { historyDays: 36_501 }],
        ...[{ price: -0.01 }, { price: 1_000_000 }],
        { burst: { requests: 0, seconds: 1 } },
        { burst: { requests: 1, seconds: 0 } },
        { burst: { requests: 100_001, seconds: 3600 } },
        { burst: { requests: 100_000, seconds: 3601 } },
      ]) {
        errorOf(await program.post('/plans/wide', wrong), 'INVALID_BODY');
      }
      bodyOf(await program.post('/plans/wide/delete'));
    });

    it('refuses texts that are longer than anything they could name', async () => {
      const email = 'texts@shop.example';
      const [name, longer] = ['x'.repeat(40), 'x'.repeat(41)];
      errorOf(await program.post('/accounts', { email, plan: name }), 'REFUSED');
      errorOf(await program.post('/accounts', { email, plan: longer }), 'INVALID_BODY');
      const unknown = await program.post('/sync', { source: name });
      assert.match(errorOf(unknown, 'INVALID_BODY').message, /no such source/);
      const tooLong = await program.post('/sync', { source: longer });
      assert.match(errorOf(tooLong, 'INVALID_BODY').message, /40 characters/);
      bodyOf(await program.get(`/audit?account=${'x'.repeat(254)}`));
      errorOf(await program.get(`/audit?account=${'x'.repeat(255)}`), 'INVALID_PARAMETER');
    });

    it('reads usage, sources, quarantine and the audit log', async () => {
      for (const path of ['/usage?month=2026-01', '/sources', '/quarantine', '/audit']) {
        bodyOf(await program.get(path));
      }
      bodyOf(await program.get('/quarantine/groups?by=set-rule'));
      for (const list of ['sets', 'decisions']) bodyOf(await program.get(`/quarantine/${list}`));
      bodyOf(await program.post('/quarantine/reject', { ids: [1] }));
      const decision = { decidedAt: '2026-01-29T12:00:00.000Z' };
      bodyOf(await program.post('/quarantine/undo-decision', decision));
      const csv = await program.get('/usage.csv?month=2026-01');
      assert.match(String(csv.headers['content-disposition']), /usage-2026-01\.csv/);
      assert.match(csv.body, /^account,email,plan,price,requests,/);
      errorOf(await program.get('/usage?month=2026-13'), 'INVALID_PARAMETER');
    });

    it('is named in the audit log', async () => {
      const email = 'eve@shop.example';
      bodyOf(await program.post('/accounts', { email }), 201);
      await shared.service.trail.settled();
      const { data } = bodyOf<{ data: Record<string, string>[] }>(
        await program.get(`/audit?account=${email}`),
      );
      assert.equal(data[0]?.action, 'account-created');
      assert.equal(data[0]?.actor, 'operator');
      assert.equal(data[0]?.by, program.email);
      assert.match(data[0]?.detail ?? '', /on the plan free, with the key \d+/);
    });
  });
});

describe('The API of operators', () => {
  const shared = shareService('SQLite');

  it('has every call of operators', () => {
    const pages = ROUTES.filter(({ access }) => access === 'operator');
    const keys = OPERATOR_CALLS.map(({ path }) => `/operator${path}`);
    assert.deepEqual(
      pages.map(({ path }) => path),
      keys,
    );
  });

  it('has no call that gives control of an account', () => {
    assert.deepEqual(FOR_SESSIONS.map(({ path }) => path).toSorted(), [
      '/accounts/operator',
      '/accounts/remove-second-factors',
      '/accounts/reset-link',
    ]);
  });

  it('refuses every call without a key of an operator that has the scope', async () => {
    const { service } = shared;
    const ordinary = await service.caller();
    const reader = await programOf(service, 'operator:read');
    const writer = await programOf(service, 'operator:write');
    const unscoped = await programOf(service, 'read', 'bulk');
    for (const { method, path } of OPERATOR_CALLS) {
      const url = `${API}${requestOf(path)}`;
      const send = (headers = {}) => service.app.inject({ method, url, headers });
      unauthorizedOf(await send());
      unauthorizedOf(await service.app.inject({ method, url: `${url}?api_key=${ordinary.key}` }));
      errorOf(await send({ 'x-api-key': ordinary.key }), 'KEY_RESTRICTION');
      errorOf(await unscoped.send(method, url), 'KEY_RESTRICTION');
      errorOf(await (method === 'GET' ? writer : reader).send(method, url), 'KEY_RESTRICTION');
    }
    unauthorizedOf(await service.get(`${API}/nothing`));
  });

  it('refuses the key of somebody who is no longer an operator', async () => {
    const program = await programOf(shared.service, 'operator:read');
    bodyOf(await program.get('/plans'));
    await shared.service.accounts.setOperator(program.email, false);
    errorOf(await program.get('/plans'), 'FORBIDDEN');
    await shared.service.accounts.setOperator(program.email, true);
    await shared.service.accounts.disable(program.email);
    unauthorizedOf(await program.get('/plans'));
  });

  it('gives its keys nothing of /v1 unless they have the scope', async () => {
    const { service } = shared;
    const program = await programOf(service, 'operator:read', 'operator:write');
    errorOf(await program.send('GET', '/v1/games'), 'KEY_RESTRICTION');
    const both = await programOf(service, 'operator:read', 'read');
    assert.equal((await both.send('GET', '/v1/games')).statusCode, 200);
    bodyOf(await both.get('/plans'));
  });

  it('lets only operators have such keys', async () => {
    const { keys, accounts } = shared.service;
    await accounts.create('carl@shop.example', 'free');
    const wanted = keys.create('carl@shop.example', { scopes: ['operator:read'] });
    await assert.rejects(wanted, /Only keys of operators may have the scope operator:read/);
    const { id } = await keys.create('carl@shop.example');
    const change = keys.update(String(id), { scopes: ['read', 'operator:write'] });
    await assert.rejects(change, /Only keys of operators may have the scope operator:write/);
  });

  it('lets an account call 600 times a minute with all of its keys together', async () => {
    const program = await programOf(shared.service, 'operator:read');
    const scopes = ['operator:read'];
    const { key } = await shared.service.keys.create(program.email, { scopes });
    const second = new Program(shared.service, program.email, key);
    for (let count = 0; count < 300; count += 1) {
      bodyOf(await program.get('/plans'));
      bodyOf(await second.get('/plans'));
    }
    for (const one of [program, second]) {
      const refused = await one.get('/plans');
      errorOf(refused, 'TOO_MANY_ATTEMPTS');
      assert.equal(refused.headers['retry-after'], '1');
    }
    bodyOf(await (await programOf(shared.service, 'operator:read')).get('/plans'));
  });

  it('refuses a key from a network that it is not for', async () => {
    const { email } = await programOf(shared.service, 'operator:read');
    const options = { scopes: ['operator:read'], addresses: ['192.0.2.0/24'] };
    const { key } = await shared.service.keys.create(email, options);
    const ask = (remoteAddress: string) => {
      const url = `${API}/plans`;
      return shared.service.app.inject({ url, remoteAddress, headers: { 'x-api-key': key } });
    };
    assert.equal((await ask('192.0.2.7')).statusCode, 200);
    errorOf(await ask('198.51.100.7'), 'KEY_RESTRICTION');
  });

  it('notes when its keys were last used', async () => {
    const program = await programOf(shared.service, 'operator:read');
    bodyOf(await program.get('/plans'));
    const [key] = await shared.service.keys.list(program.email);
    assert.equal(key?.lastUse?.at, shared.service.now);
  });

  it('has its own document', async () => {
    const document = parseDocument((await shared.service.get('/operator/openapi.json')).body);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) => {
      return Object.values(methods).map((operation) => ({ path, operation }));
    });
    assert.deepEqual(
      operations.map(({ operation }) => operation.operationId).sort(),
      OPERATOR_CALLS.filter(({ keys }) => keys === true)
        .map(({ id }) => id)
        .sort(),
    );
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (path.startsWith(API) && get) assert.ok('200' in get.responses, path);
    }
    for (const { path, operation } of operations) {
      assert.ok(path.startsWith(`${API}/`), path);
      assert.notDeepEqual((operation as { tags?: string[] }).tags, ['Other'], path);
      assert.ok(operation.summary && operation.description);
    }
  });
});
