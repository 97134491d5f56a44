import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PageRequest, pageOf } from '../../src/http/v1/page-cursor.ts';
import { type Caller, importFixtures, Service, shareService } from '../support/app.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { importListings, type Listings, listings } from '../support/listings.ts';
import { bodyOf, problemOf } from './expect.ts';

interface Listed {
  readonly id?: string;
  readonly setId: string;
  readonly printing?: string | null;
}
interface Page {
  readonly data: readonly Listed[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly nextCursor?: string | null;
}

interface RelatedPage {
  readonly data: {
    readonly others: readonly { readonly id: string }[];
    readonly nextCursor?: string | null;
  };
}

/** What distinguishes the results of any list. */
const nameOf = ({ id, setId, printing }: Listed) => `${id ?? setId} ${printing ?? ''}`;

/** Reads all pages by cursor, with `meanwhile` after each of them. */
async function walk(caller: Caller, url: string, meanwhile = async () => {}): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = bodyOf<Page>(await caller.get(`${url}&cursor=${cursor}`));
    assert.equal(page.offset, names.length);
    names.push(...page.data.map(nameOf));
    assert.notEqual(page.nextCursor, undefined);
    cursor = page.nextCursor ?? null;
    await meanwhile();
  }
  return names;
}

/** Fails unless `walked` has nothing twice, and everything that each of `lists` has. */
function assertComplete(walked: readonly string[], lists: readonly (readonly string[])[], of = '') {
  assert.equal(new Set(walked).size, walked.length, `${of} has something twice`);
  const [first = [], ...others] = lists.map((list) => new Set(list));
  const lasting = [...first].filter((name) => others.every((list) => list.has(name)));
  const seen = new Set(walked);
  assert.deepEqual(
    lasting.filter((name) => !seen.has(name)),
    [],
    `${of} misses something`,
  );
}

const LISTS = [
  '/v1/search?q=lob&limit=5',
  '/v1/search?q=lob&sort=price_desc&limit=5',
  '/v1/search?q=pack&kind=product&limit=1',
  '/v1/cards/search?q=charizard&limit=1&include=printings',
  '/v1/sets?limit=3&sort=value',
  '/v1/sets/mtg-ninth-edition/cards?sort=name&limit=3',
  '/v1/products?limit=2',
];

forEachEngine((label) => {
  const shared = shareService(label);

  describe('Pages by cursor', () => {
    it('have the same results as pages by offset, in the same order', async () => {
      const caller = await shared.service.caller('trader');
      for (const url of LISTS) {
        const all = bodyOf<Page>(await caller.get(url.replace(/limit=\d/, 'limit=100')));
        assert.ok(all.total > 1, url);
        assert.deepEqual(await walk(caller, url), all.data.map(nameOf), url);
      }
    });

    it('link to the first and the next page, as nextCursor says', async () => {
      const caller = await shared.service.caller('free');
      const first = await caller.get('/v1/sets?limit=3&cursor=&api_key=x');
      const { nextCursor } = bodyOf<Page>(first);
      assert.equal(
        first.headers.link,
        '</v1/sets?limit=3&cursor=>; rel="first", ' +
          `</v1/sets?limit=3&cursor=${nextCursor}>; rel="next"`,
      );
      const last = await caller.get('/v1/sets?limit=200&cursor=');
      assert.equal(bodyOf<Page>(last).nextCursor, null);
      assert.equal(last.headers.link, '</v1/sets?limit=200&cursor=>; rel="first"');
    });

    it('may change their size, and cost a request each', async () => {
      const caller = await shared.service.caller('free');
      const { nextCursor, data } = bodyOf<Page>(await caller.get('/v1/sets?limit=3&cursor='));
      const rest = bodyOf<Page>(await caller.get(`/v1/sets?limit=200&cursor=${nextCursor}`));
      assert.equal(rest.offset, 3);
      assert.equal(rest.data.length, rest.total - 3);
      assert.ok(!rest.data.some(({ setId }) => setId === data[0]?.setId));
      const { headers } = await caller.get('/v1/sets?limit=3');
      assert.equal(headers['x-ratelimit-remaining'], '197');
    });

    it('are refused with an offset, and with a cursor that is damaged or of another list', async () => {
      const caller = await shared.service.caller('free');
      const { nextCursor } = bodyOf<Page>(await caller.get('/v1/search?q=lob&limit=2&cursor='));
      for (const url of [
        `/v1/search?q=lob&cursor=${nextCursor}x`,
        `/v1/search?q=lob&cursor=${String(nextCursor).slice(0, -2)}`,
        `/v1/search?q=opt&cursor=${nextCursor}`,
        `/v1/search?q=lob&game=mtg&cursor=${nextCursor}`,
        `/v1/search?q=lob&kind=product&cursor=${nextCursor}`,
        `/v1/sets?cursor=${nextCursor}`,
        '/v1/products?cursor=20',
        `/v1/movers?cursor=${'A'.repeat(8000)}`,
      ]) {
        const message = problemOf(await caller.get(url), 'cursor');
        assert.match(message, /is not a cursor of this list\. Send the nextCursor/, url);
        assert.ok(message.length < 300);
      }
      const both = await caller.get('/v1/sets?cursor=&offset=3');
      assert.equal(problemOf(both, 'offset'), 'Leave it out: cursor has the place.');
      const long = await caller.get(`/v1/sets?cursor=${'A'.repeat(8001)}`);
      assert.match(problemOf(long, 'cursor'), /0 to 8000 characters/);
    });

    it('work for related cards, whose page is inside of data', async () => {
      const caller = await shared.service.caller('free');
      const url = '/v1/cards/mtg-9ed-forest-347/related?limit=1';
      const others: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const answer = await caller.get(`${url}&cursor=${cursor}`);
        const { data }: RelatedPage = bodyOf<RelatedPage>(answer);
        others.push(...data.others.map(({ id }) => id));
        assert.equal(answer.headers.link, undefined);
        cursor = data.nextCursor ?? null;
      }
      const all = bodyOf<RelatedPage>(await caller.get(url.replace('limit=1', 'limit=50')));
      assert.ok(others.length > 1);
      assert.deepEqual(
        others,
        all.data.others.map(({ id }) => id),
      );
    });

    it('have a hint only on the first page', async () => {
      const caller = await shared.service.caller('free');
      const url = '/v1/search?q=base+set+booster+pack&limit=1&cursor=';
      const first = bodyOf<Page & { hint?: unknown }>(await caller.get(url));
      assert.ok(first.hint && first.nextCursor);
      const next = bodyOf<Page & { hint?: unknown }>(await caller.get(url + first.nextCursor));
      assert.equal(next.hint, undefined);
    });
  });

  it('Pages by cursor stay true when an import changes all prices', async () => {
    const caller = await shared.service.caller('trader');
    const all = async (url: string) => {
      const page = bodyOf<Page>(await caller.get(url.replace(/limit=\d/, 'limit=100')));
      return page.data.map(nameOf);
    };
    let day = 0;
    const publish = async () => {
      day += 1;
      await importFixtures(shared.location, {
        observedAt: Date.UTC(2026, 0, 29, 1, day),
        change(path, text) {
          if (!path.endsWith('prices')) return text;
          return text.replace(/"marketPrice": \d+/g, () => `"marketPrice": ${(day * 7919) % 83}`);
        },
      });
      await shared.service.catalog.refresh();
    };
    for (const url of LISTS.slice(0, 2)) {
      const lists = [await all(url)];
      const walked = await walk(caller, url, async () => {
        await publish();
        lists.push(await all(url));
      });
      assertComplete(walked, lists, url);
    }
  });

  it('Pages by cursor stay true over any publications of any catalogue', async () => {
    const { location, remove } = await createDatabase(label);
    const service = await Service.open(location);
    const caller = await service.caller('business');
    let day = 0;
    const publish = async (next: Listings | undefined) => {
      if (!next) return;
      await importListings(service.store, day, next);
      day += 1;
      await service.catalog.refresh();
    };
    const listed = async (url: string) => {
      return bodyOf<Page>(await caller.get(`${url}&limit=100`)).data.map(nameOf);
    };
    await publish(fc.sample(listings, { numRuns: 1, seed: 1 })[0]);
    const { setId } = bodyOf<Page>(await caller.get('/v1/sets')).data[0] ?? assert.fail();
    const urls = fc.constantFrom(
      '/v1/search?q=bolt',
      '/v1/search?q=opt&sort=price_asc',
      '/v1/search?q=opt&sort=name&rarity=common',
      '/v1/search?q=common&min_price=10',
      '/v1/sets?sort=value',
      `/v1/sets/${setId}/cards?sort=price_desc`,
      '/v1/movers?window=1d&min=0',
    );
    const publications = fc.array(listings, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        urls,
        fc.integer({ min: 1, max: 4 }),
        publications,
        async (url, size, all) => {
          const waiting = all.values();
          const lists = [await listed(url)];
          const walked = await walk(caller, `${url}&limit=${size}`, async () => {
            await publish(waiting.next().value);
            lists.push(await listed(url));
          });
          assertComplete(walked, lists, url);
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
    await service.close();
    await remove();
  });
});

/** A result of a list that changes. */
interface Changing {
  readonly rowId: number;
  readonly price: number;
}

describe('A long list', () => {
  const rowIdOf = ({ rowId }: Changing) => rowId;
  /** A list in the order of prices, which a seed decides together with which results it has. */
  const listOf = (size: number, seed: number): Changing[] => {
    const all = Array.from({ length: size }, (_, index) => {
      return { rowId: index + 1, price: ((index + 1) * (seed * 2 + 7919)) % 1009 };
    });
    return all.filter(({ price }) => price % 17 !== seed % 17).sort((a, b) => a.price - b.price);
  };
  const namesOf = (list: readonly Changing[]) => list.map(({ rowId }) => String(rowId));

  it('stays true over changes of anything, in the order of the list and beyond', () => {
    const seeds = fc.array(fc.nat(1000), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 50, max: 300 }),
        seeds,
        (size, limit, all) => {
          const lists: string[][] = [];
          const walked: string[] = [];
          let step = 0;
          for (let cursor: string | null = ''; cursor !== null; step += 1) {
            const list = listOf(size + step, all[step % all.length] ?? 0);
            lists.push(namesOf(list));
            const request: PageRequest = { query: { limit, offset: 0, cursor } };
            const { page, place } = pageOf('x', request, list, rowIdOf);
            assert.equal(place.offset, walked.length);
            walked.push(...namesOf(page));
            assert.ok(page.length === limit || !place.nextCursor);
            cursor = place.nextCursor ?? null;
            assert.ok((cursor ?? '').length < 4000);
          }
          assertComplete(walked, lists);
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('has about its first thousand results in its order', () => {
    const list = listOf(4000, 1);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const request: PageRequest = { query: { limit: 100, offset: 0, cursor } };
      const { page, place } = pageOf('x', request, list, rowIdOf);
      walked.push(...namesOf(page));
      cursor = place.nextCursor ?? null;
    }
    assert.deepEqual(walked.slice(0, 1000), namesOf(list).slice(0, 1000));
    const rest = walked.slice(1000).map(Number);
    assert.deepEqual(
      rest,
      rest.toSorted((a, b) => a - b),
    );
  });
});
