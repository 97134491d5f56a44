import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openFolder, type Tree } from '../../../src/sources/io/tree.ts';
import { openStore, type Store } from '../../../src/store/connect.ts';
import {
  type EditTree,
  editTree,
  seededRandom,
  shuffle,
  type TreeEntry,
} from '../../support/edited-tree.ts';
import { createDatabase } from '../../support/engines.ts';
import { FIXTURE, FIXTURE_CARDS, FIXTURE_PRODUCTS, importTree } from '../../support/tcgcsv.ts';

/** A younger set of Base Set's code, and the numbers by which its ids are higher. */
const TWIN = 90_604;
const OFFSET = 90_000;

/** The fixture with a second Base Set of the same code, and each of its cards listed twice. */
const WITH_TWINS: EditTree = (entries, path) => {
  if (path === 'tcgplayer/3/groups') return [...entries, ...entries.flatMap(twinOfGroup)];
  if (path.endsWith('/604/products')) return [...entries, ...entries.map(later(1))];
  return entries;
};

function twinOfGroup(group: TreeEntry): TreeEntry[] {
  return group.groupId === 604 ? [{ ...group, groupId: TWIN, name: 'Base-Set' }] : [];
}

function later(times: number) {
  return (entry: TreeEntry) => ({ ...entry, productId: Number(entry.productId) + times * OFFSET });
}

/** The tree with twins: the younger Base Set has the files of the older one, with later ids. */
async function openTwins(): Promise<Tree> {
  const tree = editTree(await openFolder(FIXTURE), WITH_TWINS);
  const younger = editTree(tree, (entries) => entries.map(later(2)));
  return {
    ...tree,
    read: (path, etag) => {
      const isTwin = path.includes(`/${TWIN}/`);
      return isTwin ? younger.read(path.replace(`/${TWIN}/`, '/604/'), etag) : tree.read(path);
    },
  };
}

/** The tree without one group. */
function without(tree: Tree, group: number): Tree {
  return editTree(tree, (entries, path) => {
    const isList = path.endsWith('/groups');
    return isList ? entries.filter(({ groupId }) => groupId !== group) : entries;
  });
}

interface Ids {
  /** SetIds, by group id. */
  readonly sets: Readonly<Record<string, string>>;
  /** Public ids of cards, by product id. */
  readonly cards: Readonly<Record<string, string>>;
}

/** Imports trees one after the other into an empty database; returns the ids that they got. */
async function idsAfter(...trees: readonly Tree[]): Promise<Ids> {
  const { location, remove } = await createDatabase('SQLite');
  const store = await openStore(location);
  try {
    for (const tree of trees) await importTree(store, tree);
    return await readIds(store);
  } finally {
    await store.close();
    await remove();
  }
}

async function readIds({ db }: Store): Promise<Ids> {
  const cards = await db
    .selectFrom('card_external_ids')
    .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
    .select(['external_id', 'public_id'])
    .execute();
  const sets = await db
    .selectFrom('set_external_ids')
    .innerJoin('sets', 'sets.id', 'set_external_ids.set_id')
    .select(['external_id', 'public_set_id as public_id'])
    .execute();
  const byExternalId = (rows: typeof cards) => {
    return Object.fromEntries(rows.map((row) => [row.external_id, row.public_id]));
  };
  return { sets: byExternalId(sets), cards: byExternalId(cards) };
}

describe('ids do not depend on', () => {
  let twins: Tree;
  let expected: Ids;

  before(async () => {
    twins = await openTwins();
    expected = await idsAfter(twins);
  });

  test('the order of groups, products and prices in their files', async () => {
    const productsAndTwins = FIXTURE_PRODUCTS + 5 + 10;
    assert.equal(Object.keys(expected.cards).length, FIXTURE_CARDS + productsAndTwins);
    assert.equal(expected.sets['604'], 'pokemon-base-set');
    assert.equal(expected.sets[TWIN], `pokemon-base-set--${TWIN}`);
    assert.equal(expected.cards['42382'], 'pokemon-bs-charizard-004');
    assert.equal(expected.cards['132382'], 'pokemon-bs-charizard-004--132382');
    assert.equal(expected.cards['222382'], 'pokemon-bs-charizard-004--222382');
    for (let seed = 1; seed <= 20; seed++) {
      const random = seededRandom(seed);
      const shuffled = editTree(twins, (entries) => shuffle(entries, random));
      assert.deepEqual(await idsAfter(shuffled), expected, `seed ${seed}`);
    }
  });

  test('when older sets and cards were imported, where younger ones come later', async () => {
    const older = without(twins, TWIN);
    const few = editTree(older, (entries) =>
      entries.filter(({ productId }) => productId === undefined || Number(productId) < OFFSET),
    );
    assert.deepEqual(await idsAfter(few, older, twins), expected);
  });

  test('where a younger set came first, except for cards that an older one also has', async () => {
    const younger = without(twins, 604);
    const ids = await idsAfter(younger, twins);
    assert.deepEqual(
      [ids.sets['604'], ids.sets[TWIN]],
      ['pokemon-base-set--604', 'pokemon-base-set'],
    );
    assert.equal(ids.cards['222382'], 'pokemon-bs-charizard-004');
    assert.equal(ids.cards['42382'], 'pokemon-bs-charizard-004--42382');
    const differing = Object.keys(expected.cards).filter((card) => {
      return ids.cards[card] !== expected.cards[card];
    });
    assert.deepEqual(differing.length, 10, 'the first of each five on both sides');
  });
});

test('ids stay when their source renames the card and the set', async () => {
  const tree = await openFolder(FIXTURE);
  const renamed = editTree(tree, (entries) =>
    entries.map((entry) => ({ ...entry, ...(entry.name !== undefined && { name: 'X' }) })),
  );
  assert.deepEqual(await idsAfter(tree, renamed), await idsAfter(tree));
});
