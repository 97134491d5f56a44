import type { Tree } from '../../src/sources/io/tree.ts';

/** One entry of a file of a TCGCSV tree: a group, a product or a price. */
export type TreeEntry = Readonly<Record<string, unknown>>;

/** Returns the replacement entries for a file. The path ends as in `3/604/prices`. */
export type EditTree = (entries: readonly TreeEntry[], path: string) => readonly TreeEntry[];

/** Returns a tree whose files are edited as they are read. */
export function editTree(tree: Tree, edit: EditTree): Tree {
  return {
    ...tree,
    async read(path, etag) {
      const file = await tree.read(path, etag);
      if (file.kind !== 'found' || !path.startsWith('tcgplayer/')) return file;
      const content = JSON.parse(Buffer.from(file.bytes).toString()) as { results: TreeEntry[] };
      const results = edit(content.results, path);
      const text = JSON.stringify({ ...content, totalItems: results.length, results });
      return { ...file, bytes: Buffer.from(text) };
    },
  };
}

/**
 * Returns a generator of pseudorandom numbers from 0 to 1, which are the same for the same seed.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns the items in random order. */
export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
