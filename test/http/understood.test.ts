import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Understood } from '../../src/search/index.ts';
import { shareService } from '../support/app.ts';
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
/** Reads a misspelt name, a set, a printing, a grade and a word that nothing explains. */
const URL = '/v1/search?q=charizrd+base+set+holo+psa+9+qqqq';
const UNDERSTOOD = {
  ...NOTHING,
  name: 'charizrd',
  set: 'base set',
  printing: 'holo',
  grade: 'psa 9',
  ignored: ['qqqq'],
};

describe('How a search read its query', () => {
  const shared = shareService('SQLite');

  it('is part of the answer, unless the query is only a name', async () => {
    const caller = await shared.service.caller('free');
    const body = bodyOf<{ understood: Understood; data: object[] }>(await caller.get(URL));
    assert.deepEqual(body.understood, UNDERSTOOD);
    assert.equal(body.data.length, 1);
    assert.equal((body as { corrected?: string }).corrected, 'charizard base set holo psa 9 qqqq');
    for (const card of body.data) assert.ok(!('match' in card));
    for (const q of ['charizard', 'zzzz']) {
      const other = bodyOf<object>(await caller.get(`/v1/search?q=${q}`));
      assert.ok(!('understood' in other || 'corrected' in other));
    }
  });

  it('is given for each result on demand', async () => {
    const caller = await shared.service.caller('trader');
    const { data } = bodyOf<{ data: object[] }>(await caller.get(`${URL}&explain=match`));
    const [charizard] = data as { id: string; match: object[] }[];
    assert.equal(charizard?.id, 'pokemon-bs-charizard-004');
    assert.deepEqual(charizard.match.slice(0, 4), [
      { words: 'charizrd', as: 'name', means: 'Charizard', corrected: true },
      { words: 'base set', as: 'set', means: 'Base Set', corrected: false },
      { words: 'holo', as: 'printing', means: 'Holofoil', corrected: false },
      { words: 'psa 9', as: 'grade', means: 'PSA 9', corrected: false },
    ]);
    for (const limit of [1, 3]) {
      const url = `/v1/search?q=forest+ninth+edition&explain=match&limit=${limit}`;
      const page = bodyOf<{ data: { match: object[] }[] }>(await caller.get(url));
      assert.deepEqual(
        page.data.map(({ match }) => match.length),
        Array(limit).fill(2),
      );
    }
  });

  it('is not shown for each result on the free plan, which is not charged for it', async () => {
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
