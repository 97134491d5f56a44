import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Catalog } from '../../src/catalog/catalog.ts';
import { nameProgram } from '../../src/catalog/program.ts';
import { SnapshotFile } from '../../src/catalog/snapshot-file.ts';
import { SnapshotKeeper } from '../../src/catalog/snapshot-keeper.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { SavedIndex } from '../../src/search/index.ts';
import { openStarter } from '../../src/sources/starter.ts';
import type { Store } from '../../src/store/connect.ts';
import { eventually } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { assertSameCatalog } from '../support/same-catalog.ts';

const STARTER = new URL('../../data/starter/', import.meta.url);
const PROGRAM = 'a'.repeat(40);
const CHECK_MS = 5;

/** A place for a snapshot, and what was dropped there. */
class Shelf {
  readonly path: string;
  readonly dropped: string[] = [];

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'cardprice-snapshot-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    this.path = join(folder, 'cards.db-snapshot');
  }

  file(program = PROGRAM): SnapshotFile {
    return new SnapshotFile({
      path: this.path,
      program,
      onDrop: (reason) => this.dropped.push(reason),
    });
  }

  /** Starts a catalogue as a process does. */
  async start(store: Store, file = this.file()): Promise<Catalog> {
    const catalog = new Catalog(store, { snapshot: file });
    await catalog.refresh();
    return catalog;
  }

  async save(catalog: Catalog): Promise<void> {
    assert.equal(await this.file().write(catalog.publication.id, indexOf(catalog)), true);
  }
}

function indexOf({ search }: Catalog): SavedIndex {
  const steps = search.save();
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

function unwatched(error: unknown): never {
  throw error;
}

forEachEngine((_label, open) => {
  it('A start from a snapshot is a start from the database', async () => {
    const store = await open();
    await importSnapshot(store, await openStarter(STARTER), { clock: Date.now });
    const shelf = new Shelf();
    const fresh = await shelf.start(store);
    await shelf.save(fresh);
    const started = await shelf.start(store);
    assert.equal(started.search.version, 0);
    assertSameCatalog(started, fresh, { every: 10 });
    assert.deepEqual(shelf.dropped, []);
  });

  it('Prices, new cards and new names of later publications are served', async () => {
    const store = await open();
    const market = new Market(store, { limits: null });
    const shelf = new Shelf();
    await market.lists('2026-01-20', { '1 Normal': 3, '2 Normal': 2 });
    await shelf.save(await shelf.start(store));
    await market.lists('2026-01-21', { '1 Normal': 4, '2 Foil': 7, '3 Normal': 5 });
    await store.db
      .updateTable('cards')
      .set({ name: 'Charizard', number: '4/102' })
      .where('name', '=', 'Card 2')
      .execute();
    const started = await shelf.start(store);
    assertSameCatalog(started, await shelf.start(store, new Shelf().file()));
    assert.equal(started.cardCount, 3);
    assert.ok(started.search.version > 0);
    assert.deepEqual(shelf.dropped, []);
  });

  it('A snapshot of another database is dropped', async () => {
    const [one, other] = [await open(), await open()];
    const shelf = new Shelf();
    await new Market(one).lists('2026-01-20', { '1 Normal': 3, '2 Normal': 2 });
    await shelf.save(await shelf.start(one));
    await new Market(other).lists('2026-01-20', { '1 Normal': 3 });
    const started = await shelf.start(other);
    assertSameCatalog(started, await new Shelf().start(other));
    assert.deepEqual(shelf.dropped, ['The index has a card that is not there.']);
    assert.equal(existsSync(shelf.path), false);
  });
});

describe('a snapshot that does not fit', () => {
  const shelf = new Shelf();
  const made = { publication: 'seventh', saved: undefined as SavedIndex | undefined };

  /** What reading gives after something was done to the file. */
  async function droppedAfter(spoil: (path: string) => void, program?: string): Promise<string[]> {
    made.saved ??= indexOf(new Catalog({} as Store));
    rmSync(shelf.path, { recursive: true, force: true });
    await shelf.file().write(made.publication, made.saved);
    spoil(shelf.path);
    shelf.dropped.length = 0;
    assert.equal(shelf.file(program).read(), undefined);
    return [...shelf.dropped];
  }

  it('is dropped when another program made it', async () => {
    assert.deepEqual(await droppedAfter(() => {}, 'b'.repeat(40)), [
      'Another version of the program made it.',
    ]);
    assert.equal(existsSync(shelf.path), false);
  });

  it('is dropped when any byte of it is another', async () => {
    let length = 1;
    for (let at = 0; at < length; at += 13) {
      const reasons = await droppedAfter((path) => {
        const bytes = readFileSync(path);
        length = bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        writeFileSync(path, bytes);
      });
      assert.deepEqual(reasons, ['It is damaged.']);
    }
    assert.ok(length > 200);
  });

  it('is dropped when it is cut off anywhere, or empty', async () => {
    for (const length of [0, 1, 31, 32, 33, 128, 160, 200]) {
      const reasons = await droppedAfter((path) => {
        writeFileSync(path, readFileSync(path).subarray(0, length));
      });
      assert.deepEqual(reasons, ['It is damaged.']);
    }
  });

  it('is dropped when others may have written it', async () => {
    for (const mode of [0o620, 0o602, 0o666]) {
      const reasons = await droppedAfter((path) => chmodSync(path, mode));
      assert.deepEqual(reasons, ['Others than the user of this process can write to it.']);
    }
  });

  it('is dropped when it is a link, and what the link leads to stays', async () => {
    const elsewhere = `${shelf.path}-elsewhere`;
    const reasons = await droppedAfter((path) => {
      renameSync(path, elsewhere);
      symlinkSync(elsewhere, path);
    });
    assert.match(reasons.join(), /ELOOP/);
    assert.equal(existsSync(elsewhere), true);
    assert.equal(existsSync(shelf.path), false);
  });

  it('is dropped when it is not a file', async () => {
    const reasons = await droppedAfter((path) => {
      rmSync(path);
      mkdirSync(path);
    });
    assert.deepEqual(reasons, ['It is not a file.']);
  });

  it('is nothing to speak of when it is not there', async () => {
    assert.deepEqual(await droppedAfter((path) => rmSync(path)), []);
  });
});

describe('writing a snapshot', () => {
  const saved = indexOf(new Catalog({} as Store));

  it('makes a file that only its owner can read, under any umask', async () => {
    const shelf = new Shelf();
    const umask = process.umask(0);
    await shelf
      .file()
      .write('first', saved)
      .finally(() => process.umask(umask));
    assert.equal(statSync(shelf.path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(shelf.path, '..')), ['cards.db-snapshot']);
  });

  it('is left to the process that is doing it', async () => {
    const shelf = new Shelf();
    writeFileSync(`${shelf.path}.new`, 'half');
    assert.equal(await shelf.file().write('first', saved), false);
    assert.equal(existsSync(shelf.path), false);
  });

  it('is done again when the process that did it was killed', async () => {
    const shelf = new Shelf();
    writeFileSync(`${shelf.path}.new`, 'half');
    utimesSync(`${shelf.path}.new`, 1, 1);
    assert.equal(await shelf.file().write('first', saved), false);
    assert.equal(await shelf.file().write('first', saved), true);
  });

  it('that fails leaves the last one, and nothing else', async () => {
    const shelf = new Shelf();
    await shelf.file().write('first', saved);
    const broken = { ...saved, formTexts: [1n] as never };
    await assert.rejects(shelf.file().write('second', broken));
    assert.equal(await shelf.file().has('first'), true);
    assert.deepEqual(readdirSync(join(shelf.path, '..')), ['cards.db-snapshot']);
  });
});

forEachEngine((_label, open) => {
  /** A process that serves: its catalogue, and what keeps its index. */
  async function serve(shelf: Shelf, store: Store) {
    const catalog = await shelf.start(store);
    const keeper = new SnapshotKeeper(catalog, shelf.file(), unwatched);
    keeper.start(CHECK_MS);
    after(() => keeper.close());
    return { catalog, keeper };
  }

  it('A serving process saves its index, and again after new cards, but not after new prices', async () => {
    const store = await open();
    const market = new Market(store, { limits: null });
    const shelf = new Shelf();
    await market.lists('2026-01-20', { '1 Normal': 3 });
    const { catalog, keeper } = await serve(shelf, store);
    await eventually(() => shelf.file().has(catalog.publication.id));
    const { id: first } = catalog.publication;
    await market.lists('2026-01-21', { '1 Normal': 4 });
    await catalog.refresh();
    await sleep(20 * CHECK_MS);
    assert.equal(await shelf.file().has(first), true);
    await market.lists('2026-01-22', { '1 Normal': 4, '2 Normal': 4 });
    await catalog.refresh();
    await eventually(() => shelf.file().has(catalog.publication.id));
    await keeper.close();
    const started = await shelf.start(store);
    assert.equal(started.search.version, 0);
    assertSameCatalog(started, await new Shelf().start(store));
  });

  it('Of several processes one saves each publication', async () => {
    const store = await open();
    const shelf = new Shelf();
    await new Market(store).lists('2026-01-20', { '1 Normal': 3, '2 Foil': 4 });
    const first = await serve(shelf, store);
    await eventually(() => shelf.file().has(first.catalog.publication.id));
    const { ino } = statSync(shelf.path);
    const second = await serve(shelf, store);
    await sleep(20 * CHECK_MS);
    assert.equal(statSync(shelf.path).ino, ino);
    await first.keeper.close();
    await second.keeper.close();
  });
});

it('A process that ends while it saves leaves no file behind', async () => {
  const shelf = new Shelf();
  const catalog = { publication: { id: 'first' }, search: { version: 1, save: () => forever() } };
  const keeper = new SnapshotKeeper(catalog as never, shelf.file(), unwatched);
  keeper.start(1);
  await sleep(20);
  await keeper.close();
  assert.deepEqual(readdirSync(join(shelf.path, '..')), []);
});

it('An index that cannot be saved is reported once, and the process continues', async () => {
  const shelf = new Shelf();
  rmSync(join(shelf.path, '..'), { recursive: true });
  const errors: unknown[] = [];
  const search = { version: 1, save: () => indexOf(new Catalog({} as Store)) };
  const catalog = {
    publication: { id: 'first' },
    search: { ...search, save: () => once(search.save()) },
  };
  const keeper = new SnapshotKeeper(catalog as never, shelf.file(), (error) => errors.push(error));
  keeper.start(1);
  await sleep(50);
  await keeper.close();
  assert.equal(errors.length, 1);
});

it('A program is named by its code', () => {
  assert.match(nameProgram(), /^[0-9a-f]{40}$/);
  assert.equal(nameProgram(), nameProgram());
});

function* forever(): Generator<undefined, SavedIndex> {
  for (;;) yield;
}

// biome-ignore lint/correctness/useYield: an index without cards is saved in one step
function* once(saved: SavedIndex): Generator<undefined, SavedIndex> {
  return saved;
}
