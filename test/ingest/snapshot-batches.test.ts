import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { PriceFigures } from '../../src/domain/price.ts';
import { batchesOf } from '../../src/ingest/drivers/batches.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { Group, GroupOutcome, SourceCard } from '../../src/sources/contract/snapshot.ts';
import type { Database } from '../../src/store/catalogue/schema.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';

const DAY = 86_400_000;
const FIRST = Date.parse('2026-01-28T20:05:12Z');

function card(externalId: string, name = `Card ${externalId}`): SourceCard {
  return { externalId, name, number: externalId, rarity: null, image: null };
}

function group(set: string, cards: readonly SourceCard[], more: Partial<Group> = {}): Group {
  const described = { game: 'mtg', code: set, name: set, releaseDate: null } as const;
  return {
    idSpace: 'shop',
    set: { externalId: set, ...described },
    observedAt: FIRST,
    cards,
    listings: [],
    skipped: {},
    files: [],
    ...more,
  };
}

function read(one: Group): GroupOutcome {
  return { kind: 'read', group: one };
}

async function* each(outcomes: readonly GroupOutcome[]): AsyncGenerator<GroupOutcome> {
  yield* outcomes;
}

/** The batches of groups, by the names of their sets. */
async function batched(
  groups: readonly Group[] | AsyncIterable<GroupOutcome>,
  itemsAtOnce?: number,
): Promise<string[][]> {
  const outcomes = Array.isArray(groups) ? each(groups.map(read)) : groups;
  const found: string[][] = [];
  for await (const batch of batchesOf(outcomes as AsyncIterable<GroupOutcome>, itemsAtOnce)) {
    found.push(batch.map((one) => (one.kind === 'read' ? one.group.set.name : one.name)));
  }
  return found;
}

describe('The batches of a snapshot', () => {
  it('have whole groups, and end once they are large enough', async () => {
    const groups = ['a', 'b', 'c', 'd', 'e'].map((set, at) => group(set, [card(`${at}`)]));
    assert.deepEqual(await batched(groups, 4), [['a', 'b'], ['c', 'd'], ['e']]);
    assert.deepEqual(await batched(groups, 1), [['a'], ['b'], ['c'], ['d'], ['e']]);
    assert.deepEqual(await batched(groups), [['a', 'b', 'c', 'd', 'e']]);
    assert.deepEqual(await batched([]), []);
  });

  it('count the earlier days of listings', async () => {
    const prices = { market: null, low: null, mid: null, high: null };
    const earlierDays = Array.from({ length: 9 }, (_, day) => ({ day: day as Day, ...prices }));
    const listings = [{ externalId: '1', printing: 'Normal', prices, earlierDays }];
    const groups = [group('a', [], { listings }), group('b', [])];
    assert.deepEqual(await batched(groups, 11), [['a'], ['b']]);
    assert.deepEqual(await batched(groups, 12), [['a', 'b']]);
  });

  it('end before a set, a card or an id space that they cannot take', async () => {
    const [one, other] = [group('a', [card('1')]), group('a', [card('2')])];
    assert.deepEqual(await batched([one, other]), [['a'], ['a']]);
    const moved = group('b', [card('1')]);
    assert.deepEqual(await batched([one, moved, group('c', [])]), [['a'], ['b', 'c']]);
    const foreign = group('b', [card('2')], { idSpace: 'other' });
    assert.deepEqual(await batched([one, foreign]), [['a'], ['b']]);
  });

  it('have what was read before the source failed', async () => {
    async function* failing(): AsyncGenerator<GroupOutcome> {
      yield read(group('a', [card('1')]));
      throw new Error('power cut');
    }
    const batches = batchesOf(failing());
    assert.equal((await batches.next()).value?.length, 1);
    await assert.rejects(batches.next(), /power cut/);
  });
});

const SETS = ['Alpha', 'Beta', 'Gamma'];

function usd(cents: number): PriceFigures {
  const price = cents as Cents;
  return { market: price, low: price, mid: price, high: price };
}

const prices = fc.integer({ min: 1, max: 5000 }).map(usd);

/** A group of a few cards that other groups may have too, and their prices. */
const groups = fc
  .record({
    set: fc.constantFrom(...SETS),
    code: fc.constantFrom('X', 'Y'),
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 4 }),
    names: fc.array(fc.constantFrom('Forest', 'Island'), { minLength: 4, maxLength: 4 }),
    isKnown: fc.boolean(),
    priced: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), prices), { maxLength: 4 }),
  })
  .map(({ set, code, ids, names, isKnown, priced }) => {
    const cards = ids.map((id, at) => ({ ...card(String(id), names[at]), number: '1' }));
    const listings = new Map(priced.map(([id, listed]) => [String(id), listed]));
    return group(set, isKnown ? ('unchanged' as never) : cards, {
      set: { externalId: set, game: 'mtg', code, name: `Set ${code}`, releaseDate: null },
      listings: [...listings].map(([externalId, listed]) => {
        return { externalId, printing: 'Normal', prices: listed };
      }),
      files: [{ path: set, digest: code, etag: null }],
    });
  });

const TABLES: readonly (keyof Database)[] = [
  ...(['sets', 'set_external_ids', 'cards', 'card_external_ids', 'printings'] as const),
  ...(['observations', 'history_recent', 'source_files', 'catalog_state'] as const),
];

async function contentOf(store: Store): Promise<unknown> {
  const all = TABLES.map(async (table) => {
    const rows = await store.db.selectFrom(table).selectAll().execute();
    return [table, rows.map((row) => JSON.stringify(row)).sort()];
  });
  return Object.fromEntries(await Promise.all(all));
}

/** The group as another source gives it, with its own ids. */
function ofStarter({ cards, listings, ...rest }: Group): Group {
  const renamed = <Named extends { externalId: string }>(one: Named) => {
    return { ...one, externalId: `starter-${one.externalId}` };
  };
  const described = cards === 'unchanged' ? cards : cards.map(renamed);
  return { ...rest, idSpace: 'starter', cards: described, listings: listings.map(renamed) };
}

async function importDays(
  store: Store,
  days: readonly (readonly Group[])[],
  itemsAtOnce: number,
): Promise<void> {
  for (const [index, all] of days.entries()) {
    const observedAt = FIRST + index * DAY;
    const snapshot = {
      source: index === 0 ? 'starter' : 'tcgcsv',
      games: ['mtg'],
      marketplace: 'tcgplayer',
      observedAt,
      groupCount: all.length,
      groups: () => {
        const given = index === 0 ? all.map(ofStarter) : all;
        return each(given.map((one) => read({ ...one, observedAt })));
      },
    } as const;
    await importSnapshot(store, snapshot, { clock: () => observedAt, limits: null, itemsAtOnce });
  }
}

/** A set with a card, as a source describes it. */
function setOf(externalId: string, code: string): Group {
  const set = { externalId, game: 'mtg', code, name: `Set ${code}`, releaseDate: null } as const;
  return group(externalId, [card(externalId)], { set });
}

forEachEngine((label, open) => {
  test('sets of two sources with one id and one name have different setIds', async () => {
    const store = await open();
    const first = [setOf('Gamma', 'X'), setOf('Alpha', 'X'), setOf('Alpha', 'Y')];
    await importDays(store, [first, [setOf('Beta', 'X'), setOf('Alpha', 'X')]], 2);
    const sets = await store.db.selectFrom('sets').select('public_set_id').execute();
    assert.deepEqual(sets.map((set) => set.public_set_id).sort(), [
      'mtg-set-x',
      'mtg-set-x--alpha',
      'mtg-set-x--shop-alpha',
    ]);
  });

  for (const [order, itemsAtOnce] of [
    [['Alpha', 'Gamma'], 1],
    [['Gamma', 'Alpha'], 1],
    [['Gamma', 'Alpha'], 2000],
  ] as const) {
    const how = `${order.join(' before ')}, ${itemsAtOnce} at once`;
    test(`a card that moves to a new set without a price loses its price: ${how}`, async () => {
      const store = await open();
      const listings = [{ externalId: '1', printing: 'Normal', prices: usd(500) }];
      const before = group('Gamma', [card('1')], { listings });
      const after = { Alpha: group('Alpha', [card('1')]), Gamma: group('Gamma', []) };
      await importDays(store, [[], [before], order.map((set) => after[set])], itemsAtOnce);
      const printings = await store.db.selectFrom('printings').select(['market']).execute();
      assert.deepEqual(printings, [{ market: null }]);
    });
  }

  test('a snapshot is imported alike in batches of any size', async () => {
    const days = fc.array(fc.array(groups, { maxLength: 5 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 2, max: 40 }), async (all, itemsAtOnce) => {
        const [single, batch] = [await open(), await open()];
        await importDays(single, all, 1);
        await importDays(batch, all, itemsAtOnce);
        assert.deepEqual(await contentOf(batch), await contentOf(single));
      }),
      { numRuns: label === 'SQLite' ? 15 : 3, endOnFailure: true },
    );
  });
});
