import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { GAMES } from '../../src/domain/games.ts';
import {
  importSnapshot,
  type SnapshotImportOptions,
  type SnapshotSummary,
} from '../../src/ingest/drivers/snapshot.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { openFolder, type Tree } from '../../src/sources/io/tree.ts';
import { openTcgcsv, readLastUpdated } from '../../src/sources/tcgcsv/read.ts';
import type { Store } from '../../src/store/connect.ts';

/** The moment of the tests: a year after the fixture was observed. */
export const NOW = Date.parse('2027-01-28T12:00:00Z');

/** A small excerpt of real groups of all games, in the layout of TCGCSV. */
export const FIXTURE = 'test/fixtures/tcgcsv';

/** Cards and sets of the fixture, by game. */
export const FIXTURE_COUNTS: Readonly<Record<string, readonly [cards: number, sets: number]>> = {
  pokemon: [16, 4],
  pokemonjp: [12, 2],
  mtg: [9, 2],
  yugioh: [12, 1],
  lorcana: [6, 1],
  onepiece: [5, 1],
  swu: [3, 1],
  fab: [5, 1],
};

export const FIXTURE_CARDS = sum(Object.values(FIXTURE_COUNTS).map(([cards]) => cards));

/** A booster pack and code cards. */
export const FIXTURE_PRODUCTS = 5;
export const FIXTURE_SETS = sum(Object.values(FIXTURE_COUNTS).map(([, sets]) => sets));

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

interface File {
  results: Record<string, unknown>[];
}

/** A copy of the fixture that a test may change. Removed when the test ends. */
export class TreeCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'cardprice-tree-'));

  constructor() {
    cpSync(FIXTURE, this.folder, { recursive: true });
    after(() => rmSync(this.folder, { recursive: true }));
  }

  /** Sets the time of the tree's last update. */
  observed(moment: string): this {
    writeFileSync(join(this.folder, 'last-updated.txt'), moment);
    return this;
  }

  write(path: string, content: string | Uint8Array): this {
    writeFileSync(join(this.folder, 'tcgplayer', path), content);
    return this;
  }

  remove(path: string): this {
    rmSync(join(this.folder, 'tcgplayer', path));
    return this;
  }

  /** Changes the results of one file. */
  edit(path: string, change: (results: Record<string, unknown>[]) => void): this {
    const file = join(this.folder, 'tcgplayer', path);
    const content = JSON.parse(readFileSync(file, 'utf8')) as File;
    change(content.results);
    writeFileSync(file, JSON.stringify(content));
    return this;
  }
}

/** Imports a folder or an open tree like the command. */
export async function importTree(
  store: Store,
  source: string | Tree,
  options: Partial<SnapshotImportOptions> = {},
): Promise<SnapshotSummary> {
  const tree = typeof source === 'string' ? await openFolder(source) : source;
  const observedAt = await readLastUpdated(tree, NOW);
  const snapshot = await openTcgcsv(tree, { games: GAMES, observedAt });
  return importSnapshot(store, snapshot, { clock: () => NOW, ...options });
}

/** Opens a database, and imports the fixture into it. */
export async function withTree<Opened extends Store>(open: () => Promise<Opened>): Promise<Opened> {
  const store = await open();
  await importTree(store, FIXTURE);
  return store;
}

/** Returns all readable groups of a tree, as an import reads them. */
export async function readTree(tree: Tree): Promise<Group[]> {
  const snapshot = await openTcgcsv(tree, { games: GAMES, observedAt: NOW });
  const groups: Group[] = [];
  for await (const outcome of snapshot.groups(() => undefined)) {
    if (outcome.kind === 'read') groups.push(outcome.group);
  }
  return groups;
}
