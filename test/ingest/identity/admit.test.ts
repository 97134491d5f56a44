import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Millis } from '../../../src/domain/day.ts';
import { importSnapshot } from '../../../src/ingest/drivers/snapshot.ts';
import type { Group, SourceCard } from '../../../src/sources/contract/snapshot.ts';
import { openStore, type Store } from '../../../src/store/connect.ts';
import { createDatabase, forEachEngine } from '../../support/engines.ts';

const OBSERVED: Millis = Date.parse('2026-01-28T20:05:12Z');

function card(externalId: string, name: string, number: string | null = '1'): SourceCard {
  return { externalId, name, number, rarity: null, image: null };
}

function group(idSpace: string, cards: readonly SourceCard[]): Group {
  const set = {
    externalId: 'g1',
    game: 'mtg',
    code: 'LEA',
    name: 'Alpha',
    releaseDate: null,
  } as const;
  return { idSpace, set, observedAt: OBSERVED, cards, listings: [], skipped: {}, files: [] };
}

async function importGroups(store: Store, ...groups: readonly Group[]): Promise<void> {
  const snapshot = {
    source: 'test',
    games: ['mtg'],
    marketplace: 'test',
    observedAt: OBSERVED,
    groupCount: groups.length,
    async *groups() {
      for (const one of groups) yield { kind: 'read', group: one } as const;
    },
  } as const;
  await importSnapshot(store, snapshot, { clock: () => OBSERVED });
}

async function publicIdsByExternalId(
  store: Store,
  source: string,
): Promise<Record<string, string>> {
  const rows = await store.db
    .selectFrom('card_external_ids')
    .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
    .where('id_space', '=', source)
    .select(['external_id', 'public_id'])
    .execute();
  return Object.fromEntries(rows.map((row) => [row.external_id, row.public_id]));
}

forEachEngine((_label, open) => {
  test('the oldest of the cards that one public id fits gets it, the others get one with their external ids', async () => {
    const store = await open();
    await importGroups(
      store,
      group('shop', [card('10', 'Forest'), card('9', 'Forest'), card('100', 'Forest')]),
    );
    assert.deepEqual(await publicIdsByExternalId(store, 'shop'), {
      9: 'mtg-lea-forest-1',
      10: 'mtg-lea-forest-1--10',
      100: 'mtg-lea-forest-1--100',
    });
  });

  test('a suffix never makes the public id that fits another card', async () => {
    const store = await open();
    const cards = [card('1', 'Forest', null), card('2', 'Forest', null), card('3', 'Forest', '2')];
    await importGroups(store, group('shop', cards));
    const ids = await publicIdsByExternalId(store, 'shop');
    assert.equal(ids[3], 'mtg-lea-forest-2');
    assert.equal(ids[2], 'mtg-lea-forest--2');
  });

  test('a later card never takes a public id that was given before', async () => {
    const store = await open();
    await importGroups(store, group('shop', [card('5', 'Forest')]));
    await importGroups(store, group('shop', [card('5', 'Forest'), card('1', 'Forest')]));
    assert.deepEqual(await publicIdsByExternalId(store, 'shop'), {
      5: 'mtg-lea-forest-1',
      1: 'mtg-lea-forest-1--1',
    });
  });

  test('a card of one source is recognised when another source lists it', async () => {
    const store = await open();
    await importGroups(store, group('starter', [card('a', 'Forest'), card('b', 'Island', '2')]));
    await importGroups(store, group('shop', [card('1', 'Forest'), card('2', 'Island', '2')]));
    assert.deepEqual(await publicIdsByExternalId(store, 'shop'), {
      1: 'mtg-lea-forest-1',
      2: 'mtg-lea-island-2',
    });
    const sets = await store.db.selectFrom('sets').selectAll().execute();
    assert.equal(sets.length, 1);
  });

  test('cards of one name and number are recognised by their rarity', async () => {
    const store = await open();
    const both = (keys: readonly [string, string]) => [
      { ...card(keys[0], 'Forest'), rarity: 'Common' },
      { ...card(keys[1], 'Forest'), rarity: 'Ghost Rare' },
    ];
    await importGroups(store, group('starter', both(['a', 'b'])));
    await importGroups(store, group('shop', both(['2', '1'])));
    assert.deepEqual(
      await publicIdsByExternalId(store, 'shop'),
      await publicIdsByExternalId(store, 'starter').then((ids) => ({
        2: ids.a,
        1: ids.b,
      })),
    );
  });

  test('a set follows its source when that renames it, and keeps its id and code', async () => {
    const store = await open();
    const first = group('shop', [card('1', 'Forest')]);
    await importGroups(store, first);
    const renamed = { code: 'LEA2', name: 'Limited Edition Alpha', releaseDate: '1993-08-05' };
    await importGroups(store, { ...first, set: { ...first.set, ...renamed } });
    const sets = await store.db
      .selectFrom('sets')
      .select(['public_set_id', 'code', 'name', 'release_date'])
      .execute();
    assert.deepEqual(sets, [
      {
        public_set_id: 'mtg-alpha',
        code: 'LEA',
        name: 'Limited Edition Alpha',
        release_date: '1993-08-05',
      },
    ]);
  });

  test('a card of another set with the same code is a new card', async () => {
    const store = await open();
    await importGroups(store, group('starter', [card('a', 'Forest')]));
    const other = group('shop', [card('1', 'Forest')]);
    await importGroups(store, {
      ...other,
      set: { ...other.set, externalId: 'g2', name: 'Alpha Reprinted' },
    });
    assert.deepEqual(await publicIdsByExternalId(store, 'shop'), { 1: 'mtg-lea-forest-1--1' });
  });

  test('an oversized card is named so when it is next imported, and keeps its id', async () => {
    const store = await open();
    const listed = group('shop', [card('1', 'Charizard', '4'), card('2', 'Mew - Jumbo Card', '5')]);
    const jumbos = { ...listed, set: { ...listed.set, name: 'Jumbo Cards' } };
    await importGroups(store, listed);
    await importGroups(store, jumbos);
    const { db } = store;
    const cards = await db
      .selectFrom('cards')
      .select(['name', 'public_id'])
      .orderBy('id')
      .execute();
    assert.deepEqual(cards, [
      { name: 'Charizard (Jumbo)', public_id: 'mtg-lea-charizard-4' },
      { name: 'Mew - Jumbo Card', public_id: 'mtg-lea-mew-jumbo-card-5' },
    ]);
  });

  test('two cards that could both be the known one are both new', async () => {
    const store = await open();
    await importGroups(store, group('starter', [card('a', 'Forest')]));
    await importGroups(store, group('shop', [card('1', 'Forest'), card('2', 'Forest')]));
    assert.deepEqual(Object.values(await publicIdsByExternalId(store, 'shop')).sort(), [
      'mtg-lea-forest-1--1',
      'mtg-lea-forest-1--2',
    ]);
  });
});

test('public ids do not depend on the order in which a source lists its cards', async () => {
  const names = fc.constantFrom('Forest', 'Island', 'Forest 2');
  const cards = fc
    .array(fc.tuple(names, fc.constantFrom('1', '2', null)), { minLength: 1, maxLength: 8 })
    .map((all) => all.map(([name, number], index) => card(String(index), name, number)));
  const shuffled = cards.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ([listed, reordered]) => {
      assert.deepEqual(await idsOfFreshImport(listed), await idsOfFreshImport(reordered));
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

async function idsOfFreshImport(cards: readonly SourceCard[]): Promise<Record<string, string>> {
  const { location, remove } = await createDatabase('SQLite');
  const store = await openStore(location);
  try {
    await importGroups(store, group('shop', cards));
    return await publicIdsByExternalId(store, 'shop');
  } finally {
    await store.close();
    await remove();
  }
}
