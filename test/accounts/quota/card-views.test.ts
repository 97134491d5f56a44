import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { CardViews } from '../../../src/accounts/quota/card-views.ts';
import { countCardViews } from '../../../src/accounts/quota/card-views-sql.ts';
import { type Day, dayOf, MS_PER_DAY } from '../../../src/domain/day.ts';
import { forEachEngine } from '../../support/engines.ts';
import { wire } from '../fixtures.ts';

forEachEngine((_label, open) => {
  it('adds up the requests of cards over processes and days', async () => {
    const store = await open();
    const { clock } = wire(store);
    const [one, other] = [fail, fail].map((onFailure) => {
      return new CardViews(store, clock.read, onFailure);
    });
    for (const card of ['mtg-a', 'mtg-b', 'mtg-a']) one?.count(card);
    other?.count('mtg-a');
    await Promise.all([one?.write(), other?.close()]);
    clock.now += MS_PER_DAY;
    one?.count('mtg-b');
    await one?.write();
    await one?.write();
    const today = dayOf(clock.now);
    const since = async (day: number) => {
      return [...(await countCardViews(store.accounts.db, day as Day))].sort();
    };
    assert.deepEqual(await since(today - 1), [
      ['mtg-a', 3],
      ['mtg-b', 2],
    ]);
    assert.deepEqual(await since(today), [['mtg-b', 1]]);
    clock.now += 40 * MS_PER_DAY;
    other?.count('mtg-c');
    await other?.write();
    assert.deepEqual(await since(0), [
      ['mtg-b', 1],
      ['mtg-c', 1],
    ]);
  });

  it('counts at most 20,000 cards a minute, and goes on after a failure', async () => {
    const store = await open();
    const { clock } = wire(store);
    const failures: unknown[] = [];
    const views = new CardViews(store, clock.read, (error) => failures.push(error));
    for (let i = 0; i < 20_001; i += 1) views.count(`mtg-${i}`);
    views.count('mtg-0');
    await views.write();
    const counts = await countCardViews(store.accounts.db, 0 as Day);
    assert.deepEqual([counts.size, counts.get('mtg-0')], [20_000, 2]);
    await sql`drop table card_views`.execute(store.accounts.db);
    views.count('mtg-1');
    await views.write();
    assert.match(String(failures), /card_views/);
  });
});

function fail(error: unknown): void {
  throw error;
}
