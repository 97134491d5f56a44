/** Real files of catalogues, which are not part of the repository. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { OpenFeed } from '../../src/sources/contract/feed.ts';
import { openFabCube } from '../../src/sources/fab-cube/read.ts';
import { openPokemonTcg } from '../../src/sources/pokemontcg.ts';
import { openSwuDb } from '../../src/sources/swu-db.ts';
import { openYgoprodeck } from '../../src/sources/ygoprodeck.ts';
import { type ReadFeed, readFeed } from '../support/feeds.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;

/** Reads with the real time: the files are newer than the tests' own. */
async function read(open: OpenFeed, location: string): Promise<ReadFeed> {
  return readFeed(open, join(DATA, location), { now: Date.now() });
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string) {
  const groups = Map.groupBy(items, nameOf);
  return Object.fromEntries([...groups].map(([key, all]) => [key, all.length]));
}

describe('real files', () => {
  test('of YGOPRODeck: every card in every set, once', async () => {
    const { items, skipped, broken } = await read(openYgoprodeck, 'ygoprodeck/cardinfo.json.gz');
    assert.deepEqual(broken, []);
    assert.deepEqual(skipped, { 'card that is in no set': 348 });
    // Of 45,018 entries 21 stand there twice.
    assert.equal(items.length, 44_997);
    assert.ok(
      items.every(({ observations }) => observations.length === 0, 'all of its prices are unknown'),
    );
    assert.equal(items.filter(({ card }) => card.number === null).length, 4);
  });

  test('of pokemon-tcg-data: every card with its set', async () => {
    const { items, skipped, broken } = await read(openPokemonTcg, 'pokemontcg-data');
    assert.deepEqual([broken, skipped], [[], {}]);
    assert.deepEqual(
      countBy(items, ({ card }) => `${card.setCode} ${card.setName} ${card.releaseDate}`),
      {
        'BS Base 1999-01-09': 102,
        'SVI Scarlet & Violet 2023-03-31': 258,
        'MEW 151 2023-09-22': 207,
        'SIT Silver Tempest 2022-11-11': 215,
      },
    );
  });

  test('of SWU-DB: every card, its foil where it has one', async () => {
    const { items, skipped, broken } = await read(openSwuDb, 'swu-db');
    assert.deepEqual([broken, skipped], [[], {}]);
    assert.equal(items.length, 1553);
    const observations = items.flatMap((item) => item.observations);
    const priced = observations.filter(({ prices }) => prices.market !== null);
    assert.deepEqual(
      countBy(observations, ({ printing }) => String(printing)),
      { Normal: 1553, Foil: 1234 },
    );
    assert.deepEqual(
      countBy(priced, ({ printing }) => String(printing)),
      { Normal: 1553, Foil: 677 },
    );
  });

  test('of the-fab-cube: every printing as a part of a card', async () => {
    const { items, skipped, broken } = await read(openFabCube, 'fab-cube');
    assert.deepEqual([broken, skipped], [[], {}]);
    assert.equal(items.length, 7316);
    assert.equal(items.filter(({ card }) => card.externalIds.tcgplayer === undefined).length, 546);
    assert.deepEqual(
      countBy(items, ({ card }) => String(card.rarity)),
      {
        Common: 3327,
        Rare: 1485,
        Majestic: 823,
        Legendary: 117,
        Token: 259,
        Promo: 1047,
        Marvel: 188,
        'Super Rare': 30,
        Fabled: 18,
        Basic: 22,
      },
    );
  });
});
