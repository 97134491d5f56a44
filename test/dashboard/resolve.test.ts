import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyOf, errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';

const PATH = '/v1/resolve';
const CHARIZARD = { name: 'Charizard', set: 'Base Set', number: '4/102' };

describe('POST /dashboard/v1/resolve', () => {
  const shared = shareService('SQLite');
  const URL = `/dashboard${PATH}`;

  it('answers as the API does, and charges nothing', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    const body = { items: [CHARIZARD, 'Forest', ''] };
    const shown = await browser.post(URL, body);
    const caller = await shared.service.caller('trader');
    assert.equal(shown.statusCode, 200);
    assert.equal(shown.body, (await caller.post(PATH, body)).body);
    bodyOf(await browser.post(URL, { items: Array(500).fill('Forest') }));
    const usage = await browser.get('/dashboard/usage');
    assert.equal(usage.json().data.used, 0);
  });

  it('requires the plan, a session and a page of this site', async () => {
    const free = await shared.service.signedInBrowser('free');
    errorOf(await free.post(URL, { items: ['a'] }), 'PLAN_RESTRICTION');
    assert.equal((await shared.service.browser().post(URL, { items: ['a'] })).statusCode, 401);
    const browser = await shared.service.signedInBrowser('trader');
    const elsewhere = await browser.post(URL, { items: ['a'] }, { 'sec-fetch-site': 'cross-site' });
    errorOf(elsewhere, 'FORBIDDEN');
  });

  it('has the errors of the API', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    for (const body of ['{', { items: [1] }, { items: 'a' }, {}]) {
      const { message } = errorOf(await browser.post(URL, body), 'INVALID_BODY');
      assert.match(message, /array "items" of texts or objects that describe cards\.$/);
    }
    errorOf(await browser.post(URL, { items: Array(501).fill('a') }), 'BATCH_LIMIT_EXCEEDED');
  });

  it('counts a request of many items as many calls of the account', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    const full = { items: Array(500).fill('a') };
    for (let count = 0; count < 23; count += 1) bodyOf(await browser.post(URL, full));
    for (let count = 0; count < 25; count += 1) bodyOf(await browser.get('/dashboard/keys'));
    errorOf(await browser.get('/dashboard/keys'), 'TOO_MANY_ATTEMPTS');
  });
});
