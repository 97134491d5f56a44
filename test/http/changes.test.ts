import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Card } from '../../src/domain/card.ts';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import { type Cents, dollarsFromCents } from '../../src/domain/money.ts';
import { WAITS_PER_ACCOUNT } from '../../src/http/publication-waits.ts';
import type { Change } from '../../src/http/v1/change-view.ts';
import { type Caller, Service } from '../support/app.ts';
import { eventually } from '../support/cli.ts';
import type { ChangesPage } from '../support/copied-rows.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { importListings, type Listings, listings } from '../support/listings.ts';
import { type Prices, publishPrices } from '../support/publish-prices.ts';
import { bodyOf, errorOf } from './expect.ts';

const NO_PRICES = { market: null, low: null, mid: null, high: null, conditions: {}, graded: {} };

/** A service with the catalogue of a first day. */
async function serving(label: EngineLabel, first: Listings) {
  const { location, remove } = await createDatabase(label);
  const service = await Service.open(location);
  let day = 0;
  const publish = async (listed: Listings) => {
    await importListings(service.store, day, listed);
    day += 1;
    await service.catalog.refresh();
    service.now = service.catalog.publication.publishedAt ?? assert.fail();
  };
  await publish(first);
  const reprice = async (prices: readonly Prices[]) => {
    await publishPrices(service.store, prices, service.now);
    await service.catalog.refresh();
  };
  const close = async () => {
    await service.close();
    await remove();
  };
  return { service, location, caller: await service.caller('business'), publish, reprice, close };
}

const read = async (caller: Caller, query = '') => {
  return bodyOf<ChangesPage>(await caller.get(`/v1/changes${query}`));
};

type Figures = Record<string, number>;
interface KeptCard {
  readonly description: object;
  /** Figures by name, by printing; a figure that is null is not there. */
  readonly prices: Record<string, Figures>;
}

/** The cards and sets of a catalogue by id. */
interface Kept {
  readonly cards: ReadonlyMap<string, KeptCard>;
  readonly sets: ReadonlyMap<string, object>;
}

/** A client that keeps the cards and sets of the catalogue by its changes. */
class Client {
  readonly cards: Map<string, KeptCard>;
  readonly sets: Map<string, object>;
  cursor: string;

  constructor(cursor: string, { cards, sets }: Kept) {
    this.cursor = cursor;
    this.cards = structuredClone(new Map(cards));
    this.sets = new Map(sets);
  }

  /** Applies a page; returns whether there are more. Checks the old values if `isExact`. */
  async step(caller: Caller, limit: number, isExact: boolean): Promise<boolean> {
    const page = await read(caller, `?since=${this.cursor}&limit=${limit}`);
    assert.ok(page.data.length <= limit);
    for (const change of page.data) this.#apply(change, isExact);
    this.cursor = page.nextCursor;
    return page.more;
  }

  async catchUp(caller: Caller, limit: number, isExact: boolean): Promise<void> {
    for (let pages = 0; await this.step(caller, limit, isExact); pages += 1) {
      assert.ok(pages < 1000, 'the feed ends');
    }
  }

  #apply(change: Change, isExact: boolean): void {
    const { id, name, game, setId, number, rarity, image } = change;
    if (change.type === 'set') {
      const known = this.sets.get(id) as { name?: string } | undefined;
      if (isExact && change.oldName) assert.equal(known?.name, change.oldName);
      this.sets.set(id, { name, game, code: change.code, releaseDate: change.releaseDate });
      return;
    }
    const description = { name, game, setId, number, rarity, image };
    const known = this.cards.get(id);
    if (change.type === 'added') {
      assert.ok(!known || !isExact, `${id} is new`);
      const printings = (change.printings ?? []).map((own) => [own.name, flat(own.prices)]);
      const prices = Object.fromEntries(printings);
      this.cards.set(id, { description, prices });
      return;
    }
    assert.ok(known, `${id} is known`);
    if (change.type === 'changed') {
      this.cards.set(id, { ...known, description });
      return;
    }
    const prices = known.prices[change.printing ?? ''] ?? {};
    const [before, after] = [flat(change.old, true), flat(change.new, true)];
    assert.deepEqual(Object.keys(before).sort(), Object.keys(after).sort());
    for (const [figure, amount] of Object.entries(before)) {
      if (isExact) assert.equal(prices[figure] ?? null, amount, `${id} ${figure}`);
    }
    known.prices[change.printing ?? ''] = flat({ ...prices, ...after });
  }
}

/** Puts conditions and grades among the figures; leaves out what is null unless `withNull`. */
function flat(figures: object = {}, withNull = false): Figures {
  const entries = Object.entries(figures).flatMap(([name, value]) => {
    return typeof value === 'object' && value !== null ? Object.entries(value) : [[name, value]];
  });
  return Object.fromEntries(entries.filter(([, amount]) => withNull || amount !== null));
}

function keptOf({ name, set, number, rarity, image, printings }: Card): KeptCard {
  const prices = printings.map((printing) => {
    const { market, low, mid, high, conditions, graded } = printing.prices;
    const cents = flat({ market, low, mid, high, conditions, graded });
    const amounts = Object.entries(cents).map(([key, one]) => {
      return [key, dollarsFromCents(one as Cents)];
    });
    return [printing.name, Object.fromEntries(amounts)];
  });
  const description = { name, game: set.game, setId: set.id, number, rarity, image };
  return { description, prices: Object.fromEntries(prices) };
}

function served({ catalog }: Service): Kept {
  const sets = catalog.sets().map(({ set: { id, name, game, code, releaseDate } }) => {
    return [id, { name, game, code, releaseDate }] as const;
  });
  const cards = [...catalog.cards()].map((card) => [card.id, keptOf(card)] as const);
  return { cards: new Map(cards), sets: new Map(sets) };
}

function sorted({ cards, sets }: Kept) {
  const all: (readonly [string, object])[] = [...cards, ...sets];
  return all.sort(([one], [other]) => (one < other ? -1 : 1));
}

type Serving = Awaited<ReturnType<typeof serving>>;

/** Publishes each step; returns a client of each publication before. */
async function follow(
  { service, caller, publish, reprice }: Serving,
  all: readonly Step[],
  isBetweenPages: boolean,
): Promise<Client[]> {
  const clients: Client[] = [];
  for (const step of all) {
    clients.push(new Client((await read(caller)).nextCursor, served(service)));
    await ('listed' in step ? publish(step.listed) : reprice(step.prices));
    // The oldest client reads some pages of one publication and some of the next.
    if (isBetweenPages) await clients[0]?.step(caller, step.limit, false);
  }
  return clients;
}

const cents = fc.option(fc.integer({ min: 1, max: 4 })) as fc.Arbitrary<Cents | null>;
const amount = fc.integer({ min: 1, max: 3 }) as fc.Arbitrary<Cents>;
const repriced: fc.Arbitrary<Prices[]> = fc.array(
  fc.record({
    market: cents,
    low: cents,
    mid: cents,
    high: cents,
    conditions: fc.record({ near_mint: amount, damaged: amount }, { requiredKeys: [] }),
    graded: fc.record({ psa_10: amount, any_9: amount }, { requiredKeys: [] }),
  }),
  { maxLength: 4 },
);
const limit = fc.integer({ min: 1, max: 5 });
const step = fc.oneof(
  fc.record({ listed: listings, limit }),
  fc.record({ prices: repriced, limit }),
);
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;
const steps = fc.array(step, { minLength: 1, maxLength: 6 });
/** More new cards than one page has. */
const LARGE: Listings = {
  names: ['Limited Alpha', 'Beta', 'Unlimited'],
  cards: Array.from({ length: 30 }, (_, index) => ({
    externalId: String(100 + index),
    set: index % 3,
    name: `Card ${index}`,
    number: String(index),
    rarity: 'Common',
    market: 100 + index,
  })),
};
const FIRST = fc.sample(listings, { numRuns: 1, seed: 1 })[0] ?? assert.fail();

forEachEngine((label) => {
  describe('GET /v1/changes', () => {
    it('brings every client from any cursor to the cards and prices that are served', async () => {
      const shared = await serving(label, FIRST);
      const { service, caller, close } = shared;
      await fc.assert(
        fc.asyncProperty(steps, fc.boolean(), async (all, isBetweenPages) => {
          const clients = await follow(shared, all, isBetweenPages);
          for (const [index, client] of clients.entries()) {
            await client.catchUp(caller, (index % 5) + 1, index > 0 || !isBetweenPages);
            assert.deepEqual(sorted(client), sorted(served(service)));
            assert.equal(await client.step(caller, 1, true), false);
          }
        }),
        { numRuns: 12, endOnFailure: true },
      );
      await close();
    });

    it('has old and new figures of a printing once, however often it changed', async () => {
      const { caller, reprice, close } = await serving(label, FIRST);
      const priced = { ...NO_PRICES, conditions: { damaged: 4 as Cents } };
      await reprice([{ ...priced, market: 100 as Cents, low: 50 as Cents }]);
      const { nextCursor: since } = await read(caller);
      await reprice([{ ...priced, market: 200 as Cents, low: 50 as Cents }]);
      const graded = { psa_10: 900 as Cents };
      await reprice([{ ...NO_PRICES, market: 300 as Cents, low: 50 as Cents, graded }]);
      const { data, nextCursor } = await read(caller, `?since=${since}`);
      assert.deepEqual(
        data.map(({ id: _, ...change }) => change),
        [
          {
            type: 'price',
            printing: 'Normal',
            old: { market: 1, conditions: { damaged: 0.04 }, graded: { psa_10: null } },
            new: { market: 3, conditions: { damaged: null }, graded: { psa_10: 9 } },
          },
        ],
      );
      assert.deepEqual((await read(caller, `?since=${nextCursor}`)).data, []);
      assert.deepEqual((await read(caller, `?since=${since}&game=pokemon`)).data, []);
      assert.equal((await read(caller, `?since=${since}&game=mtg`)).data.length, 1);
      await close();
    });

    it('waits for the next change of the game, and costs one request', async () => {
      const { service, caller, reprice, close } = await serving(label, FIRST);
      const { nextCursor: since } = await read(caller);
      const { publicationWaits } = service;
      const waiting = read(caller, `?since=${since}&wait=30`);
      const other = read(caller, `?since=${since}&game=pokemon&wait=1`);
      await eventually(async () => publicationWaits.size === 2);
      await reprice([{ ...NO_PRICES, market: 7 as Cents }]);
      assert.equal((await waiting).data[0]?.new?.market, 0.07);
      const page = await other;
      assert.deepEqual([page.data, page.more], [[], false]);
      assert.notEqual(page.nextCursor, since);
      const answer = await caller.get(`/v1/changes?since=${page.nextCursor}&wait=1`);
      assert.equal(
        answer.headers['x-ratelimit-remaining'],
        String(Number(answer.headers['x-ratelimit-limit']) - 4),
      );
      assert.equal(publicationWaits.size, 0);
      assert.ok(!service.log.some((line) => line.includes('slow request')));
      await close();
    });

    it('answers at once with changes, without a cursor, and beyond a number of waits', async () => {
      const { service, caller, reprice, close } = await serving(label, FIRST);
      const { nextCursor: since } = await read(caller, '?wait=30');
      const { publicationWaits } = service;
      const waits = Array.from({ length: WAITS_PER_ACCOUNT }, () => {
        return read(caller, `?since=${since}&wait=30`);
      });
      await eventually(async () => publicationWaits.size === WAITS_PER_ACCOUNT);
      assert.deepEqual((await read(caller, `?since=${since}&wait=30`)).data, []);
      await reprice([{ ...NO_PRICES, market: 8 as Cents }]);
      for (const wait of waits) assert.equal((await wait).data.length, 1);
      assert.equal((await read(caller, `?since=${since}&wait=30`)).data.length, 1);
      await close();
    });

    it('ends a wait when the caller goes away, and when the process stops', async () => {
      const { service, location, caller, close } = await serving(label, FIRST);
      const { nextCursor: since } = await read(caller);
      const other = await service.another(location);
      const url = await other.app.listen({ port: 0, host: '127.0.0.1' });
      const ask = (signal?: AbortSignal) => {
        const options = { headers: { 'x-api-key': caller.key }, ...(signal && { signal }) };
        return fetch(`${url}/v1/changes?since=${since}&wait=30`, options);
      };
      const leaving = new AbortController();
      const left = assert.rejects(ask(leaving.signal));
      await eventually(async () => other.publicationWaits.size === 1);
      leaving.abort();
      await left;
      await eventually(async () => other.publicationWaits.size === 0);
      const stopped = ask();
      await eventually(async () => other.publicationWaits.size === 1);
      await other.close();
      assert.equal(((await (await stopped).json()) as ChangesPage).nextCursor, since);
      await close();
    });

    it('is a 304 after a wait without changes', { timeout: 20_000 }, async () => {
      const { service, caller, close } = await serving(label, FIRST);
      const { nextCursor: since } = await read(caller);
      const path = `/v1/changes?since=${since}&wait=1`;
      const { etag } = (await caller.get(path)).headers;
      const answer = await caller.get(path, { 'if-none-match': String(etag) });
      assert.equal(answer.statusCode, 304);
      assert.equal(service.publicationWaits.size, 0);
      await close();
    });

    it('has full pages of one game', async () => {
      const { service, caller, publish, close } = await serving(label, FIRST);
      const { nextCursor: since } = await read(caller);
      await publish(LARGE);
      const { db } = service.store;
      // As if every other card were of another game.
      await db
        .updateTable('changes')
        .set({ game: 'lorcana' })
        .where(sql`card_id % 2`, '=', 0)
        .execute();
      const { revision } = service.catalog.publication;
      await db.insertInto('changed_games').values({ revision, game: 'lorcana' }).execute();
      const all = await read(caller, `?since=${since}&limit=1000`);
      const found: object[] = [];
      for (const game of ['mtg', 'lorcana']) {
        for (let [cursor, more] = [since, true]; more; ) {
          const page = await read(caller, `?since=${cursor}&game=${game}&limit=4`);
          assert.ok(page.data.length === 4 || !page.more, `${page.data.length} of ${game}`);
          found.push(...page.data);
          [cursor, more] = [page.nextCursor, page.more];
        }
      }
      assert.ok(all.data.length > 20);
      assert.deepEqual(
        found.map((one) => JSON.stringify(one)).sort(),
        all.data.map((one) => JSON.stringify(one)).sort(),
      );
      await close();
    });

    it('answers 410 to a cursor that is too old or of another database', async () => {
      const { service, caller, reprice, close } = await serving(label, FIRST);
      const { nextCursor: since } = await read(caller);
      const [revision, id = ''] = since.split('.');
      const other = `${revision}.${id.replace(/^./, id.startsWith('0') ? '1' : '0')}`;
      const expired = async (cursor: string) => {
        errorOf(await caller.get(`/v1/changes?since=${cursor}`), 'CURSOR_EXPIRED');
      };
      await expired(other);
      await expired(`${Number(revision) + 1}.${id}`);
      await reprice([{ ...NO_PRICES, market: 5 as Cents }]);
      service.now += 30 * MS_PER_DAY;
      assert.equal((await read(caller, `?since=${since}`)).data.length, 1);
      service.now += 1;
      await expired(since);
      const { nextCursor } = await read(caller);
      await reprice([{ ...NO_PRICES, market: 6 as Cents }]);
      const { length } = await service.store.db.selectFrom('changes').selectAll().execute();
      assert.equal(length, 1);
      assert.equal((await read(caller, `?since=${nextCursor}`)).data.length, 1);
      await close();
    });

    it('answers 410 where a clock that was ahead has deleted changes', async () => {
      const { service, caller, reprice, close } = await serving(label, FIRST);
      const { nextCursor: since } = await read(caller);
      await reprice([{ ...NO_PRICES, market: 5 as Cents }]);
      const { nextCursor: later } = await read(caller);
      service.now += 31 * MS_PER_DAY;
      await reprice([{ ...NO_PRICES, market: 6 as Cents }]);
      service.now -= 31 * MS_PER_DAY;
      errorOf(await caller.get(`/v1/changes?since=${since}`), 'CURSOR_EXPIRED');
      assert.equal((await read(caller, `?since=${later}`)).data.length, 1);
      await close();
    });

    it('answers 410 after a publication by an older version, which records no changes', async () => {
      const { service, caller, reprice, close } = await serving(label, FIRST);
      const { nextCursor: since } = await read(caller);
      await reprice([{ ...NO_PRICES, market: 5 as Cents }]);
      await service.store.db.updateTable('publications').set({ has_changes: null }).execute();
      errorOf(await caller.get(`/v1/changes?since=${since}`), 'CURSOR_EXPIRED');
      const { nextCursor } = await read(caller);
      await reprice([{ ...NO_PRICES, market: 6 as Cents }]);
      assert.equal((await read(caller, `?since=${nextCursor}`)).data.length, 1);
      await close();
    });

    it('refuses what is not a cursor', async () => {
      const { caller, close } = await serving(label, FIRST);
      const long = '9'.repeat(30);
      for (const since of [
        'x',
        '1',
        `${long}.12345678`,
        '1.12345678.2',
        `1.12345678.2.x.1.1.1.1`,
      ]) {
        const error = errorOf(await caller.get(`/v1/changes?since=${since}`), 'INVALID_PARAMETER');
        assert.equal(error.details?.[0]?.parameter, 'since');
      }
      errorOf(await caller.get('/v1/changes?limit=1001'), 'INVALID_PARAMETER');
      await close();
    });

    it('asks to retry on a node that has not loaded the publication of the cursor', async () => {
      const { service, location, caller, reprice, close } = await serving(label, FIRST);
      const behind = await service.another(location);
      await reprice([{ ...NO_PRICES, market: 5 as Cents }]);
      const { nextCursor } = await read(caller);
      const answer = await caller.at(behind).get(`/v1/changes?since=${nextCursor}`);
      errorOf(answer, 'SERVICE_UNAVAILABLE');
      assert.equal(answer.headers['retry-after'], '1');
      await behind.catalog.refresh();
      assert.deepEqual((await read(caller.at(behind), `?since=${nextCursor}`)).data, []);
      await behind.close();
      await close();
    });
  });
});
