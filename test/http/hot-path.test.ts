import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import type { Authenticator, Caller } from '../../src/accounts/keys/authenticator.ts';
import { DatabaseUnavailable } from '../../src/store/engine/unavailable.ts';
import type { AppChanges, Service } from '../support/app.ts';
import { shareService } from '../support/app.ts';
import { type EngineLabel, forEachEngine } from '../support/engines.ts';
import { requests } from '../support/log-lines.ts';
import { RawSocket } from '../support/raw-socket.ts';

const CARD = 'pokemon-bs-charizard-004';
const PROXY = '127.0.0.1';

const LIMITS: AppChanges = {
  trustProxy: [PROXY],
  keyBurst: { requests: 12, seconds: 60 },
  addressBurst: { requests: 40, seconds: 60 },
  burst: { trader: { requests: 8, seconds: 60 } },
};

/** Headers and body, without what differs between any two requests. */
interface Answer {
  readonly status: number | undefined;
  readonly headers: object;
  readonly body: string;
}

/** A service that listens, and how many of its requests Fastify has seen. */
interface Listening {
  readonly service: Service;
  readonly port: number;
  readonly seen: { count: number };
}

/** Opens a service on a port. With `observe`, Fastify answers every request. */
function shareListening(label: EngineLabel, changes: AppChanges) {
  const seen = { count: 0 };
  const count = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRequest', async () => {
      seen.count += 1;
    });
  };
  before(() => subscribe('fastify.initialization', count));
  const shared = shareService(label, changes);
  let port = 0;
  before(async () => {
    unsubscribe('fastify.initialization', count);
    port = Number(new URL(await shared.service.app.listen({ host: PROXY, port: 0 })).port);
  });
  return {
    get it(): Listening {
      return { service: shared.service, port, seen };
    },
  };
}

const agent = new Agent({ keepAlive: true });
after(() => agent.destroy());

async function send(
  { port }: Listening,
  path: string,
  headers: OutgoingHttpHeaders,
  method = 'GET',
): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(20_000);
    const options = { host: PROXY, port, path, method, headers, agent, signal };
    request(options, resolve).on('error', reject).end();
  });
  const { date, 'x-request-id': id, ...rest } = response.headers;
  assert.match(String(id), /^[\da-f-]{36}$/);
  assert.ok(date);
  return {
    status: response.statusCode,
    headers: rest,
    body: (await buffer(response)).toString('latin1'),
  };
}

function remainingOf({ headers }: Answer): number {
  return Number((headers as Record<string, string>)['x-ratelimit-remaining']);
}

/** An authenticator that passes calls on, unless they are to fail. */
function failingAuthenticator(failing: { identify: boolean; charge: boolean }) {
  const lost = new DatabaseUnavailable('The connection was lost.');
  const wrapped = {
    of: undefined as unknown as Authenticator,
    identify: (text: string) =>
      failing.identify ? Promise.reject(lost) : wrapped.of.identify(text),
    charge: (caller: Caller, cost?: number) =>
      failing.charge ? Promise.reject(lost) : wrapped.of.charge(caller, cost),
    remaining: (caller: Caller) => wrapped.of.remaining(caller),
  };
  return wrapped as typeof wrapped & Authenticator;
}

/** Makes the same callers in a service, and returns their keys by name. */
async function callersOf({ service }: Listening) {
  const free = await service.caller('free');
  const trader = await service.caller('trader');
  const business = await service.caller('business');
  const small = await service.caller('business');
  await service.accounts.setLimits(small.email, { dailyRequests: 6 });
  const revoked = await service.caller('business');
  await service.keys.revoke(revoked.keyId);
  const restricted = async (options: object) => {
    return (await service.keys.create(business.email, options)).key;
  };
  return {
    free: free.key,
    trader: trader.key,
    business: business.key,
    small: small.key,
    revoked: revoked.key,
    bulk: await restricted({ scopes: ['bulk'] }),
    three: await restricted({ dailyRequests: 3 }),
    elsewhere: await restricted({ addresses: ['203.0.113.0/24'] }),
    malformed: 'cp_live_nonsense',
    missing: undefined,
  };
}

const PATHS = [
  `/v1/cards/${CARD}`,
  '/v1/cards/no-such-card',
  `/v1/cards?ids=${CARD},pokemon-bs-blastoise-002`,
  `/v1/cards/${CARD}/history?period=30d`,
  `/v1/cards/${CARD}/history?period=all`,
  '/v1/search?q=charizard&limit=2',
  '/v1/search?q=charizard&limit=2&explain=match',
  '/v1/search?q=%E3%83%AA%E3%82%B6%E3%83%BC%E3%83%89%E3%83%B3',
  '/v1/games?colour=red',
  '/v1/nothing',
];

const HEADERS: readonly OutgoingHttpHeaders[] = [
  {},
  {},
  {},
  { 'if-none-match': '*' },
  { 'if-publication-at-least': '0' },
  { 'if-publication-at-least': '999' },
  { origin: 'https://cards.example' },
  { 'accept-encoding': 'gzip, deflate, br' },
  { 'accept-encoding': 'gzip, deflate' },
  { 'accept-encoding': 'gzip', 'if-none-match': '*' },
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' },
  { 'x-forwarded-for': 'unknown' },
  { host: 'cards.example' },
  { host: 'cards.example:99999' },
  { accept: 'text/csv' },
  { connection: 'close' },
];

const step = fc.record({
  path: fc.constantFrom(...PATHS),
  // Mostly valid keys, or few requests would reach the checks behind them.
  caller: fc.constantFrom(
    'business',
    'business',
    'free',
    'trader',
    'small',
    'revoked',
    'bulk',
    'three',
    'elsewhere',
    'malformed',
    'missing',
  ),
  headers: fc.constantFrom(...HEADERS),
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
  waitMs: fc.constantFrom(0, 0, 0, 5000),
  isBearer: fc.boolean(),
});

/**
 * The log lines of requests, without what differs between any two requests. The level of bad ones
 * depends on how many came within a second.
 */
function linesOf({ service }: Listening): object[] {
  return requests(service.log).map(({ reqId, ms, time, pid, hostname, level, ...line }) => line);
}

forEachEngine((label) => {
  describe('The hot path', () => {
    const hot = shareListening(label, LIMITS);
    const fastify = shareListening(label, { ...LIMITS, observe: () => {} });

    it('answers, charges, counts and logs every sequence of requests as Fastify does', async () => {
      const sequences = fc.array(step, { minLength: 10, maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(sequences, async (steps) => {
          const ways = [hot.it, fastify.it];
          const [hotKeys, fastifyKeys] = [await callersOf(hot.it), await callersOf(fastify.it)];
          for (const way of ways) way.service.log.length = 0;
          for (const { path, caller, headers, method, waitMs, isBearer } of steps) {
            for (const { service } of ways) service.now += waitMs;
            const [one, other] = [hotKeys, fastifyKeys].map((keys) => {
              const key = keys[caller as keyof typeof keys];
              if (key === undefined) return headers;
              return isBearer
                ? { authorization: `Bearer ${key}`, ...headers }
                : { 'x-api-key': key, ...headers };
            });
            assert.deepEqual(
              await send(hot.it, path, one ?? {}, method),
              await send(fastify.it, path, other ?? {}, method),
              `${method} ${path} of ${caller} with ${JSON.stringify(headers)}`,
            );
          }
          assert.deepEqual(linesOf(hot.it), linesOf(fastify.it));
        }),
        { numRuns: label === 'SQLite' ? 25 : 5, endOnFailure: true },
      );
      const [counts, expected] = [await countsOf(hot.it), await countsOf(fastify.it)];
      assert.deepEqual(counts, expected);
      assert.ok(hot.it.seen.count < fastify.it.seen.count, 'some were answered before Fastify');
    });

    it('leaves a request with two hosts to Fastify, which refuses it', async () => {
      const { key } = await hot.it.service.caller();
      const path = `/v1/cards/${CARD}`;
      await send(hot.it, path, { 'x-api-key': key });
      const socket = await RawSocket.open(hot.it.port);
      const head = `GET ${path} HTTP/1.1\r\nx-api-key: ${key}\r\nconnection: close\r\n`;
      socket.send(`${head}host: a.example\r\nhost: b.example\r\n\r\n`);
      assert.match(await socket.answer(), /^HTTP\/1\.1 400 /);
    });

    it('serves the prices of a new publication as soon as Fastify would', async () => {
      const { key } = await hot.it.service.caller();
      const path = `/v1/cards/${CARD}`;
      const before = await send(hot.it, path, { 'x-api-key': key });
      await hot.it.service.remember(CARD, 'Holofoil', [['2026-01-20', 1000]]);
      const { count } = hot.it.seen;
      const after = await send(hot.it, path, { 'x-api-key': key });
      assert.equal(hot.it.seen.count, count + 1, 'the cached body is outdated');
      assert.equal(after.status, before.status);
    });
  });

  describe('The hot path of an API that pages of other origins may call', () => {
    const changes: AppChanges = { corsOrigins: ['https://cards.example'] };
    const hot = shareListening(label, changes);
    const fastify = shareListening(label, { ...changes, observe: () => {} });

    it('sends the same headers', async () => {
      for (const headers of [{}, {}, { origin: 'https://cards.example' }]) {
        const [one, other] = await Promise.all(
          [hot.it, fastify.it].map(async (way) => {
            const { key } = await way.service.caller();
            return send(way, `/v1/cards/${CARD}`, { 'x-api-key': key, ...headers });
          }),
        );
        assert.deepEqual(one, other);
      }
      assert.ok(hot.it.seen.count < fastify.it.seen.count);
    });
  });

  describe('The hot path without a database', () => {
    const failing = { identify: false, charge: false };
    const authenticator = failingAuthenticator(failing);
    const hot = shareListening(label, { authenticator });

    it('answers 503 once, as Fastify does, and counts nothing', async () => {
      const path = `/v1/cards/${CARD}`;
      const { key } = await hot.it.service.caller();
      authenticator.of = hot.it.service.authenticator;
      const headers = { 'x-api-key': key };
      const good = await send(hot.it, path, headers);
      for (const step of ['identify', 'charge'] as const) {
        failing[step] = true;
        const { count } = hot.it.seen;
        const { status, body } = await send(hot.it, path, headers);
        assert.equal(status, 503, body);
        assert.equal(hot.it.seen.count, count + 1, 'Fastify formats the error');
        failing[step] = false;
      }
      assert.equal(remainingOf(await send(hot.it, path, headers)), remainingOf(good) - 1);
    });
  });
});

/** What the usage recorder wrote, and the requests that the metrics count. */
async function countsOf({ service }: Listening) {
  await service.usageRecorder.write();
  const { db } = service.store.accounts;
  const charges = await db.selectFrom('usage').selectAll().orderBy('account_id').execute();
  const counts = db.selectFrom('request_counts').selectAll();
  const endpoints = await counts.orderBy('account_id').orderBy('endpoint').execute();
  const { body } = await service.get('/metrics');
  const metrics = body.split('\n').filter((line) => /^cardprice_http_requests_total/.test(line));
  return { charges, endpoints, metrics: metrics.sort() };
}
