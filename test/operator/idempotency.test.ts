import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { totpCode } from '../../src/accounts/sign-in/codes.ts';
import { ROUTES } from '../../src/dashboard/routes.ts';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import type { CallSchema } from '../../src/operator/call.ts';
import { OPERATOR_CALLS } from '../../src/operator/calls.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { parseDocument } from '../http/document.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { type Service, shareService } from '../support/app.ts';
import { SoftAuthenticator } from '../support/authenticator.ts';
import { cleanUp } from '../support/cleanup.ts';
import { forEachEngine } from '../support/engines.ts';

type NewKey = { data: { id: string; hint: string; key: string } };

/** Sends a body with an `Idempotency-Key`. */
type Send = (path: string, body?: unknown, key?: string) => Promise<LightMyRequestResponse>;

const KEYS = '/dashboard/keys';
const FACTORS = '/dashboard/second-factors';

/** Sends calls of pages with the session of a new account. */
async function pageOf(service: Service, kind: 'owner' | 'operator' = 'owner') {
  const browser = await (kind === 'owner' ? service.signedInBrowser() : service.operator());
  const send: Send = (path, body, key = randomUUID()) =>
    browser.post(path, body, { 'idempotency-key': key });
  return { browser, email: browser.email, send };
}

/** Sends calls of the operator API with the key of a new operator. */
async function programOf(service: Service): Promise<Send> {
  const email = `${randomUUID()}@shop.example`;
  await service.accounts.create(email, 'free', { isOperator: true });
  const { key } = await service.keys.create(email, { scopes: ['operator:write'] });
  return (path, body, idempotencyKey = randomUUID()) => {
    const headers = { 'x-api-key': key, 'idempotency-key': idempotencyKey };
    return service.app.inject({
      method: 'POST',
      url: `/operator/v1${path}`,
      headers,
      payload: body as object,
    });
  };
}

/** The second answer repeats the first one, and says so. */
function assertReplayed(answer: LightMyRequestResponse, first: LightMyRequestResponse): void {
  assert.deepEqual([answer.statusCode, answer.body], [first.statusCode, first.body]);
  assert.ok(first.statusCode < 300, first.body);
  assert.equal(first.headers['idempotency-replayed'], undefined);
  assert.equal(answer.headers['idempotency-replayed'], 'true');
}

const countKeys = async (service: Service, email: string) =>
  (await service.keys.list(email)).length;

/** A process whose database loses a connection `before` or after its next commit. */
async function losingProcess(service: Service, location: string, when: 'before' | 'after') {
  const store = await openStore(location);
  cleanUp(() => store.close());
  let isLost = false;
  const lose = () => {
    if (isLost) return;
    isLost = true;
    throw new Error('Connection terminated unexpectedly');
  };
  const dashboard = { store: withCommits(store, { [when]: lose }) };
  const process = await service.another(location, { dashboard });
  cleanUp(() => process.close());
  return process;
}

/** What happens in a transaction of accounts, before it commits, and after that. */
interface Steps {
  readonly begun?: () => void;
  readonly before?: () => Promise<void> | void;
  readonly after?: () => void;
}

/** A store that calls functions in its transactions of accounts. */
function withCommits(store: Store, { begun, before, after }: Steps): Store {
  const { db } = store.accounts;
  const watched = new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name !== 'transaction') {
        return typeof member === 'function' ? member.bind(target) : member;
      }
      return () => ({
        async execute(work: (transaction: typeof db) => Promise<unknown>) {
          const result = await target.transaction().execute(async (transaction) => {
            begun?.();
            const answer = await work(transaction);
            await before?.();
            return answer;
          });
          after?.();
          return result;
        },
      });
    },
  });
  return { ...store, accounts: { ...store.accounts, db: watched } };
}

/**
 * A process that fails if one of its transactions of accounts lasts beyond a turn of the event
 * loop: on SQLite, statements of other requests would then be part of it.
 */
async function promptProcess(service: Service, location: string) {
  const store = await openStore(location);
  cleanUp(() => store.close());
  let hasTurned = false;
  const steps = {
    begun() {
      hasTurned = false;
      setImmediate(() => {
        hasTurned = true;
      });
    },
    before() {
      assert.equal(hasTurned, false, 'the transaction waited for something');
    },
  };
  const isShared = store.accounts.engine.name === 'sqlite';
  const process = await service.another(location, {
    dashboard: { store: isShared ? withCommits(store, steps) : store },
  });
  cleanUp(() => process.close());
  return process;
}

/** Whether an answer has a secret that is shown once. */
function hasSecret({ response = {} }: CallSchema): boolean {
  return /"(key|secret|link|recoveryCodes)":\{"/.test(JSON.stringify(response));
}

describe('A call', () => {
  it('that creates something can be repeated', () => {
    const calls = [...ROUTES, ...OPERATOR_CALLS].filter(({ method }) => method === 'POST');
    const creating = calls.filter(({ status, schema }) => status === 201 || hasSecret(schema));
    assert.ok(creating.length > 12, creating.map(({ path }) => path).join(' '));
    for (const { path, creates } of calls) {
      const isCreating = creating.some((call) => call.path === path);
      assert.equal(creates ?? false, isCreating, path);
    }
  });
});

describe('The OpenAPI document', () => {
  const shared = shareService('SQLite');

  it('has the header and its errors for exactly the calls that create something', async () => {
    const { paths } = parseDocument((await shared.service.get('/operator/openapi.json')).body);
    for (const { path, method, id, creates } of OPERATOR_CALLS) {
      const documented = `/operator/v1${path}`.replace(/:(\w+)/g, '{$1}');
      const operation = paths[documented]?.[method.toLowerCase()];
      if (!operation) continue;
      const parameters = operation.parameters?.map(({ name }) => name) ?? [];
      assert.equal(parameters.includes('Idempotency-Key'), creates ?? false, id);
      assert.equal('422' in operation.responses, creates ?? false, id);
    }
  });
});

forEachEngine((label) => {
  const shared = shareService(label);

  describe('A repeated request', () => {
    it('gets the first answer with its secret, and creates nothing', async () => {
      const { email, send } = await pageOf(shared.service);
      const key = randomUUID();
      const first = await send(KEYS, { name: 'Shop' }, key);
      assertReplayed(await send(KEYS, { name: 'Shop' }, key), first);
      assert.equal(await countKeys(shared.service, email), 1);
      const { data } = bodyOf<NewKey>(first, 201);
      bodyOf(await shared.service.get('/v1/games', { 'x-api-key': data.key }));
      bodyOf<NewKey>(await send(KEYS, { name: 'Shop' }), 201);
      assert.equal(await countKeys(shared.service, email), 2, 'another key is another request');
    });

    it('gets the first answer to every call of an account that creates something', async () => {
      const service = await promptProcess(shared.service, shared.location);
      const { browser, send } = await pageOf(service);
      const repeat = async (path: string, body?: unknown) => {
        const key = randomUUID();
        const first = await send(path, body, key);
        assertReplayed(await send(path, body, key), first);
        return first.json();
      };
      const { data } = await repeat(KEYS, {});
      await repeat(`${KEYS}/${data.id}/regenerate`, { hint: data.hint });
      const { data: totp } = await repeat(`${FACTORS}/totp`);
      const code = totpCode(totp.secret, service.now);
      const { data: codes } = await repeat(`${FACTORS}/totp/confirm`, { code });
      assert.equal(codes.recoveryCodes.length, 10);
      await repeat(`${FACTORS}/recovery-codes`);
      const options = bodyOf<{ data: never }>(await browser.post(`${FACTORS}/passkey-options`));
      const response = new SoftAuthenticator('http://localhost').create(options.data);
      await repeat(`${FACTORS}/passkeys`, { name: 'phone', response });
    });

    it('gets the first answer to every call of an operator that creates something', async () => {
      const service = await promptProcess(shared.service, shared.location);
      const { send } = await pageOf(service, 'operator');
      const program = await programOf(service);
      const pages: Send = (path, ...sent) => send(`/dashboard/operator${path}`, ...sent);
      for (const [sender, call] of [pages, program].entries()) {
        const repeat = async (path: string, body: object) => {
          const key = randomUUID();
          const first = await call(path, body, key);
          assertReplayed(await call(path, body, key), first);
          return first.json().data;
        };
        const email = `${randomUUID()}@shop.example`;
        await repeat('/accounts', { email });
        const { id, hint } = await repeat('/keys', { email });
        await repeat(`/keys/${id}/regenerate`, { hint });
        await repeat('/plans', { name: `plan-${sender}`, dailyRequests: 7 });
      }
      const email = `${randomUUID()}@shop.example`;
      await pages('/accounts', { email });
      const key = randomUUID();
      const link = await pages('/accounts/reset-link', { email }, key);
      assertReplayed(await pages('/accounts/reset-link', { email }, key), link);
    });

    it('gets the answer that was lost after the commit', async () => {
      const { service, location } = shared;
      const { browser, email } = await pageOf(service);
      const losing = await losingProcess(service, location, 'after');
      const headers = { 'idempotency-key': randomUUID() };
      const lost = await browser.at(losing).post(KEYS, { name: 'Shop' }, headers);
      errorOf(lost, 'SERVICE_UNAVAILABLE');
      assert.ok(lost.headers['retry-after']);
      const again = await browser.post(KEYS, { name: 'Shop' }, headers);
      assert.equal(again.headers['idempotency-replayed'], 'true');
      const { data } = bodyOf<NewKey>(again, 201);
      bodyOf(await service.get('/v1/games', { 'x-api-key': data.key }));
      assert.equal(await countKeys(service, email), 1);
    });

    it('creates what was lost before the commit', async () => {
      const { service, location } = shared;
      const { browser, email } = await pageOf(service);
      const losing = await losingProcess(service, location, 'before');
      const headers = { 'idempotency-key': randomUUID() };
      errorOf(await browser.at(losing).post(KEYS, {}, headers), 'SERVICE_UNAVAILABLE');
      assert.equal(await countKeys(service, email), 0);
      const again = await browser.post(KEYS, {}, headers);
      assert.equal(again.headers['idempotency-replayed'], undefined);
      bodyOf<NewKey>(again, 201);
      assert.equal(await countKeys(service, email), 1);
    });

    it('creates what was refused before, since a refusal creates nothing', async () => {
      const { browser, send } = await pageOf(shared.service);
      const keys = await Promise.all(Array.from({ length: 5 }, () => send(KEYS, {})));
      const key = randomUUID();
      errorOf(await send(KEYS, {}, key), 'REFUSED');
      const [first] = keys.map((answer) => bodyOf<NewKey>(answer, 201).data);
      bodyOf(await browser.post(`${KEYS}/${first?.id}/revoke`));
      bodyOf<NewKey>(await send(KEYS, {}, key), 201);
    });

    it('is refused with another body or path', async () => {
      const { send } = await pageOf(shared.service);
      const key = randomUUID();
      const { data } = bodyOf<NewKey>(await send(KEYS, { name: 'Shop' }, key), 201);
      for (const [path, body] of [
        [KEYS, { name: 'Till' }],
        [`${KEYS}/${data.id}/regenerate`, { hint: data.hint }],
        [`${FACTORS}/totp`, undefined],
      ] as const) {
        const { message } = errorOf(await send(path, body, key), 'IDEMPOTENCY_KEY_REUSED');
        assert.match(message, /Send a new one with each new request/);
      }
    });

    it('is not a repetition when somebody else sends it', async () => {
      const key = randomUUID();
      const ann = await pageOf(shared.service);
      const bob = await pageOf(shared.service);
      const { data: anns } = bodyOf<NewKey>(await ann.send(KEYS, {}, key), 201);
      const { data: bobs } = bodyOf<NewKey>(await bob.send(KEYS, {}, key), 201);
      assert.notEqual(anns.key, bobs.key);
      assert.equal(await countKeys(shared.service, bob.email), 1);
    });

    it('creates one thing, however many processes get it at the same time', async () => {
      const { service, location } = shared;
      const other = await service.another(location);
      cleanUp(() => other.close());
      const { browser, email } = await pageOf(service);
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          browser.at(index % 2 ? service : other).post(KEYS, {}, headers),
        ),
      );
      const bodies = answers.map((answer) => JSON.stringify(bodyOf<NewKey>(answer, 201)));
      assert.equal(new Set(bodies).size, 1);
      const first = answers.filter(({ headers: sent }) => !sent['idempotency-replayed']);
      assert.equal(first.length, 1);
      assert.equal(await countKeys(service, email), 1);
    });

    it('waits for the first one, or says when to come back', async () => {
      const { service, location } = shared;
      const store = await openStore(location);
      cleanUp(() => store.close());
      const [arrived, arrive] = gate();
      const [opened, open] = gate();
      const dashboard = {
        store: withCommits(store, {
          before() {
            arrive();
            return opened;
          },
        }),
      };
      const slow = await service.another(location, { dashboard });
      cleanUp(() => slow.close());
      const { browser } = await pageOf(service);
      const headers = { 'idempotency-key': randomUUID() };
      const first = browser.at(slow).post(KEYS, {}, headers);
      await arrived;
      const second = browser.post(KEYS, {}, headers);
      if (label === 'PostgreSQL') {
        errorOf(await second, 'REQUEST_RUNNING');
        assert.equal((await second).headers['retry-after'], '1');
      }
      open();
      bodyOf(await first, 201);
      // SQLite lets one process write at a time, so the second request waited for the first.
      const repeated = label === 'SQLite' ? second : browser.post(KEYS, {}, headers);
      assertReplayed(await repeated, await first);
    });

    it('is a new request after 24 hours, when the answer is deleted', async () => {
      const { service, location } = shared;
      const send = await programOf(service);
      const name = `plan-${randomUUID().slice(0, 8)}`;
      const key = randomUUID();
      const plan = [`/plans`, { name, dailyRequests: 7 }, key] as const;
      const first = await send(...plan);
      service.now += MS_PER_DAY - 1;
      assertReplayed(await send(...plan), first);
      service.now += 1;
      errorOf(await send(...plan), 'REFUSED');
      const { db } = service.store.accounts;
      assert.notEqual((await db.selectFrom('replays').select('id').execute()).length, 0);
      const next = await service.another(location);
      cleanUp(() => next.close());
      await next.app.ready();
      await next.trail.settled();
      assert.deepEqual(await db.selectFrom('replays').select('id').execute(), []);
    });

    it('leaves one entry in the audit log', async () => {
      const { service } = shared;
      const { email, send } = await pageOf(service);
      const key = randomUUID();
      await send(KEYS, {}, key);
      await send(KEYS, {}, key);
      await service.trail.settled();
      const entries = await service.store.accounts.db
        .selectFrom('audit')
        .select('action')
        .where('actor_email', '=', email)
        .where('action', '=', 'key-created')
        .execute();
      assert.equal(entries.length, 1);
    });
  });

  describe('A kept answer', () => {
    it('can be read by nobody who has the database', async () => {
      const { service, location } = shared;
      const { send } = await pageOf(service);
      const key = randomUUID();
      const { data } = bodyOf<NewKey>(await send(KEYS, { name: 'Shop' }, key), 201);
      const rows = await service.store.accounts.db.selectFrom('replays').selectAll().execute();
      const texts = [JSON.stringify(rows)];
      if (label === 'SQLite') {
        for (const ending of ['-accounts', '-accounts-wal']) {
          texts.push(readFileSync(location + ending, 'latin1'));
        }
      }
      for (const text of texts) {
        assert.ok(!text.includes(data.key));
        assert.ok(!text.includes(Buffer.from(data.key).toString('base64')));
        assert.ok(!text.includes(key));
      }
    });

    it('is refused when somebody has changed it', async () => {
      const { service } = shared;
      const { email, send } = await pageOf(service);
      const key = randomUUID();
      bodyOf<NewKey>(await send(KEYS, {}, key), 201);
      const { id } = await service.accounts.find(email);
      const { db } = service.store.accounts;
      const rows = db.selectFrom('replays').select('answer').where('account_id', '=', id);
      const bytes = Buffer.from((await rows.executeTakeFirstOrThrow()).answer, 'base64');
      bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
      const answer = bytes.toString('base64');
      await db.updateTable('replays').set({ answer }).where('account_id', '=', id).execute();
      errorOf(await send(KEYS, {}, key), 'INTERNAL_ERROR');
    });

    it('is deleted together with its account', async () => {
      const { service } = shared;
      const { email, send } = await pageOf(service);
      bodyOf(await send(KEYS, {}), 201);
      const { id } = await service.accounts.find(email);
      const count = () =>
        service.store.accounts.db
          .selectFrom('replays')
          .select('id')
          .where('account_id', '=', id)
          .execute();
      assert.equal((await count()).length, 1);
      await service.accounts.delete(email);
      assert.deepEqual(await count(), []);
    });
  });

  describe('An Idempotency-Key', () => {
    it('has 16 to 128 visible characters', async () => {
      const { browser, send } = await pageOf(shared.service);
      for (const key of [
        '',
        'x'.repeat(15),
        'x'.repeat(129),
        'a key with some spaces',
        'é'.repeat(20),
      ]) {
        const { message } = errorOf(await send(KEYS, {}, key), 'INVALID_PARAMETER');
        assert.match(message, /^Idempotency-Key: it must have 16 to 128 visible characters/);
      }
      bodyOf(await send(KEYS, {}, `"${randomUUID()}"`), 201);
      bodyOf(await browser.post(KEYS, {}), 201);
    });
  });
});

/** A promise, and the function that resolves it. */
function gate(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>();
  return [promise, resolve];
}
