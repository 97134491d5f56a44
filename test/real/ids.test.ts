/** Ids in a whole TCGCSV tree, which is not part of the repository. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { nameInSet } from '../../src/domain/card-name.ts';
import { compareExternalIds } from '../../src/domain/ids.ts';
import { foldText } from '../../src/domain/text.ts';
import { choosePublicIds, fittingIds } from '../../src/ingest/identity/public-ids.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { openFolder, type Tree } from '../../src/sources/io/tree.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { editTree, seededRandom, shuffle } from '../support/edited-tree.ts';
import { createDatabase, type TestDatabase } from '../support/engines.ts';
import { importTree, readTree } from '../support/tcgcsv.ts';

const TREE = new URL('../../../shared/data/tcgcsv', import.meta.url).pathname;

describe('ids in a whole tree', () => {
  let tree: Tree;
  let withProducts: readonly ReadGroup[] = [];
  let groups: readonly ReadGroup[] = [];

  before(async () => {
    tree = await openFolder(TREE);
    withProducts = (await readTree(tree)).map(({ set, cards }) => {
      const listed = cards === 'unchanged' ? [] : cards;
      const named = listed.map((card) => ({ ...card, name: nameInSet(set.name, card.name) }));
      return { set, cards: named };
    });
    groups = withProducts.map(({ set, cards }) => {
      return { set, cards: cards.filter(({ product }) => product === undefined) };
    });
  });

  test('are the same in 20 orders of its sets and cards', () => {
    const expected = chooseAll(groups);
    assert.equal(expected.size, 115_772);
    assert.equal(new Set(expected.values()).size, expected.size);
    const clashing = withClashes(groups);
    assert.ok(clashing.flatMap(({ cards }) => cards).length > 12_000);
    for (let seed = 1; seed <= 20; seed++) {
      const random = seededRandom(seed);
      const shuffled = shuffle(clashing, random).map(({ set, cards }) => {
        return { set, cards: shuffle(cards, random) };
      });
      for (const [card, id] of chooseAll(shuffled)) assert.equal(id, expected.get(card));
    }
  });

  test('fit every card that shares its id with no other', () => {
    const alone = [...Map.groupBy(groups.flatMap(withFittingIds), ({ id }) => id).values()]
      .filter((sharing) => sharing.length === 1)
      .flat();
    const chosen = chooseAll(groups);
    for (const { id, card } of alone) assert.equal(chosen.get(card), id);
    assert.ok(alone.length > 103_000);
  });

  describe('after an import with all files reversed', () => {
    let database: TestDatabase;
    let store: Store;

    before(async () => {
      database = await createDatabase('SQLite');
      store = await openStore(database.location);
      await importTree(
        store,
        editTree(tree, (entries) => entries.toReversed()),
      );
    });

    after(async () => {
      await store.close();
      await database.remove();
    });

    test('are the same ids of cards and products', async () => {
      const rows = await store.db
        .selectFrom('card_external_ids')
        .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
        .select(['external_id', 'public_id'])
        .execute();
      const ids = new Map(rows.map((row) => [row.external_id, row.public_id]));
      assert.deepEqual(ids, chooseAll(withProducts));
    });

    test('are setIds that each find all cards of their set and no others', async () => {
      const catalog = new Catalog(store);
      await catalog.refresh();
      const sets = catalog.sets();
      assert.equal(new Set(sets.map(({ set }) => set.id)).size, sets.length);
      const codes = Map.groupBy(sets, ({ set }) => `${set.game} ${foldText(set.code)}`);
      assert.equal([...codes.values()].filter(({ length }) => length > 1).length, 154);
      for (const { set, cardCount } of sets) {
        const q = set.code.replaceAll(' ', '');
        const query = { q, set: set.id, sort: 'relevance', limit: 1000, offset: 0 } as const;
        const { cards, total } = catalog.search.search(query);
        assert.equal(total, cardCount, set.id);
        assert.ok(cards.every((card) => card.set.id === set.id));
      }
    });
  });
});

type ReadGroup = Pick<Group, 'set'> & { readonly cards: Exclude<Group['cards'], 'unchanged'> };

/** The public ids that an import of these groups gives, by product id. */
function chooseAll(groups: readonly ReadGroup[]): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const sorted = groups.toSorted((a, b) => compareExternalIds(a.set.externalId, b.set.externalId));
  for (const { set, cards } of sorted) {
    const chosen = choosePublicIds(fittingIds(set, cards), taken);
    for (const [card, id] of chosen) {
      ids.set(card.externalId, id);
      taken.add(id);
    }
  }
  return ids;
}

function withFittingIds({ set, cards }: ReadGroup) {
  return cards.map((card) => ({
    set,
    card: card.externalId,
    id: fittingIds(set, [card])[0]?.[1] ?? '',
  }));
}

/** Returns the cards whose id also fits other cards in their sets. */
function withClashes(groups: readonly ReadGroup[]): ReadGroup[] {
  const byId = Map.groupBy(groups.flatMap(withFittingIds), ({ id }) => id);
  const clashing = new Set(
    [...byId.values()]
      .filter(({ length }) => length > 1)
      .flat()
      .map(({ card }) => card),
  );
  return groups.map(({ set, cards }) => {
    return { set, cards: cards.filter(({ externalId }) => clashing.has(externalId)) };
  });
}
