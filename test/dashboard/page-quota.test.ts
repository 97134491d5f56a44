import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PageQuota, VisitorQuota } from '../../src/accounts/quota/page-quota.ts';
import { dayOf, endOfDay, formatMoment } from '../../src/domain/day.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { type Service, shareService } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { forEachEngine } from '../support/engines.ts';

const CARD = '/dashboard/v1/cards/pokemon-bs-charizard-004';
/** Three cards match it. */
const SEARCH = '/dashboard/v1/search?q=charizard&limit=3';

/** Asks as a visitor from a network address. */
function visit(service: Service, remoteAddress: string, url = CARD) {
  return service.app.inject({ url, remoteAddress });
}

/** Charges cards to an account as if pages had shown them. */
async function show(service: Service, { email }: { readonly email: string }, cards: number) {
  const { id: accountId, plan } = await service.accounts.find(email);
  await new PageQuota(service.store, () => service.now).charge({ accountId, plan }, cards);
}

const statusOf = async (browser: Browser, url: string) => (await browser.get(url)).statusCode;

forEachEngine((label) => {
  const shared = shareService(label);

  it('The pages show a free account 3,000 priced cards a day, from all of its sessions', async () => {
    const browser = await shared.service.signedInBrowser();
    const { data } = bodyOf<{ data: unknown[] }>(await browser.get(SEARCH));
    await show(shared.service, browser, 3000 - 2 * data.length);
    bodyOf(await browser.get(SEARCH));
    const refused = await browser.get(CARD);
    const { message } = errorOf(refused, 'RATE_LIMIT_EXCEEDED');
    assert.match(message, /free plan 3000 priced cards a day.*midnight UTC.*use an API key\.$/);
    assert.equal(refused.headers['retry-after'], String(12 * 3600));
    assert.equal(refused.headers.etag, undefined);
    const again = await shared.service.signIn(browser.email, 'correct horse battery');
    errorOf(await again.get(CARD), 'RATE_LIMIT_EXCEEDED');
    errorOf(await again.get(`${CARD}?x=1`), 'RATE_LIMIT_EXCEEDED');
    errorOf(await again.send('GET', SEARCH), 'RATE_LIMIT_EXCEEDED');
    assert.equal((await again.send('HEAD', CARD)).statusCode, 429);

    shared.service.now += 12 * 3_600_000;
    bodyOf(await browser.get(CARD));
    shared.service.now -= 12 * 3_600_000;
  });

  it('Several processes share that number exactly', async () => {
    const other = await shared.service.another(shared.location);
    const browser = await shared.service.signedInBrowser();
    await show(shared.service, browser, 2990);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        return statusOf(index % 2 === 0 ? browser : browser.at(other), CARD);
      }),
    );
    assert.equal(answers.filter((status) => status === 200).length, 10);
    assert.equal(answers.filter((status) => status === 429).length, 20);
    await other.close();
  });

  it('A plan of more requests shows as many cards', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    await show(shared.service, browser, 9999);
    bodyOf(await browser.get(CARD));
    errorOf(await browser.get(`${CARD}/history`), 'RATE_LIMIT_EXCEEDED');
    const body = { items: ['Charizard Base Set 4/102'] };
    errorOf(await browser.post('/dashboard/v1/resolve', body), 'RATE_LIMIT_EXCEEDED');
  });

  it('Whatever shows no price is not counted: sets, games, names, errors, keys', async () => {
    const browser = await shared.service.signedInBrowser();
    await show(shared.service, browser, 3000);
    const lists = [
      'v1/sets',
      'v1/games',
      'v1/games/mtg/sets',
      'v1/rarities',
      'v1/autocomplete?q=cha',
    ];
    for (const path of [...lists, 'keys', 'usage']) {
      bodyOf(await browser.get(`/dashboard/${path}`));
    }
    bodyOf(await browser.get('/dashboard/v1/search?q=zzzzzzzzzz'));
    errorOf(await browser.get('/dashboard/v1/cards/x'), 'CARD_NOT_FOUND');
    const caller = await shared.service.caller('free');
    bodyOf(await caller.get('/v1/games'));
  });

  it('The cards within a set, and those around a card, are counted one by one', async () => {
    const browser = await shared.service.signedInBrowser();
    // A set of four cards; two neighbours; one card of the same name.
    for (const [path, cards] of [
      ['sets/pokemon-base-set', 4],
      ['sets/pokemon-base-set/cards', 4],
      ['cards/pokemon-bs-blastoise-002/related', 2],
      ['cards/pokemon-pre-umbreon-ex-161/related', 3],
      // Of three cards of the same name those that the answer shows, and a neighbour on each side.
      ['cards/yugioh-lob-dark-magician-lob-005/related?limit=1', 3],
      ['cards/yugioh-lob-dark-magician-lob-005/related', 5],
    ] as const) {
      const { email } = browser;
      const { id: accountId, plan } = await shared.service.accounts.find(email);
      const quota = new PageQuota(shared.service.store, () => shared.service.now);
      shared.service.now += 24 * 3_600_000;
      await quota.charge({ accountId, plan }, 3000 - cards);
      bodyOf(await browser.get(`/dashboard/v1/${path}`));
      errorOf(await browser.get(CARD), 'RATE_LIMIT_EXCEEDED');
    }
  });

  it('The pages say how many cards are left, and when the quota resets', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    const left = async () => {
      return bodyOf<{ data: object }>(await browser.get('/dashboard/lookups')).data;
    };
    const resetAt = formatMoment(endOfDay(dayOf(shared.service.now)));
    assert.deepEqual(await left(), { limit: 10_000, remaining: 10_000, resetAt });
    await show(shared.service, browser, 9990);
    bodyOf(await browser.get(CARD));
    assert.deepEqual(await left(), { limit: 10_000, remaining: 9, resetAt });
  });

  it('The quotas of the API and of the pages are separate', async () => {
    const browser = await shared.service.signedInBrowser();
    await show(shared.service, browser, 3000);
    const { key } = await shared.service.keys.create(browser.email);
    const answer = await shared.service.get('/v1/games', { 'x-api-key': key });
    assert.equal(answer.headers['x-ratelimit-remaining'], '199');
  });
});

forEachEngine((label) => {
  const shared = shareService(label, { dashboard: { isPublic: true } });
  const charge = (address: string, cards: number) => {
    const { store, now } = shared.service;
    return new VisitorQuota(store, () => now).charge(address, cards);
  };
  const rows = () => {
    return shared.service.store.accounts.db.selectFrom('visitor_usage').selectAll().execute();
  };

  it('The pages show a network address 3,000 priced cards a day, across processes', async () => {
    const other = await shared.service.another(shared.location, { dashboard: { isPublic: true } });
    await charge('203.0.113.7', 2990);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        return visit(index % 2 === 0 ? shared.service : other, '203.0.113.7');
      }),
    );
    await other.close();
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 10);
    const refused = await visit(shared.service, '203.0.113.7');
    const { message } = errorOf(refused, 'RATE_LIMIT_EXCEEDED');
    assert.match(message, /show a network address without an account 3000 priced cards a day/);
    bodyOf(await visit(shared.service, '203.0.113.7', '/dashboard/v1/sets'));
    bodyOf(await visit(shared.service, '203.0.113.8'));
  });

  it('All IPv6 addresses of a customer count as one, and a wide network as ten', async () => {
    await charge('2001:db8:1:1::1', 3000);
    errorOf(await visit(shared.service, '2001:db8:1:1:ffff::2'), 'RATE_LIMIT_EXCEEDED');
    for (let customer = 2; customer <= 10; customer += 1) {
      await charge(`2001:db8:1:${customer}::1`, 3000);
    }
    errorOf(await visit(shared.service, '2001:db8:1:b::1'), 'RATE_LIMIT_EXCEEDED');
    const left = bodyOf(await visit(shared.service, '2001:db8:1:b::1', '/dashboard/lookups'));
    assert.equal((left as { data: { remaining: number } }).data.remaining, 0);
    bodyOf(await visit(shared.service, '2001:db8:2::1'));
  });

  it('Of visitors nothing is kept but numbers, and nothing for longer than a day', async () => {
    await charge('203.0.113.99', 1);
    for (const row of await rows()) {
      assert.deepEqual(Object.keys(row).sort(), ['day', 'network', 'used']);
      assert.ok(row.network < 2 ** 22);
    }
    shared.service.now += 24 * 3_600_000;
    bodyOf(await visit(shared.service, '203.0.113.7'));
    const days = (await rows()).map(({ day }) => day);
    assert.deepEqual(new Set(days), new Set([dayOf(shared.service.now)]));
    shared.service.now -= 24 * 3_600_000;
  });
});
