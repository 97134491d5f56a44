import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { Statistics } from '../../src/ingest/import.ts';
import type { NextRowIds } from '../../src/store/catalogue/catalogue.ts';
import { upsertCards, upsertSets } from '../../src/store/catalogue/catalogue.ts';
import type { StoredCard, StoredSet } from '../../src/store/catalogue/records.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine, type TestStore } from '../support/engines.ts';

const SET: StoredSet = {
  rowId: 1,
  id: 'mtg-alpha',
  game: 'mtg',
  code: 'LEA',
  name: 'Alpha',
  releaseDate: null,
  revision: 1,
};

/** Adds so many cards, as an import does. */
async function addCards(store: Store, nextIds: NextRowIds, count: number): Promise<void> {
  const cards = Array.from({ length: count }, (_, index): StoredCard => {
    const rowId = nextIds.card + index;
    return {
      rowId,
      id: `mtg-lea-${rowId}`,
      setRowId: 1,
      name: `Card ${rowId}`,
      number: null,
      rarity: null,
      image: null,
      revision: 1,
    };
  });
  nextIds.card += count;
  await upsertCards(store, store.db, cards);
}

/** How many cards PostgreSQL believes there to be; -1 when it has no statistics. */
async function believedCards({ db }: TestStore): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    select reltuples::int4 as count from pg_class where oid = 'cards'::regclass`.execute(db);
  return rows[0]?.count;
}

forEachEngine((label, open) => {
  // SQLite plans without statistics.
  if (label === 'SQLite') return;
  describe('Statistics of tables that an import fills', () => {
    async function fill(counts: readonly number[]): Promise<TestStore> {
      const store = await open();
      await upsertSets(store, store.db, [SET]);
      const nextIds = { set: 2, card: 1, printing: 1 };
      const statistics = new Statistics(store, nextIds);
      for (const count of counts) {
        await addCards(store, nextIds, count);
        await statistics.keepUp();
      }
      return store;
    }

    it('are gathered again whenever there are four times as many cards', async () => {
      const store = await fill([600, 1200, 700, 100]);
      assert.equal(await believedCards(store), 2500);
    });

    it('are left as they are while there are few cards', async () => {
      const store = await fill([400]);
      assert.equal(await believedCards(store), -1);
    });
  });
});
