import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Day } from '../../src/domain/day.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { importFixtures, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf } from './expect.ts';

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

const FIRST = { publication: 'one', day: 20_000 as Day };

describe('Cached responses', () => {
  it('are kept until the next publication', () => {
    const answers = new ResponseCache();
    assert.equal(answers.get('/a', FIRST), undefined);
    const answer = answers.add('/a', FIRST, '{}');
    assert.equal(answers.get('/a', FIRST), answer);
    assert.equal(answers.get('/a', { ...FIRST, publication: 'two' }), undefined);
    answers.add('/a', FIRST, '{"late":true}');
    assert.equal(answers.get('/a', { ...FIRST, publication: 'two' }), undefined);
  });

  it('are kept until the day ends, because prices become stale', () => {
    const answers = new ResponseCache();
    answers.get('/a', FIRST);
    answers.add('/a', FIRST, '{}');
    assert.equal(answers.get('/a', { ...FIRST, day: 20_001 as Day }), undefined);
  });

  it('are not kept for a URL that holds an API key', () => {
    const answers = new ResponseCache();
    answers.get('/', FIRST);
    answers.add('/a?api_key=secret', FIRST, '{}');
    assert.equal(answers.get('/a?api_key=secret', FIRST), undefined);
  });

  it('are evicted when there are too many', () => {
    const answers = new ResponseCache();
    answers.get('/', FIRST);
    for (let index = 0; index < 20; index += 1) {
      answers.add(`/${index}`, FIRST, 'x'.repeat(1_000_000));
    }
    const kept = Array.from({ length: 20 }, (_, index) => answers.get(`/${index}`, FIRST));
    assert.deepEqual(
      kept.map((answer) => answer !== undefined),
      [...Array(11).fill(false), ...Array(9).fill(true)],
    );
  });
});
