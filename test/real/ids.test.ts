/** Ids in a whole TCGCSV tree, which is not part of the repository. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { compareExternalIds } from '../../src/domain/ids.ts';
import { choosePublicIds, fittingIds } from '../../src/ingest/identity/public-ids.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { openFolder, type Tree } from '../../src/sources/io/tree.ts';
import { openStore } from '../../src/store/connect.ts';
import { editTree, seededRandom, shuffle } from '../support/edited-tree.ts';
import { createDatabase } from '../support/engines.ts';
import { importTree, readTree } from '../support/tcgcsv.ts';

const TREE = new URL('../../../shared/data/tcgcsv', import.meta.url).pathname;

describe('ids in a whole tree', () => {
  let tree: Tree;
  let groups: readonly ReadGroup[] = [];

  before(async () => {
    tree = await openFolder(TREE);
    groups = (await readTree(tree)).map(({ set, cards }) => {
      return { set, cards: cards === 'unchanged' ? [] : cards };
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

  test('are those of an import with all files reversed', async () => {
    const { location, remove } = await createDatabase('SQLite');
    const store = await openStore(location);
    try {
      await importTree(
        store,
        editTree(tree, (entries) => entries.toReversed()),
      );
      const rows = await store.db
        .selectFrom('card_external_ids')
        .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
        .select(['external_id', 'public_id'])
        .execute();
      const ids = new Map(rows.map((row) => [row.external_id, row.public_id]));
      assert.deepEqual(ids, chooseAll(groups));
    } finally {
      await store.close();
      await remove();
    }
  });
});

type ReadGroup = Pick<Group, 'set'> & { readonly cards: Exclude<Group['cards'], 'unchanged'> };

/** The public ids that an import of these groups gives, by product id. */
function chooseAll(groups: readonly ReadGroup[]): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const sorted = groups.toSorted((a, b) => compareExternalIds(a.set.externalId, b.set.externalId));
  for (const { set, cards } of sorted) {
    const chosen = choosePublicIds(set, cards, taken);
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
    id: fittingIds(set, [card])[0] ?? '',
  }));
}

/** The cards whose fitting id fits others, too, in their sets. */
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
