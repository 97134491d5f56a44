import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VisitorQuota } from '../../src/accounts/quota/page-quota.ts';
import { dayOf, endOfDay, formatMoment } from '../../src/domain/day.ts';
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

  it('requires a session where the pages are not public, and a page of this site', async () => {
    assert.equal((await shared.service.browser().post(URL, { items: ['a'] })).statusCode, 401);
    const browser = await shared.service.signedInBrowser('trader');
    const elsewhere = await browser.post(URL, { items: ['a'] }, { 'sec-fetch-site': 'cross-site' });
    errorOf(elsewhere, 'FORBIDDEN');
  });

  it('resolves lists of accounts whose plan has no resolver in the API', async () => {
    const free = await shared.service.signedInBrowser('free');
    const [answer] = bodyOf<{ data: { status: string }[] }>(
      await free.post(URL, { items: [CHARIZARD] }),
    ).data;
    assert.equal(answer?.status, 'matched');
    const caller = await shared.service.caller('free');
    errorOf(await caller.post(PATH, { items: [CHARIZARD] }), 'PLAN_RESTRICTION');
  });

  it('has the errors of the API', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    for (const body of ['{', { items: [1] }, { items: 'a' }, {}]) {
      const { message } = errorOf(await browser.post(URL, body), 'INVALID_BODY');
      assert.match(message, /array "items" of texts or objects that describe cards\.$/);
    }
    errorOf(await browser.post(URL, { items: Array(501).fill('a') }), 'BATCH_LIMIT_EXCEEDED');
  });

  it('counts a request of many candidates as many calls of the account', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    const full = { items: ['a'], maxCandidates: 2500 };
    for (let count = 0; count < 23; count += 1) bodyOf(await browser.post(URL, full));
    for (let count = 0; count < 25; count += 1) bodyOf(await browser.get('/dashboard/keys'));
    errorOf(await browser.get('/dashboard/keys'), 'TOO_MANY_ATTEMPTS');
  });
});

describe('POST /dashboard/v1/resolve of a visitor', () => {
  const shared = shareService('SQLite', { dashboard: { isPublic: true } });
  const url = '/dashboard/v1/resolve';
  const send = (remoteAddress: string, items: readonly unknown[], others: object = {}) => {
    const payload = { items, ...others };
    return shared.service.app.inject({ method: 'POST', url, remoteAddress, payload });
  };
  const lookups = async (remoteAddress: string) => {
    const answer = await shared.service.app.inject({ url: '/dashboard/lookups', remoteAddress });
    return bodyOf<{ data: { remaining: number } }>(answer).data;
  };

  it('is answered, and takes a lookup for each line, or for each candidate of it', async () => {
    const resetAt = formatMoment(endOfDay(dayOf(shared.service.now)));
    assert.deepEqual(await lookups('203.0.113.20'), { limit: 3000, remaining: 3000, resetAt });
    const { data } = bodyOf<{ data: { candidates?: unknown[] }[] }>(
      await send('203.0.113.20', [CHARIZARD, 'Dark Magician', 'Deck', '']),
    );
    const cards = data.reduce((sum, { candidates }) => sum + (candidates?.length || 1), 0);
    assert.ok(cards > 4);
    const { remaining } = await lookups('203.0.113.20');
    assert.equal(remaining, 3000 - cards);
  });

  it('is refused as a whole when the network has too few lookups left', async () => {
    const charge = (cards: number) => {
      const quota = new VisitorQuota(shared.service.store, () => shared.service.now);
      return quota.charge('203.0.113.21', cards);
    };
    await charge(2999);
    errorOf(await send('203.0.113.21', [CHARIZARD, CHARIZARD]), 'RATE_LIMIT_EXCEEDED');
    bodyOf(await send('203.0.113.21', [CHARIZARD]));
    errorOf(await send('203.0.113.21', [CHARIZARD]), 'RATE_LIMIT_EXCEEDED');
  });

  it('of lines that show no card takes a lookup for each, before they are read', async () => {
    const full = Array(500).fill('zzzz');
    for (let count = 0; count < 6; count += 1) bodyOf(await send('203.0.113.25', full));
    errorOf(await send('203.0.113.25', full), 'RATE_LIMIT_EXCEEDED');
    assert.equal((await lookups('203.0.113.25')).remaining, 0);
  });

  it('takes a lookup for each line although its candidates exceed the rest', async () => {
    const quota = new VisitorQuota(shared.service.store, () => shared.service.now);
    await quota.charge('203.0.113.26', 2998);
    errorOf(await send('203.0.113.26', ['Dark Magician']), 'RATE_LIMIT_EXCEEDED');
    assert.equal((await lookups('203.0.113.26')).remaining, 1);
  });

  it('counts as many calls of the network as the API would count requests', async () => {
    const full = { maxCandidates: 2500 };
    for (let count = 0; count < 24; count += 1) bodyOf(await send('203.0.113.22', ['a'], full));
    errorOf(await send('203.0.113.22', ['a'], full), 'TOO_MANY_ATTEMPTS');
    bodyOf(await send('203.0.113.23', ['a'], full));
  });

  it('must come from a page of this site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const payload = { items: [CHARIZARD] };
    const answer = await shared.service.app.inject({ method: 'POST', url, headers, payload });
    errorOf(answer, 'FORBIDDEN');
  });
});
