import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import {
  Cardprice,
  CardpriceError,
  type ClientOptions,
  MemoryCache,
} from '../clients/typescript/src/index.ts';
import { type Answer, Upstream } from './support/upstream.ts';

/** Most bytes of the TypeScript client in a bundle, minified and compressed. */
const MAX_BYTES = 10_000;

const GAMES = { data: [{ id: 'mtg', name: 'Magic', cardCount: 1, setCount: 1 }] };

/** Seconds until midnight, as the service counts them. */
const DAY = 86_400;

/** Responds with JSON. */
function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (_request, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Responds with an error of the service. */
function failure(status: number, code: string, headers: Record<string, string> = {}): Answer {
  const body = { error: { code, message: `This is ${code}.`, status } };
  return json(body, status, { 'x-request-id': 'r1', ...headers });
}

/** Responds with what a request sent. */
const echo: Answer = async (request, response) => {
  const chunks = await Array.fromAsync(request);
  const { ids } = JSON.parse(Buffer.concat(chunks).toString());
  json({ data: ids.map((id: string) => ({ id })), missing: [String(ids.length)] })(
    request,
    response,
  );
};

function clientOf({ url }: Upstream, options: Partial<ClientOptions> = {}): Cardprice {
  return new Cardprice({ baseUrl: `${url}/`, apiKey: 'cp_live_1', ...options });
}

describe('The TypeScript client', () => {
  it('sends the key, and parameters that are set', async () => {
    const service = await Upstream.open();
    service.on('/v1/cards/a%2Fb', json({ data: {} }));
    await clientOf(service).getCard('a/b', { currency: 'EUR', fee: undefined } as object);
    assert.deepEqual(service.asked[0]?.path, '/v1/cards/a%2Fb?currency=EUR');
    assert.equal(service.asked[0]?.headers['x-api-key'], 'cp_live_1');
  });

  it('follows the changes from cursor to cursor', async () => {
    const service = await Upstream.open();
    const page = (nextCursor: string, ids: string[]) =>
      json({ data: ids.map((id) => ({ id })), nextCursor, more: false });
    service.on('/v1/changes', page('2.b', ['x']), page('3.c', ['y']));
    const seen: string[] = [];
    for await (const { data, nextCursor } of clientOf(service).followChanges({
      since: '1.a',
      game: 'mtg',
    })) {
      seen.push(...data.map(({ id }) => id));
      if (nextCursor === '3.c') break;
    }
    assert.deepEqual(seen, ['x', 'y']);
    assert.deepEqual(
      service.asked.map(({ path }) => path),
      ['1.a', '2.b'].map((since) => `/v1/changes?limit=1000&since=${since}&game=mtg&wait=20`),
    );
  });

  it('gives every item of a list, page by page', async () => {
    const service = await Upstream.open();
    const link = { link: '</v1/sets?limit=200&offset=2>; rel="next", </v1/sets>; rel="first"' };
    const pages = [json({ data: [1, 2], total: 3 }, 200, link), json({ data: [3], total: 3 })];
    service.on('/v1/sets', ...pages);
    const items = await Array.fromAsync(clientOf(service).listSets({ game: 'mtg' }));
    assert.deepEqual(items, [1, 2, 3]);
    const paths = service.asked.map(({ path }) => path);
    assert.deepEqual(paths, ['/v1/sets?limit=200&cursor=&game=mtg', '/v1/sets?limit=200&offset=2']);
  });

  it('reads by a cursor and the largest pages, unless told otherwise', async () => {
    const service = await Upstream.open();
    service.otherwise(json({ data: [] }));
    const client = clientOf(service);
    await Array.fromAsync(client.listCardsOfSet('s', { include: ['history'] }));
    await Array.fromAsync(client.listCardsOfSet('s', { limit: 7, offset: 0 }));
    await Array.fromAsync(client.listMarketplaceChanges());
    assert.deepEqual(
      service.asked.map(({ path }) => path.split('?')[1]),
      ['limit=100&cursor=&include=history', 'limit=7&offset=0', 'limit=200'],
    );
  });

  it('requests one page of a list that is awaited, or left early', async () => {
    const service = await Upstream.open();
    const link = { link: '</v1/sets?offset=2>; rel="next"' };
    service.on('/v1/sets', json({ data: [1, 2], total: 3 }, 200, link));
    assert.equal((await clientOf(service).listSets({ limit: 2 })).total, 3);
    for await (const _set of clientOf(service).listSets({ limit: 2 })) break;
    assert.deepEqual(
      service.asked.map(({ path }) => path),
      ['/v1/sets?limit=2', '/v1/sets?limit=2&cursor='],
    );
  });

  it('sends a long batch in slices, and joins their answers', async () => {
    const service = await Upstream.open();
    service.on('/v1/cards/batch', echo);
    const ids = Array.from({ length: 41 }, (_, index) => `card-${index}`);
    const { data, missing } = await clientOf(service).getCards({ ids, currency: 'JPY' });
    assert.deepEqual(
      data.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(missing, ['20', '20', '1']);
    assert.equal(service.asked[2]?.path, '/v1/cards/batch?currency=JPY');
  });

  it('does not ask the service for what has not changed', async () => {
    const service = await Upstream.open();
    const notModified: Answer = (_request, response) => response.writeHead(304).end();
    service.on('/v1/games', json(GAMES, 200, { etag: '"1"' }), notModified, json({ data: [] }));
    const client = clientOf(service);
    const answers = [await client.listGames(), await client.listGames(), await client.listGames()];
    assert.deepEqual(answers, [GAMES, GAMES, { data: [] }]);
    const sent = service.asked.map(({ headers }) => headers['if-none-match']);
    assert.deepEqual(sent, [undefined, '"1"', '"1"']);
  });

  it('keeps no answers without a cache, and few in a small one', async () => {
    const service = await Upstream.open();
    service.otherwise(json(GAMES, 200, { etag: '"1"' }));
    const without = clientOf(service, { cache: false });
    await without.listGames();
    await without.listGames();
    const small = clientOf(service, { cache: new MemoryCache(JSON.stringify(GAMES).length * 2) });
    for (const game of ['mtg', 'fab', 'mtg', 'swu', 'fab', 'mtg'] as const) {
      await small.listRarities({ game });
    }
    const sent = service.asked.map(({ headers }) => headers['if-none-match'] !== undefined);
    // There is space for two: swu takes that of fab, because mtg was used later. Then fab takes
    // that of mtg.
    assert.deepEqual(sent, [false, false, false, false, true, false, false, false]);
  });

  it('gives the quota of the latest answer', async () => {
    const service = await Upstream.open();
    const quota = { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '7' };
    service.on('/v1/games', json(GAMES, 200, { ...quota, 'x-ratelimit-reset': '86400' }));
    const client = clientOf(service);
    assert.equal(client.quota, undefined);
    await client.listGames();
    assert.deepEqual(client.quota, { limit: 200, remaining: 7, resetsAt: new Date(86_400_000) });
  });

  it('waits as long as the service says, and tries again', async () => {
    const service = await Upstream.open();
    const busy = failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' });
    const fast = failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '0' });
    service.on('/v1/games', busy, fast, json(GAMES));
    const startedAt = performance.now();
    assert.deepEqual(await clientOf(service).listGames(), GAMES);
    assert.ok(performance.now() - startedAt >= 999);
  });

  it('tries again only so often, and only what may succeed', async () => {
    const service = await Upstream.open();
    service
      .on('/v1/games', failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }))
      .on('/v1/rarities', failure(500, 'INTERNAL_ERROR'))
      .on('/v1/movers', failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '61' }));
    const client = clientOf(service);
    await assert.rejects(client.listGames(), { code: 'SERVICE_UNAVAILABLE', status: 503 });
    assert.equal(service.asked.length, 3);
    await assert.rejects(client.listRarities(), { code: 'INTERNAL_ERROR' });
    await assert.rejects(async () => client.listMovers(), { retryAfter: 61 });
    assert.equal(service.asked.length, 5);
  });

  it('never waits for the quota of the next day, however near it is', async () => {
    const service = await Upstream.open();
    const seconds = 20;
    const headers = {
      date: new Date((DAY - seconds) * 1000).toUTCString(),
      'retry-after': String(seconds),
      'x-ratelimit-reset': String(DAY),
    };
    service.on('/v1/games', failure(429, 'RATE_LIMIT_EXCEEDED', headers));
    await assert.rejects(clientOf(service).listGames(), { code: 'RATE_LIMIT_EXCEEDED' });
    assert.equal(service.asked.length, 1);
  });

  it('throws errors with their code, request, details and documentation', async () => {
    const service = await Upstream.open();
    const details = [{ parameter: 'limit', message: 'is too large.' }];
    const error = {
      code: 'INVALID_PARAMETER',
      message: 'limit: is too large.',
      status: 400,
      details,
    };
    service.on('/v1/games', json({ error }, 400, { 'x-request-id': 'r1' }));
    await assert.rejects(clientOf(service).listGames(), (thrown) => {
      assert.ok(thrown instanceof CardpriceError);
      const { code, status, message, requestId, documentation } = thrown;
      assert.deepEqual({ code, status, message, details: thrown.details }, error);
      assert.equal(requestId, 'r1');
      assert.equal(documentation, `${service.url}/docs/errors`);
      return true;
    });
  });

  it('says so when something else answers, nothing does, or too late', async () => {
    const service = await Upstream.open();
    service
      .on('/v1/games', (_request, response) => response.end('<html>Sign in to the network'))
      .on('/v1/rarities', (request) => request.socket.destroy())
      .on('/v1/movers', () => undefined);
    const client = clientOf(service, { retries: 0 });
    await assert.rejects(client.listGames(), { code: 'UNREADABLE_ANSWER', status: 200 });
    await assert.rejects(client.listRarities(), { code: 'NO_ANSWER', status: 0 });
    const movers = client.listMovers({}, { timeout: 50 });
    await assert.rejects(async () => movers, { code: 'TIMEOUT', message: /within 50 ms/ });
  });

  it('stops requests and waits when its signal aborts', async () => {
    const service = await Upstream.open();
    service
      .on('/v1/games', failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' }))
      .on('/v1/rarities', () => undefined);
    const reason = new Error('the user left');
    for (const call of ['listGames', 'listRarities'] as const) {
      const controller = new AbortController();
      const answer = clientOf(service)[call]({}, { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 100);
      await assert.rejects(answer, reason);
    }
    assert.equal(service.asked.length, 2);
  });

  it('is small', async () => {
    const output = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: true,
        lib: { entry: 'clients/typescript/src/index.ts', formats: ['es'] },
      },
    });
    const [bundle] = Array.isArray(output) ? output : [];
    const [chunk] = bundle?.output ?? [];
    const bytes = chunk?.type === 'chunk' ? gzipSync(chunk.code).length : 0;
    assert.ok(bytes > 1000 && bytes < MAX_BYTES, `${bytes} bytes`);
  });
});
