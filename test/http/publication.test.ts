import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importFixtures, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { publishPast } from '../support/past.ts';
import { bodyOf, errorOf, problemOf, remainingOf } from './expect.ts';

const CARD = '/v1/cards/pokemon-bs-charizard-004';
const PATHS = [CARD, '/v1/search?q=charizard&set=bs', `${CARD}/history`];
const SETS = '/v1/sets?game=yugioh';
/** The first price of a card of a set that had none. */
const FIRST_PRICE = {
  productId: 92021292,
  lowPrice: 1,
  midPrice: 2,
  highPrice: 3,
  marketPrice: 2,
  directLowPrice: null,
  subTypeName: 'Unlimited',
};

forEachEngine((label) => {
  const shared = shareService(label);

  it('A publication changes every answer and its ETag at once', async () => {
    const caller = await shared.service.caller('trader');
    const ask = () => Promise.all(PATHS.map((path) => caller.get(path)));
    const pricedCount = async () => {
      const { data } = bodyOf<{ data: { pricedCount: number }[] }>(await caller.get(SETS));
      return data.at(-1)?.pricedCount;
    };
    const before = await ask();
    assert.equal(await pricedCount(), 0);
    await importFixtures(shared.location, {
      observedAt: Date.UTC(2026, 0, 29, 1, 2, 3),
      change(path, text) {
        if (path.endsWith('3/604/prices')) return text.replaceAll('453.86', '460.01');
        if (!path.endsWith('2/2900389/prices')) return text;
        return text.replace('[]\n}', `[${JSON.stringify(FIRST_PRICE)}]\n}`);
      },
    });
    for (const [index, answer] of (await ask()).entries()) {
      assert.equal(answer.body, before[index]?.body);
    }

    assert.ok(await shared.service.catalog.refresh());
    const after = await ask();
    assert.equal(await pricedCount(), 1);
    for (const [index, answer] of after.entries()) {
      assert.notEqual(answer.headers.etag, before[index]?.headers.etag);
      assert.ok(answer.body.includes('460.01'), answer.body);
    }
    const [card, , history] = after;
    assert.ok(card && history);
    const { data } = bodyOf<{ data: { updatedAt: string } }>(card);
    assert.equal(data.updatedAt, '2026-01-29T01:02:03Z');
    const past = bodyOf<{ data: { asOf: string; history: { market: number }[] } }>(history);
    assert.equal(past.data.asOf, '2026-01-29');
    assert.deepEqual(
      past.data.history.map((day) => day.market),
      [453.86, 460.01],
    );
  });
});

forEachEngine((label) => {
  const shared = shareService(label);

  it('A process is not ready 10 s after a publication that it does not serve', async () => {
    const { service } = shared;
    const ready = async () => {
      const { statusCode, body } = await service.get('/readyz');
      return [statusCode, JSON.parse(body).status];
    };
    const published = service.now;
    await publishPast(service.store, [], published);
    for (const [after, expected] of [
      [0, [200, 'ready']],
      [10_000, [200, 'ready']],
      [10_001, [503, 'outdated']],
    ] as const) {
      service.now = published + after;
      assert.deepEqual(await ready(), expected, `${after} ms`);
    }
    service.now = published + 60_000;
    await publishPast(service.store, [], service.now);
    assert.deepEqual(await ready(), [503, 'outdated'], 'the first unserved publication counts');
    await service.catalog.refresh();
    assert.deepEqual(await ready(), [200, 'ready']);
    service.now = published;
  });

  it('A process is not ready 10 s after another publication took its number', async () => {
    const { service } = shared;
    const published = service.now;
    const { revision } = service.catalog.publication;
    await service.store.db
      .updateTable('publications')
      .set({ id: 'published after a failover', published_at: published })
      .where('revision', '=', revision)
      .execute();
    assert.equal((await service.get('/readyz')).statusCode, 200);
    service.now = published + 10_001;
    assert.equal((await service.get('/readyz')).statusCode, 503);
    await service.catalog.refresh();
    assert.equal((await service.get('/readyz')).statusCode, 200);
    service.now = published;
  });
});

describe('A demanded publication', () => {
  const shared = shareService('SQLite');
  const LIST = '/v1/games';
  const HEADER = 'if-publication-at-least';

  it('is answered with the number of the served one if it is served', async () => {
    const caller = await shared.service.caller('trader');
    const served = shared.service.catalog.publication.revision;
    const etag = await shared.service.etagOf(LIST);
    for (const demanded of [0, served - 1, served]) {
      for (const [status, answer] of [
        [200, await caller.get(LIST, { [HEADER]: String(demanded) })],
        [304, await caller.get(LIST, { [HEADER]: String(demanded), 'if-none-match': etag })],
        [404, await caller.get('/v1/cards/x', { [HEADER]: String(demanded) })],
      ] as const) {
        assert.equal(answer.statusCode, status);
        assert.equal(answer.headers.publication, String(served));
      }
    }
    assert.equal((await caller.get(LIST)).headers.publication, undefined);
  });

  it('that is newer than the served one is 503 and not charged, until it is served', async () => {
    const { service } = shared;
    const caller = await service.caller('trader');
    const served = service.catalog.publication.revision;
    const demand = { [HEADER]: String(served + 1) };
    const before = remainingOf(await caller.get(LIST));
    for (const ask of [
      () => caller.get(LIST, demand),
      () => caller.get('/v1/nothing', demand),
      () => caller.post('/v1/resolve', { items: ['Charizard 4/102'] }, demand),
    ]) {
      const refused = await ask();
      const { message } = errorOf(refused, 'SERVICE_UNAVAILABLE');
      assert.match(message, new RegExp(`serves publication ${served} .*not loaded ${served + 1}`));
      assert.equal(refused.headers['retry-after'], '1');
      assert.equal(refused.headers.publication, String(served));
      assert.equal(refused.headers.etag, undefined);
    }
    assert.equal(remainingOf(await caller.get(LIST)), before - 1);
    await publishPast(service.store, [], service.now);
    assert.equal((await caller.get(LIST, demand)).statusCode, 503);
    await service.catalog.refresh();
    assert.equal((await caller.get(LIST, demand)).statusCode, 200);
  });

  it('that is not a number is 400 and names the header', async () => {
    const caller = await shared.service.caller('trader');
    for (const demanded of ['', 'x', '-1', '1.5', '1e3', '0x1', '1, 2', '"1"', '9'.repeat(16)]) {
      const answer = await caller.get(LIST, { [HEADER]: demanded });
      const problem = problemOf(answer, 'If-Publication-At-Least');
      assert.match(problem, /^it must be the number of a publication/, demanded);
    }
  });

  it('needs a key like every request', async () => {
    errorOf(await shared.service.get(LIST, { [HEADER]: '99' }), 'MISSING_API_KEY');
  });
});

describe('Prices that are kept', () => {
  const shared = shareService('SQLite');

  it('become stale at midnight, with another ETag', async () => {
    const { service } = shared;
    const caller = await service.caller('trader');
    const ask = async () => {
      const [card, search] = await Promise.all(
        [CARD, '/v1/search?q=charizard'].map((path) => {
          return caller.get(path);
        }),
      );
      assert.ok(card && search);
      const batch = await caller.post('/v1/cards/batch', { ids: ['pokemon-bs-charizard-004'] });
      const { data } = bodyOf<{ data: StalePrices & { printings: StalePrices[] } }>(card);
      const listed = [search, batch].flatMap(
        (answer) => bodyOf<{ data: StalePrices[] }>(answer).data,
      );
      const all = [data, ...data.printings, ...listed];
      return { stale: all.map(({ prices }) => prices.stale), etag: card.headers.etag };
    };
    service.now = Date.UTC(2026, 1, 4, 23, 59, 59);
    const before = await ask();
    assert.deepEqual(new Set(before.stale), new Set([false]));
    service.now += 1000;
    const after = await ask();
    assert.deepEqual(new Set(after.stale), new Set([true]));
    assert.notEqual(after.etag, before.etag);
    const again = await caller.get(CARD, { 'if-none-match': String(before.etag) });
    assert.equal(again.statusCode, 200);
  });
});

interface StalePrices {
  readonly prices: { readonly stale: boolean };
}
