import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Reading, SearchQuery, Understood } from '../../src/search/index.ts';
import { type Service, shareService } from '../support/app.ts';
import { bodyOf, errorOf, problemOf, remainingOf } from './expect.ts';

const NOTHING: Understood = {
  name: null,
  set: null,
  number: null,
  rarity: null,
  printing: null,
  treatment: null,
  year: null,
  language: null,
  game: null,
  condition: null,
  grade: null,
  ignored: [],
};
const UNDERSTOOD = { ...NOTHING, name: 'charizrd', grade: 'psa 9', ignored: ['pack fresh'] };
const READINGS: readonly Reading[] = [
  { words: 'charizrd', as: 'name', means: 'Charizard', isCorrected: true },
  { words: 'psa 9', as: 'grade', means: 'PSA 9', isCorrected: false },
];
const URL = '/v1/search?q=charizard';

/** Makes the search of a service tell how it read its queries; returns these. */
function explainSearches({ catalog }: Service): SearchQuery[] {
  const queries: SearchQuery[] = [];
  const search = catalog.search.search.bind(catalog.search);
  catalog.search.search = (query) => {
    queries.push(query);
    const result = search(query);
    const readings = query.explain ? { readings: result.cards.map(() => READINGS) } : {};
    return { ...result, understood: UNDERSTOOD, ...readings };
  };
  return queries;
}

describe('How a search read its query', () => {
  const shared = shareService('SQLite');
  let queries: SearchQuery[];
  before(() => {
    queries = explainSearches(shared.service);
  });

  it('is told beside the results', async () => {
    const caller = await shared.service.caller('free');
    const body = bodyOf<{ understood: Understood; data: object[] }>(await caller.get(URL));
    assert.deepEqual(body.understood, UNDERSTOOD);
    assert.deepEqual(Object.keys(body), ['data', 'total', 'limit', 'offset', 'understood']);
    for (const card of body.data) assert.ok(!('match' in card));
    assert.equal(queries.at(-1)?.explain, false);
  });

  it('is told of each result on demand', async () => {
    const caller = await shared.service.caller('trader');
    for (const limit of [1, 3]) {
      const answer = await caller.get(`${URL}&explain=match&limit=${limit}`);
      const { data } = bodyOf<{ data: { match: object[] }[] }>(answer);
      assert.equal(data.length, limit);
      for (const { match } of data) {
        assert.deepEqual(match, [
          { words: 'charizrd', as: 'name', means: 'Charizard', corrected: true },
          { words: 'psa 9', as: 'grade', means: 'PSA 9', corrected: false },
        ]);
      }
    }
  });

  it('is not told of each result on the free plan, which is not charged', async () => {
    const caller = await shared.service.caller('free');
    for (const value of ['match', 'x', '']) {
      const refused = await caller.get(`${URL}&explain=${value}`);
      const { message } = errorOf(refused, 'PLAN_RESTRICTION');
      assert.equal(message, 'The explanation of matches requires the Trader plan or above.');
      assert.equal(remainingOf(refused), 200);
    }
    bodyOf(await caller.get(URL));
  });

  it('keeps the order of checks: plan, quota, parameters', async () => {
    const free = await shared.service.caller('free');
    await free.spend(200);
    errorOf(await free.get(`${URL}&explain=match`), 'PLAN_RESTRICTION');
    const caller = await shared.service.caller('trader');
    const refused = await caller.get(`${URL}&explain=x`);
    assert.equal(problemOf(refused, 'explain'), '"x" is not allowed; it must be one of match.');
    assert.equal(remainingOf(refused), 9999);
  });

  it('is kept apart from answers without it', async () => {
    const caller = await shared.service.caller('trader');
    for (const url of [URL, `${URL}&explain=match`, URL, `${URL}&explain=match`]) {
      const { data } = bodyOf<{ data: object[] }>(await caller.get(url));
      for (const card of data) assert.equal('match' in card, url !== URL);
    }
  });

  it('follows the plan in the dashboard too', async () => {
    const browser = await shared.service.signedInBrowser('free');
    const url = `/dashboard${URL}&explain=match`;
    errorOf(await browser.get(url), 'PLAN_RESTRICTION');
    bodyOf(await browser.get(`/dashboard${URL}`));
    await shared.service.accounts.setPlan(browser.email, 'trader');
    bodyOf(await browser.get(url));
  });
});
