import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { VisitorQuota } from '../../src/accounts/quota/page-quota.ts';
import { shareService } from '../support/app.ts';

const pages = new URL('../fixtures/rendered-pages/', import.meta.url);
const { renderings } = (await import(new URL('server/server.js', pages).href)) as {
  readonly renderings: string[];
};
const CARD = '/cards/pokemon-bs-charizard-004';
const publicUrl = 'https://cards.example';

function answersIn(text: string): Record<string, { status: number; body: unknown }> {
  const [, json = ''] = /id="answers">(.*?)<\/script>/s.exec(text) ?? [];
  return JSON.parse(json);
}

describe('A page that the server renders', () => {
  const shared = shareService('SQLite', {
    dashboard: { pages, publicUrl, isPublic: true },
  });
  const get = (url: string, headers = {}) => shared.service.get(url, headers);
  beforeEach(() => renderings.splice(0));

  it('has its content, and the answers that it was made of', async () => {
    const page = await get(CARD);
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /<div id="app"><h1>200 \$&<\/h1><\/div>/);
    const answers = answersIn(page.body);
    assert.deepEqual(Object.keys(answers), [
      '/dashboard/session',
      `/dashboard/v1${CARD}`,
      '/dashboard/v1/games',
    ]);
    const call = await get(`/dashboard/v1${CARD}`);
    assert.deepEqual(answers[`/dashboard/v1${CARD}`], { status: 200, body: call.json() });
  });

  it('says what it is about where it is listed or shared', async () => {
    const { body } = await get(`${CARD}?printing=x`);
    assert.match(body, /<title>Charizard \$&amp; \| Cardprice<\/title>/);
    assert.match(body, /<link rel="canonical" href="https:\/\/cards\.example\/cards\/pokemon-bs-/);
    assert.match(body, /og:image" content="https:\/\/cards\.example\/dashboard\/pictures\/x"/);
    assert.doesNotMatch(body, /printing=x" \/>/);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? [];
    const { '@type': type, name, sku, url, offers } = JSON.parse(json);
    const said = [type, name, sku, url];
    const id = 'pokemon-bs-charizard-004';
    assert.deepEqual(said, ['Product', 'Charizard', id, `https://cards.example/cards/${id}`]);
    const { data } = (await get(`/dashboard/v1${CARD}`)).json();
    const { low: lowPrice, high: highPrice } = data.prices;
    assert.deepEqual(offers, {
      '@type': 'AggregateOffer',
      priceCurrency: 'USD',
      lowPrice,
      highPrice,
    });
    assert.doesNotMatch((await get('/sets')).body, /ld\+json/);
  });

  it('escapes data wherever it appears', async () => {
    const { body } = await get(CARD);
    assert.match(body, /content="&lt;\/title&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;"/);
    const [, json = ''] = /id="answers">(.*)<\/script><\/body>/s.exec(body) ?? [];
    assert.doesNotMatch(json, /[<\u2028\u2029]/);
  });

  it('has a title only for readers with cookies, whom no search engine or preview has', async () => {
    const { body } = await get(CARD, { cookie: 'cardprice_device=x' });
    assert.match(body, /<title>Charizard \$&amp; \| Cardprice<\/title>/);
    assert.doesNotMatch(body, /<meta|canonical|ld\+json/);
  });

  it('is kept by nothing if the browser sent cookies, as it may name an account', async () => {
    const { headers } = await get(CARD, { cookie: 'cardprice_device=x' });
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers.etag, undefined);
    assert.equal((await get(CARD)).headers['cache-control'], 'no-cache');
  });

  it('is 404 where there is nothing, with the page that says so', async () => {
    const page = await get('/cards/nothing');
    assert.equal(page.statusCode, 404);
    assert.match(page.body, /<h1>404/);
    assert.equal(page.headers.etag, undefined);
  });

  it('is rendered once for all visitors, until an answer is another', async () => {
    const first = await get(`${CARD}?once`);
    const count = renderings.length;
    shared.service.now += 60_000;
    const again = await get(`${CARD}?once`);
    assert.equal(again.body, first.body);
    const tag = { 'if-none-match': String(first.headers.etag) };
    assert.equal((await get(`${CARD}?once`, tag)).statusCode, 304);
    assert.equal(renderings.length, count);
    shared.service.now += 24 * 3_600_000 * 400;
    assert.notEqual((await get(`${CARD}?once`)).body, first.body, 'its prices are stale now');
    shared.service.now -= 24 * 3_600_000 * 400 + 60_000;
  });

  it('is rendered for each member with their own rights, and kept for nobody', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    const page = await browser.get(CARD);
    const { body } = answersIn(page.body)['/dashboard/session'] ?? {};
    assert.match(JSON.stringify(body), new RegExp(browser.email));
    assert.match(String(page.headers.vary), /cookie/);
    const visitor = await get(CARD);
    assert.doesNotMatch(visitor.body, /shop\.example/);
  });

  it('is charged like its calls, also when it is served from the cache', async () => {
    const ask = () => shared.service.app.inject({ url: CARD, remoteAddress: '198.51.100.9' });
    const quota = new VisitorQuota(shared.service.store, () => shared.service.now);
    assert.equal((await ask()).statusCode, 200);
    await quota.charge('198.51.100.9', 2998);
    assert.equal((await ask()).statusCode, 200);
    const refused = await ask();
    assert.equal(refused.statusCode, 429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.match(refused.body, /<div id="app"><\/div>/);
  });

  it('is the app for browsers when rendering fails, and the log says so', async () => {
    for (const url of ['/cards/fail', '/cards/endless']) {
      const page = await get(url);
      assert.equal(page.statusCode, 200);
      assert.match(page.body, /<title>Cardprice<\/title>.*<div id="app"><\/div>/s);
    }
    const logged = shared.service.log.filter((line) => line.includes('could not be rendered'));
    assert.equal(logged.length, 2);
  });

  it('is the app for a browser whose session has ended, which asks to sign in', async () => {
    const page = await get(CARD, { cookie: `__Host-cardprice_session=${'a'.repeat(43)}` });
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /<div id="app"><\/div>/);
  });

  it('is compressed', async () => {
    const page = await get(CARD, { 'accept-encoding': 'gzip' });
    assert.equal(page.headers['content-encoding'], 'gzip');
    assert.match(String(gunzipSync(page.rawPayload)), /<h1>200/);
  });

  it('may be listed by search engines, and what is private or endless may not', async () => {
    assert.equal((await get(CARD)).headers['x-robots-tag'], undefined);
    for (const url of ['/search?q=x', '/keys', '/sign-in', '/operator']) {
      assert.equal((await get(url)).headers['x-robots-tag'], 'noindex', url);
    }
    const robots = await get('/robots.txt');
    assert.match(robots.body, /^User-agent: \*\nDisallow: \/dashboard\/\n/);
    assert.match(robots.body, /Sitemap: https:\/\/cards\.example\/sitemap\.xml\n$/);
    const names = [
      ...(await get('/sitemap.xml')).body.matchAll(/<loc>https:..cards.example([^<]*)</g),
    ];
    const [sets = '', ...cards] = names.map(([, path = '']) => path);
    const sitemap = await get(sets);
    assert.match(sitemap.body, /<loc>https:\/\/cards\.example\/sets\/pokemon<\/loc>/);
    assert.match(
      sitemap.body,
      /<loc>https:\/\/cards\.example\/sets\/pokemon\/pokemon-base-set<\/loc>/,
    );
    const listed = await Promise.all(cards.map(async (path) => (await get(path)).body));
    const addresses = listed.flatMap((body) => body.match(/<loc>[^<]*<\/loc>/g) ?? []);
    assert.equal(new Set(addresses).size, addresses.length);
    assert.equal(addresses.length, shared.service.catalog.cardCount);
    assert.ok(addresses.includes(`<loc>https://cards.example${CARD}</loc>`));
    for (const number of ['0', '2', '99999', 'x']) {
      assert.equal((await get(`/sitemaps/cards-${number}.xml`)).statusCode, 404, number);
    }
    const icon = await get('/favicon.ico');
    assert.deepEqual([icon.statusCode, icon.headers.location], [301, '/icon.svg']);
  });
});

describe('Where the pages are not public', () => {
  const shared = shareService('SQLite', { dashboard: { pages, publicUrl } });

  it('a visitor gets the app, which shows the sign-in page', async () => {
    const page = await shared.service.get(CARD);
    assert.match(page.body, /<div id="app"><\/div>/);
    assert.equal(page.headers['x-robots-tag'], 'noindex');
  });

  it('a member gets rendered pages', async () => {
    const browser = await shared.service.signedInBrowser();
    assert.match((await browser.get(CARD)).body, /<h1>200/);
  });

  it('search engines are asked to index nothing', async () => {
    assert.equal((await shared.service.get('/robots.txt')).body, 'User-agent: *\nDisallow: /\n');
    assert.equal((await shared.service.get('/sitemap.xml')).statusCode, 404);
  });
});
