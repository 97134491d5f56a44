import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { Catalog } from '../../src/catalog/catalog.ts';
import { clear, insertRows, partsOf } from '../../src/store/backup/tables.ts';
import { readPublication } from '../../src/store/catalogue/publications.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';
import { Killed, killedAfter, withSteps } from '../support/failing-store.ts';
import { importListings, type Listings, listings } from '../support/listings.ts';
import { assertSameCatalog, plainCard } from '../support/same-catalog.ts';

/** The catalogue of a process that starts now. */
async function started(store: Store): Promise<Catalog> {
  const catalog = new Catalog(store);
  await catalog.refresh();
  return catalog;
}

/** Imports as a process that is killed before its transaction `last + 1`, if it has so many. */
async function importKilled(store: Store, day: number, listed: Listings, last: number) {
  await importListings(killedAfter(store, last), day, listed).catch((error) => {
    if (!(error instanceof Killed)) throw error;
  });
}

/** Everything that a catalogue serves, as one text that does not depend on the order of loading. */
function contentsOf(catalog: Catalog): string {
  const cards = [...catalog.cards()].sort((a, b) => a.rowId - b.rowId);
  const ids = cards.map((card) =>
    catalog
      .externalIds(card)
      .map(({ id }) => id)
      .sort(),
  );
  return JSON.stringify([catalog.publication, cards.map(plainCard), ids, catalog.sets()]);
}

/** All rows of the catalogue's tables. */
async function dump(store: Store): Promise<Map<string, Record<string, unknown>[]>> {
  const [{ db, tables }] = partsOf(store) as [ReturnType<typeof partsOf>[number]];
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const table of tables) rows.set(table, await db.selectFrom(table).selectAll().execute());
  return rows;
}

/** Puts a dump in the place of what there is, as a failover to an older standby does. */
async function restore(store: Store, rows: Awaited<ReturnType<typeof dump>>): Promise<void> {
  const [part] = partsOf(store) as [ReturnType<typeof partsOf>[number]];
  await part.db.transaction().execute(async (transaction) => {
    await clear(part, transaction);
    for (const [table, some] of rows) await insertRows(transaction, table, some);
  });
}

/**
 * Returns listings with one card as another list has it, or without the first card, so that a
 * process keeps what it serves.
 */
function withOneCardOf({ cards }: Listings, kept: Listings): Listings {
  const [lasting, first] = [cards.find(({ externalId }) => externalId === '90'), kept.cards[0]];
  const others = cards.length % 2 === 0 ? kept.cards : kept.cards.filter((card) => card !== first);
  return {
    ...kept,
    cards: others.map((card) => (card.externalId === '90' ? lasting : card) ?? card),
  };
}

forEachEngine((_label, open) => {
  it('A process that starts after killed imports serves exactly what was published', async () => {
    const imports = fc.array(fc.tuple(listings, fc.integer({ min: 0, max: 5 })), {
      minLength: 1,
      maxLength: 4,
    });
    const store = await open();
    let day = 0;
    await fc.assert(
      fc.asyncProperty(listings, imports, async (first, killed) => {
        await importListings(store, day++, first);
        const before = await started(store);
        const { id } = before.publication;
        for (const [listed, last] of killed) {
          await importKilled(store, day++, listed, last);
          const now = await started(store);
          // An import of few changes may have been done before it would have been killed.
          if (now.publication.id !== id) break;
          assertSameCatalog(now, before);
        }
        await before.refresh();
        await importListings(store, day++, first);
        assert.equal(await before.refresh(), true);
        assert.equal(contentsOf(before), contentsOf(await started(store)));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('A process that loads while others import and are killed loads one publication', async () => {
    const store = await open();
    let day = 0;
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), listings, fc.nat(8)), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(listings, listings, steps, async (first, second, during) => {
        await importListings(store, day++, first);
        const [behind, loading] = [await started(store), { statement: 0 }];
        await importListings(store, day++, second);
        const expected = await started(store);
        const stepped = withSteps(store, async () => {
          const due = during.filter(([at]) => at === loading.statement);
          loading.statement += 1;
          for (const [, listed, last] of due) await importKilled(store, day++, listed, last);
        });
        assertSameCatalog(await started(stepped), expected);
        loading.statement = 0;
        await behind.refresh();
        assert.equal(contentsOf(behind), contentsOf(await started(store)));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('After a failover that lost a publication, a process serves the next one and no mixture', async () => {
    const store = await open();
    let day = 0;
    await fc.assert(
      fc.asyncProperty(listings, listings, listings, fc.boolean(), async (kept, a, b, isAlike) => {
        const lost = isAlike ? withOneCardOf(a, kept) : a;
        const next = isAlike ? withOneCardOf(b, kept) : b;
        await importListings(store, day++, kept);
        const rows = await dump(store);
        await importListings(store, day, lost);
        const seen = new Set<string>();
        const catalog = new Catalog(
          withSteps(store, async () => void seen.add(contentsOf(catalog))),
        );
        await catalog.refresh();
        const { revision } = catalog.publication;
        const served = contentsOf(catalog);
        await restore(store, rows);
        await importListings(store, day++, next);
        const expected = await started(store);
        assert.equal(expected.publication.revision, revision);

        seen.clear();
        let isLoading = true;
        const loading = catalog.refresh().finally(() => {
          isLoading = false;
        });
        while (isLoading) {
          seen.add(contentsOf(catalog));
          await tick();
        }
        assert.equal(await loading, true);
        assertSameCatalog(catalog, expected);
        assert.deepEqual([...seen].slice(0, 1), [served]);
        assert.ok([...seen].slice(1).every((contents) => contents === contentsOf(expected)));
        assert.equal(await catalog.refresh(), false);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('A process follows a database that is older than what it serves, and one that is empty', async () => {
    const store = await open();
    const empty = await dump(store);
    const [one, two] = fc.sample(listings, { numRuns: 2, seed: 1 }) as [Listings, Listings];
    await importListings(store, 0, one);
    const older = await dump(store);
    const expected = await started(store);
    await importListings(store, 1, two);
    const catalog = await started(store);
    await restore(store, older);
    assert.equal(await catalog.refresh(), true);
    assertSameCatalog(catalog, expected);
    await restore(store, empty);
    assert.equal(await catalog.refresh(), true);
    assert.equal(catalog.ready, false);
  });

  it('A publication names the one before it, and only the newest are remembered', async () => {
    const store = await open();
    const [listed] = fc.sample(listings, { numRuns: 1, seed: 1 }) as [Listings];
    const ids: string[] = [];
    for (let day = 0; day < 3; day += 1) {
      ids.push((await readPublication(store.db)).id);
      await importListings(store, day, listed);
    }
    const rows = await store.db
      .selectFrom('publications')
      .selectAll()
      .orderBy('revision')
      .execute();
    assert.deepEqual(
      rows.map(({ predecessor }) => predecessor),
      [null, ...ids],
    );
    assert.equal(new Set(rows.map(({ id }) => id)).size, 4);
    await store.db
      .updateTable('publications')
      .set({ revision: 4 - 100_000 })
      .where('revision', '=', 1)
      .execute();
    await importListings(store, 3, listed);
    const kept = await store.db
      .selectFrom('publications')
      .select('revision')
      .orderBy('revision')
      .execute();
    assert.deepEqual(
      kept.map(({ revision }) => revision),
      [0, 2, 3, 4],
    );
  });

  it('What an import has overwritten is forgotten when it publishes', async () => {
    const store = await open();
    const [one, two] = fc.sample(listings, { numRuns: 2, seed: 1 }) as [Listings, Listings];
    await importListings(store, 0, one);
    await importKilled(store, 1, two, 3);
    const kept = () => store.db.selectFrom('superseded_printings').selectAll().execute();
    assert.notEqual((await kept()).length, 0);
    await importListings(store, 1, two);
    assert.equal((await kept()).length, 0);
  });
});
