import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { createToken } from '../../src/accounts/sign-in/tokens.ts';
import { MAX_WAITING } from '../../src/store/engine/postgres-pool.ts';
import { type KnownRoute, listRoutes } from '../faults/requests/routes.ts';
import { importFixtures, Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/cli.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { createDatabase } from '../support/engines.ts';
import { errorOf } from './expect.ts';
import { validBody } from './valid-body.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';

/** Paths that need the database: for a caller, or for an operator who is signed in. */
const API_PATHS = [
  ...['/v1/games', '/v1/search?q=charizard', `/v1/cards/${CHARIZARD}`, '/v1/nothing'],
  ...[`/v1/cards/${CHARIZARD}/history`, `/v1/cards/${CHARIZARD}/explain`],
];
const DASHBOARD_PATHS = [
  ...['/dashboard/session', '/dashboard/keys', '/dashboard/usage', '/dashboard/v1/games'],
  ...['/dashboard/operator/accounts', '/dashboard/operator/sources', '/dashboard/nothing'],
];
/** Requests that are answered as usual without one. */
const JSON_TYPE = 'application/json';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const FREE_PATHS = ['/healthz', '/docs/', '/openapi.json', '/sign-in'];

/**
 * Whether a path is of the API, of that of operators or of the pages' calls, or tells readiness.
 */
function needsDatabase(path: string): boolean {
  return /^\/(v1|operator\/v1|dashboard|readyz)\b/.test(path);
}

/** The requests of a route that may change or tell something, with bodies that it accepts. */
function requestsOf({ path, methods, body }: KnownRoute) {
  const valid = body && JSON.stringify(validBody(body));
  return METHODS.filter((method) => methods.includes(method)).map((method) => {
    return { path, method, body: method === 'GET' ? undefined : valid };
  });
}

/** Longer than any request may take while a database is lost, in milliseconds. */
const SOME_SECONDS = 6000;

interface Setting {
  readonly service: Service;
  /** Asks every path that needs the database, at once. */
  ask(): Promise<LightMyRequestResponse[]>;
}

async function settingOf(service: Service): Promise<Setting> {
  const caller = await service.caller('business');
  const operator = await service.operator();
  const nobody = service.browser();
  return {
    service,
    ask: () =>
      Promise.all([
        ...API_PATHS.map((path) => caller.get(path)),
        ...DASHBOARD_PATHS.map((path) => operator.get(path)),
        caller.post('/v1/cards/batch', { ids: [CHARIZARD] }),
        operator.post('/dashboard/sign-in', { email: operator.email, password: 'wrong password' }),
        operator.post('/dashboard/keys', { name: 'new' }),
        nobody.post('/dashboard/sign-out'),
      ]),
  };
}

/** Everything that needs the database is a 503 with Retry-After, and the rest works as usual. */
async function assertLost({ service, ask }: Setting): Promise<void> {
  const started = performance.now();
  for (const answer of await ask()) {
    errorOf(answer, 'SERVICE_UNAVAILABLE');
    assert.equal(answer.headers['retry-after'], '5');
    assert.ok(!/ECONN|SQLITE|database disk|Connection|127\.0/.test(answer.body), answer.body);
  }
  assert.ok(performance.now() - started < SOME_SECONDS);
  const ready = await service.get('/readyz');
  assert.equal(ready.statusCode, 503);
  assert.equal(ready.json().status, 'no database');
  for (const path of FREE_PATHS) assert.equal((await service.get(path)).statusCode, 200, path);
}

/** From now on commits of charges, and nothing else, wait until the result is called. */
async function holdCharges(location: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: location });
  cleanUp(() => client.end());
  await client.connect();
  await client.query(`select pg_advisory_lock(1);
    create function wait() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(1);
      return null;
    end $$;
    create constraint trigger wait after insert or update on usage deferrable initially deferred
      for each row execute function wait()`);
  return () => client.end();
}

function assertFound(answers: readonly LightMyRequestResponse[]): void {
  for (const { statusCode, body } of answers) assert.ok(statusCode < 500, body);
  assert.equal(answers[0]?.statusCode, 200);
}

/** The lines of the log from the level `error` on. */
function errorsOf({ log }: Service): Record<string, unknown>[] {
  return log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
}

describe('A PostgreSQL', () => {
  async function behindProxy() {
    const { location, remove } = await createDatabase('PostgreSQL');
    await importFixtures(location);
    const direct = await Service.open(location);
    const { proxy, url } = await CuttableProxy.to(location);
    const service = await Service.open(url);
    after(async () => {
      await service.close();
      await proxy.cut();
      await direct.close();
      await remove();
    });
    service.store.engine.limitStatements(1000);
    return { direct, proxy, location, ...(await settingOf(service)) };
  }

  it('that is stopped is 503 with Retry-After, logged once, until it is back', async () => {
    const { proxy, direct, ...setting } = await behindProxy();
    const { service, ask } = setting;
    assertFound(await ask());
    await service.trail.settled();
    service.log.length = 0;
    await proxy.cut();
    await assertLost(setting);
    await assertLost(setting);
    const lines = errorsOf(service);
    assert.equal(lines.length, 1, JSON.stringify(lines));
    assert.match(String(lines[0]?.msg), /^the database is not available/);
    assert.ok(!JSON.stringify(lines).includes('"stack"'));
    await proxy.restore();
    assert.equal((await service.get('/readyz')).statusCode, 200);
    assertFound(await (await settingOf(service)).ask());
  });

  it('that says nothing makes /readyz say so before a proxy takes the process for frozen', async () => {
    const { proxy, service } = await behindProxy();
    assert.equal((await service.get('/readyz')).statusCode, 200);
    proxy.freeze();
    const asked = performance.now();
    const { statusCode, body } = await service.get('/readyz');
    assert.deepEqual([statusCode, JSON.parse(body).status], [503, 'no database']);
    assert.ok(performance.now() - asked < 750);
  });

  it('that is stopped is 503 with Retry-After on every route that needs it', async () => {
    const { proxy, service, location } = await behindProxy();
    const operator = await service.operator();
    const { key } = await service.keys.create(operator.email, { scopes: ['operator:read'] });
    const routes = await listRoutes(location);
    const cookie = `${operator.cookie}; cardprice_pending=${createToken()}`;
    await proxy.cut();
    const others: string[] = [];
    for (const { path, method, body } of routes.flatMap(requestsOf)) {
      const url = path.replaceAll(/:\w+|\*/g, '1');
      const headers = { 'x-api-key': key, cookie, ...(body && { 'content-type': JSON_TYPE }) };
      const answer = await operator.send(method, url, headers, body);
      assert.ok(answer.statusCode < 500 || answer.statusCode === 503, path);
      if (answer.statusCode === 503) assert.equal(answer.headers['retry-after'], '5', path);
      else others.push(path);
    }
    // Without mail there is nothing to be done for who forgot a password.
    assert.deepEqual(others.filter(needsDatabase), ['/dashboard/forgot']);
    assert.ok(routes.some(({ path }) => path.startsWith('/operator/v1/')));
  });

  it('that does not end the commit of a charge gives no answer away', async () => {
    const { service, direct, location } = await behindProxy();
    const caller = await service.caller('business');
    const used = async () => (await direct.authenticator.identify(caller.key))?.usedToday;
    assert.equal((await caller.get('/v1/games')).statusCode, 200);
    const letCommit = await holdCharges(location);
    const held = await caller.get('/v1/games');
    errorOf(held, 'SERVICE_UNAVAILABLE');
    assert.equal(held.headers['retry-after'], '5');
    assert.equal(await used(), 1);
    await letCommit();
    await eventually(async () => (await used()) === 2);
    const next = await caller.get('/v1/games');
    assert.equal(next.statusCode, 200);
    assert.equal(await used(), 3);
  });

  it('that is silent makes nobody wait behind too many who wait', async () => {
    const { proxy, service } = await behindProxy();
    const caller = await service.caller('business');
    service.store.engine.limitStatements(300_000);
    proxy.freeze();
    const waiting: Promise<LightMyRequestResponse>[] = [];
    while (service.store.engine.connections()?.waiting !== MAX_WAITING) {
      // One by one, because those of one moment share a statement.
      waiting.push(caller.get('/v1/games'));
      await immediate();
    }
    const refused = await Promise.all(Array.from({ length: 500 }, () => caller.get('/v1/games')));
    for (const answer of refused) {
      errorOf(answer, 'SERVICE_UNAVAILABLE');
      assert.equal(answer.headers['retry-after'], '5');
    }
    assert.equal(service.store.engine.connections()?.waiting, MAX_WAITING);
    await proxy.cut();
    for (const answer of await Promise.all(waiting)) errorOf(answer, 'SERVICE_UNAVAILABLE');
  });

  it('that ends the connections of running requests is back with the next requests', async () => {
    const { direct, ask, service } = await behindProxy();
    const asking = Array.from({ length: 20 }, () => ask());
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(direct.store.db);
    for (const { statusCode, body } of (await Promise.all(asking)).flat()) {
      assert.ok(statusCode < 500 || statusCode === 503, body);
    }
    assertFound(await (await settingOf(service)).ask());
  });

  it('that is silent is given up within seconds, and used again once it speaks', async () => {
    const { proxy, direct, ...setting } = await behindProxy();
    assertFound(await setting.ask());
    proxy.freeze();
    await assertLost(setting);
    await proxy.restore();
    assertFound(await (await settingOf(setting.service)).ask());
  });

  it('that is lost does not let revoked keys work again', async () => {
    const { proxy, direct, service } = await behindProxy();
    const caller = await service.caller('business');
    assert.equal((await caller.get('/v1/games')).statusCode, 200);
    await proxy.cut();
    await direct.keys.revoke(caller.keyId);
    errorOf(await caller.get('/v1/games'), 'SERVICE_UNAVAILABLE');
    await proxy.restore();
    errorOf(await caller.get('/v1/games'), 'INVALID_API_KEY');
  });
});

describe('A SQLite file', () => {
  it('that is read-only while it is served is not ready, and 503 for every charged answer', async () => {
    const { location, remove } = await createDatabase('SQLite');
    cleanUp(remove);
    await importFixtures(location);
    const service = await Service.open(location);
    cleanUp(() => service.close());
    const caller = await service.caller('business');
    const { db } = service.store.accounts;
    const ready = async () => {
      const { statusCode, headers, body } = await service.get('/readyz');
      return [statusCode, headers['retry-after'], JSON.parse(body).status];
    };
    await sql`pragma query_only = on`.execute(db);
    for (const path of [...API_PATHS, '/v1/sets?limit=0', '/v1/cards/none']) {
      const answer = await caller.get(path);
      errorOf(answer, 'SERVICE_UNAVAILABLE');
      assert.equal(answer.headers['retry-after'], '5');
      assert.equal(answer.headers['x-ratelimit-remaining'], '100000');
    }
    const remedies = errorsOf(service).map(({ remedy }) => remedy);
    assert.ok(remedies.some((remedy) => /^The user of the service must be able/.test(`${remedy}`)));
    assert.deepEqual(await ready(), [503, '5', 'no charges']);
    await sql`pragma query_only = off`.execute(db);
    assert.deepEqual(await ready(), [200, undefined, 'ready']);
    assert.equal((await caller.get('/v1/cards/none')).statusCode, 404);
  });

  it('that is cut while it is served is 503 with Retry-After, logged once', async () => {
    const { location, remove } = await createDatabase('SQLite');
    await importFixtures(location);
    const service = await Service.open(location);
    after(async () => {
      await service.close();
      await remove();
    });
    const setting = await settingOf(service);
    assertFound(await setting.ask());
    await service.trail.settled();
    service.log.length = 0;
    const { db } = service.store.accounts;
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    // A new usage file takes the place of a damaged one.
    await truncate(`${location}-accounts`, 100);
    await sql`pragma shrink_memory`.execute(db);
    // Signing out needs the usage file alone.
    await assertLost({ ...setting, ask: async () => (await setting.ask()).slice(0, -1) });
    assert.equal(errorsOf(service).length, 1);
  });
});
