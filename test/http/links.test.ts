import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assert as check, property, record, integer as whole } from 'fast-check';
import { pageLinks } from '../../src/http/v1/routes.ts';
import { type Caller, shareService } from '../support/app.ts';
import { FIXTURE_SETS } from '../support/tcgcsv.ts';
import { bodyOf } from './expect.ts';

/** The URLs of a Link header by their relation. */
function urlsOf(header: unknown): Record<string, string> {
  const links = [...String(header).matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, url = '', rel = '']) => [rel, url]));
}

/** Follows `next` from a URL on; returns the URLs, their links and the items of all pages. */
async function walk(caller: Caller, url: string) {
  const urls: string[] = [];
  const links: Record<string, string>[] = [];
  const items: unknown[] = [];
  for (let next: string | undefined = url; next !== undefined; next = links.at(-1)?.next) {
    const answer = await caller.get(next);
    urls.push(next);
    links.push(urlsOf(answer.headers.link));
    items.push(...bodyOf<{ data: unknown[] }>(answer).data);
  }
  return { urls, links, items };
}

describe('Link headers', () => {
  const shared = shareService('SQLite');

  it('lead through all pages of every list, from the first to the last and back', async () => {
    const caller = await shared.service.caller('trader');
    for (const [url, total] of [
      ['/v1/search?q=lob&limit=5', 12],
      ['/v1/sets?limit=5', FIXTURE_SETS],
      ['/v1/sets/mtg-ninth-edition/cards?sort=name&limit=3', 7],
    ] as const) {
      const { urls, links, items } = await walk(caller, url);
      assert.equal(new Set(items.map((item) => JSON.stringify(item))).size, total);
      const [, ...later] = urls;
      assert.deepEqual(
        links.map(({ prev }) => prev),
        [undefined, links[0]?.first, ...later.slice(0, -1)],
      );
      for (const { last } of links) assert.equal(last, urls.at(-1));
    }
  });

  it('are the same from the cache, and come with a 304', async () => {
    const caller = await shared.service.caller('free');
    const url = '/v1/sets?game=pokemon&limit=2';
    const first = await caller.get(url);
    const again = await caller.get(url);
    assert.equal(again.headers.link, first.headers.link);
    const etag = String(first.headers.etag);
    const unchanged = await caller.get(url, { 'if-none-match': etag });
    assert.equal(unchanged.statusCode, 304);
    assert.equal(unchanged.headers.link, first.headers.link);
  });

  it('keep the parameters, and never an API key', () => {
    const url = '/v1/search?q=a%26b%3E&api_key=cp_live_x&limit=2';
    const { next } = urlsOf(pageLinks(url, { total: 5, limit: 2, offset: 0 }));
    assert.equal(next, '/v1/search?q=a%26b%3E&limit=2&offset=2');
  });

  it('are left out where no other page is, and where the URL is very long', () => {
    const none = urlsOf(pageLinks('/v1/sets', { total: 0, limit: 50, offset: 0 }));
    assert.deepEqual(Object.keys(none), ['first', 'last']);
    const place = { total: 5, limit: 2, offset: 0 };
    const longest = `/v1/search?q=${'a'.repeat(1500 - '/v1/search?q='.length)}`;
    assert.notEqual(pageLinks(longest, place), undefined);
    assert.equal(pageLinks(`${longest}a`, place), undefined);
  });

  it('never lead past the end, from any page', () => {
    const places = record({
      total: whole({ min: 0, max: 50 }),
      limit: whole({ min: 1, max: 20 }),
      offset: whole({ min: 0, max: 80 }),
    });
    check(
      property(places, (place) => {
        const { prev, next, last } = urlsOf(pageLinks('/v1/sets', place));
        const offsetOf = (url: string) =>
          Number(new URL(url, 'http://x').searchParams.get('offset'));
        for (const url of [prev, next, last]) {
          if (url) assert.ok(offsetOf(url) < Math.max(1, place.total));
        }
        assert.equal(next !== undefined, place.offset + place.limit < place.total);
        assert.equal(prev !== undefined, place.offset > 0);
        if (next) assert.equal((offsetOf(last ?? '') - offsetOf(next)) % place.limit, 0);
      }),
    );
  });
});
