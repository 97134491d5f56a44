/** What two sources say of the same real Pokémon. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CardFacts, FactsBySource } from '../../src/domain/facts.ts';
import { findGame } from '../../src/domain/games.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openPokemonTcg } from '../../src/sources/pokemontcg.ts';
import { openTcgcsv } from '../../src/sources/tcgcsv/read.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { createDatabase, type TestDatabase } from '../support/engines.ts';
import { feedOptions } from '../support/feeds.ts';
import { NOW } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const pokemon = findGame('pokemon') ?? assert.fail();

describe("facts in TCGplayer's extended data of all Pokémon", () => {
  let database: TestDatabase;
  let store: Store;
  let cards: { readonly tcgcsv: CardFacts; readonly pokemontcg: CardFacts | undefined }[] = [];

  before(async () => {
    database = await createDatabase('SQLite');
    store = await openStore(database.location);
    const clock = () => NOW;
    const tree = await openFolder(`${DATA}/tcgcsv`);
    await importSnapshot(store, await openTcgcsv(tree, { games: [pokemon], observedAt: NOW }), {
      clock,
    });
    const files = { sets: `${DATA}/pokemontcg-data/sets.en.json` };
    const feed = await openPokemonTcg(`${DATA}/pokemontcg-data`, feedOptions({ now: NOW, files }));
    await importFeed(store, feed, { clock });
    const rows = await store.db.selectFrom('card_facts').select('facts').execute();
    cards = rows.map(({ facts }) => {
      const { tcgcsv = {}, pokemontcg } = JSON.parse(facts) as FactsBySource;
      return { tcgcsv, pokemontcg };
    });
  });

  after(async () => {
    await store.close();
    await database.remove();
  });

  it('are read of 25,000 cards, and nearly all attacks as attacks', () => {
    assert.ok(cards.length > 25_000, `${cards.length}`);
    const battling = cards.filter(({ tcgcsv }) => tcgcsv.supertype === 'Pokémon' && tcgcsv.hp);
    const withAttacks = battling.filter(({ tcgcsv }) => tcgcsv.attacks);
    assert.ok(withAttacks.length > 0.98 * battling.length);
  });

  it('agree with those of the Pokémon TCG API, but for typing errors', () => {
    const both = cards.filter(({ pokemontcg }) => pokemontcg !== undefined);
    assert.ok(both.length > 750);
    const read: Readonly<Record<string, (facts: CardFacts) => unknown>> = {
      supertype: ({ supertype }) => supertype,
      types: ({ types }) => types,
      hp: ({ hp }) => hp,
      retreat: ({ retreat }) => retreat?.length,
      resistances: ({ resistances }) => resistances,
      attacks: ({ attacks }) => attacks?.map(({ cost = [] }) => cost.toSorted()),
      damage: ({ attacks }) => attacks?.map(({ damage }) => damage?.replace('-', '−')),
    };
    for (const [name, of] of Object.entries(read)) {
      const same = both.filter(({ tcgcsv, pokemontcg = {} }) => {
        return JSON.stringify(of(tcgcsv)) === JSON.stringify(of(pokemontcg));
      });
      assert.ok(same.length >= 0.96 * both.length, `${name}: ${same.length} of ${both.length}`);
    }
  });
});
