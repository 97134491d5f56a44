import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

describe('Cached responses', () => {
  it('are kept until the next publication', () => {
    const answers = new ResponseCache();
    assert.equal(answers.get('/a', 1), undefined);
    const answer = answers.add('/a', 1, '{}');
    assert.equal(answers.get('/a', 1), answer);
    assert.equal(answers.get('/a', 2), undefined);
    answers.add('/a', 1, '{"late":true}');
    assert.equal(answers.get('/a', 2), undefined);
  });

  it('are not kept for a URL that holds an API key', () => {
    const answers = new ResponseCache();
    answers.get('/', 1);
    answers.add('/a?api_key=secret', 1, '{}');
    assert.equal(answers.get('/a?api_key=secret', 1), undefined);
  });

  it('are evicted when there are too many', () => {
    const answers = new ResponseCache();
    answers.get('/', 1);
    for (let index = 0; index < 20; index += 1) {
      answers.add(`/${index}`, 1, 'x'.repeat(1_000_000));
    }
    const kept = Array.from({ length: 20 }, (_, index) => answers.get(`/${index}`, 1));
    assert.deepEqual(
      kept.map((answer) => answer !== undefined),
      [...Array(11).fill(false), ...Array(9).fill(true)],
    );
  });
});
