import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pino from 'pino';
import type { Authenticator } from '../../src/accounts/keys/authenticator.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { shareService } from '../support/app.ts';
import { FIXTURE_CARDS } from '../support/tcgcsv.ts';
import { assertCommonHeaders, bodyOf, errorOf, remainingOf } from './expect.ts';

const HISTORY = '/v1/cards/pokemon-bs-charizard-004/history';
const INSIDES = 'ENOSPC: /var/lib/cardprice.db is full';

const fail = async () => {
  throw new Error(INSIDES);
};

/** An authenticator of which one method fails. */
function broken(
  authenticator: Authenticator,
  method: 'identify' | 'charge' | 'remaining',
): Authenticator {
  return new Proxy(authenticator, {
    get: (target, name: keyof Authenticator) =>
      name === method ? fail : target[name].bind(target),
  });
}

describe('Without a key', () => {
  const shared = shareService('SQLite');

  it('/healthz says that the process lives, with a catalogue or without', async () => {
    const empty = await shared.service.another(shared.location, {
      catalog: new Catalog(shared.service.store),
    });
    for (const service of [shared.service, empty]) {
      const answer = await service.get('/healthz');
      assert.equal(answer.statusCode, 200);
      assert.deepEqual(answer.json(), { status: 'ok' });
    }
    await empty.close();
  });

  it('/readyz is ready only with a catalogue', async () => {
    const ready = await shared.service.get('/readyz');
    assert.equal(ready.statusCode, 200);
    const { publication } = shared.service.catalog;
    assert.deepEqual(ready.json(), {
      status: 'ready',
      cards: FIXTURE_CARDS,
      publication: {
        id: publication.id,
        revision: 1,
        publishedAt: '2026-01-29T12:00:00.000Z',
        ageSeconds: 0,
      },
    });
    const catalog = new Catalog(shared.service.store);
    const empty = await shared.service.another(shared.location, { catalog });
    const answer = await empty.get('/readyz');
    assert.equal(answer.statusCode, 503);
    assert.deepEqual(answer.json(), { status: 'no catalogue', cards: 0, publication: null });
    await empty.close();
  });

  it('/metrics counts requests by route and status, and has gauges of the catalogue', async () => {
    const service = await shared.service.another(shared.location);
    const caller = (await shared.service.caller('free')).at(service);
    await caller.get('/v1/cards/x');
    await caller.get('/v1/cards/y');
    await caller.get('/v1/made-up-by-a-caller');
    await service.get('/v1/games');
    const answer = await service.get('/metrics');
    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    for (const line of [
      'cardprice_http_requests_total{route="/v1/cards/:id",status="404"} 2',
      'cardprice_http_requests_total{route="unknown",status="404"} 1',
      'cardprice_http_requests_total{route="/v1/games",status="401"} 1',
      'cardprice_http_request_seconds_count 4',
      'cardprice_cards{game="pokemon"} 16',
      'cardprice_cards{game="fab"} 5',
      // Since the start of 2026-01-28, at noon of the day after.
      `cardprice_price_age_seconds{game="mtg"} ${36 * 3600}`,
      'cardprice_catalog_revision 1',
      `cardprice_publication_info{id="${service.catalog.publication.id}"} 1`,
      'cardprice_publication_age_seconds 0',
    ]) {
      assert.ok(answer.body.split('\n').includes(line), `${line}\n${answer.body}`);
    }
    assert.match(answer.body, /^process_resident_memory_bytes \d+$/m);
    assert.ok(!answer.body.includes('made-up'));
    await service.close();
  });

  it('only GET and HEAD are answered', async () => {
    for (const url of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/']) {
      const head = await shared.service.app.inject({ method: 'HEAD', url });
      assert.equal(head.statusCode, 200);
      const posted = await shared.service.app.inject({ method: 'POST', url, payload: {} });
      assert.equal(posted.statusCode, 404);
      assert.equal(posted.json().error.code, 'NOT_FOUND');
    }
  });
});

describe('The log', () => {
  const shared = shareService('SQLite');

  it('has a line for each request; at the default level only for refused and failed ones', async () => {
    await (await shared.service.caller('free')).get('/v1/games');
    await shared.service.get('/v1/games');
    const lines = shared.service.log.map((line) => JSON.parse(line));
    const levels = lines
      .filter(({ msg }) => msg === 'request')
      .map(({ status, level }) => [status, level]);
    const { debug, info } = pino.levels.values;
    assert.deepEqual(levels, [
      [200, debug],
      [401, info],
    ]);
  });
});

describe('An internal error', () => {
  const shared = shareService('SQLite');

  it('is a 500 without details, which are in the log', async () => {
    const service = await shared.service.another(shared.location, { history: fail });
    const caller = (await shared.service.caller('trader')).at(service);
    const answer = await caller.get(HISTORY);
    const { message } = errorOf(answer, 'INTERNAL_ERROR');
    assert.equal(message, 'Something went wrong on our side. Please try again later.');
    assert.equal(answer.headers.etag, undefined);
    const lines = service.log.map((line) => JSON.parse(line));
    const [failure] = lines.filter((line) => line.level === 50);
    assert.equal(failure.err.message, INSIDES);
    assert.match(failure.err.stack, /history\.ts/);
    assert.equal(failure.reqId, answer.headers['x-request-id']);
    await service.close();
  });

  it('while the key is looked up answers 500 without a caller', async () => {
    const authenticator = broken(shared.service.authenticator, 'identify');
    const service = await shared.service.another(shared.location, { authenticator });
    const answer = await (await shared.service.caller('free')).at(service).get('/v1/games');
    errorOf(answer, 'INTERNAL_ERROR');
    assertCommonHeaders(answer);
    assert.equal(remainingOf(answer), 0);
    await service.close();
  });

  it('while a request is charged withholds its answer', async () => {
    const authenticator = broken(shared.service.authenticator, 'charge');
    const service = await shared.service.another(shared.location, { authenticator });
    const answer = await (await shared.service.caller('free')).at(service).get('/v1/games');
    errorOf(answer, 'INTERNAL_ERROR');
    assert.equal(answer.headers.etag, undefined);
    assert.equal(remainingOf(answer), 200);
    await service.close();
  });

  it('while the remaining quota is read leaves the value of the start of the request', async () => {
    const authenticator = broken(shared.service.authenticator, 'remaining');
    const service = await shared.service.another(shared.location, { authenticator, history: fail });
    const caller = (await shared.service.caller('trader')).at(service);
    const games = await caller.get('/v1/games');
    const headers = { 'if-none-match': String(games.headers.etag) };
    const unchanged = await caller.get('/v1/games', headers);
    assert.equal(unchanged.statusCode, 304);
    assert.equal(remainingOf(unchanged), 9_999);
    const failed = await caller.get(HISTORY);
    errorOf(failed, 'INTERNAL_ERROR');
    assertCommonHeaders(failed);
    assert.equal(remainingOf(failed), 9_999);
    await service.close();
  });
});

describe('A service without a catalogue', () => {
  const shared = shareService('SQLite');

  it('answers 503 with Retry-After, and charges nothing', async () => {
    const catalog = new Catalog(shared.service.store);
    const service = await shared.service.another(shared.location, { catalog });
    const caller = (await shared.service.caller('trader')).at(service);
    for (const path of ['/v1/games', '/v1/sets', '/v1/search?q=a', '/v1/cards/x', HISTORY]) {
      const answer = await caller.get(path);
      errorOf(answer, 'SERVICE_UNAVAILABLE');
      assertCommonHeaders(answer);
      assert.equal(answer.headers['retry-after'], '5');
      assert.equal(remainingOf(answer), 10_000);
    }
    await catalog.refresh();
    bodyOf(await caller.get('/v1/games'));
    await service.close();
  });
});

describe('The burst limit', () => {
  const shared = shareService('SQLite', {
    burst: { free: { requests: 2, seconds: 6 } },
  });

  it('refuses requests that come too fast, does not charge them and says when to retry', async () => {
    const caller = await shared.service.caller('free');
    bodyOf(await caller.get('/v1/games'));
    bodyOf(await caller.get('/v1/games'));
    const refused = await caller.get('/v1/games');
    const { message } = errorOf(refused, 'RATE_LIMIT_EXCEEDED');
    assert.equal(message, 'Too fast: the plan allows 2 request(s) within 6 s.');
    assert.equal(refused.headers['retry-after'], '3');
    assert.equal(remainingOf(refused), 198);
    shared.service.now += 3000;
    bodyOf(await caller.get('/v1/games'));
    errorOf(await caller.get('/v1/games'), 'RATE_LIMIT_EXCEEDED');
  });

  it('is counted by account and set by plan', async () => {
    const caller = await shared.service.caller('trader');
    for (let count = 0; count < 10; count += 1) bodyOf(await caller.get('/v1/games'));
  });
});
