import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openSwuDb, SWU_DB_REMOTE } from '../../src/sources/swu-db.ts';
import { readFeed } from '../support/feeds.ts';
import { crawlPages } from '../support/remotes.ts';

const FIXTURE = 'test/fixtures/swu-db/SOR.json';

/** Returns the observations of a card as `printing market/low`. */
async function pricesOf(externalId: string): Promise<string[]> {
  const { items } = await readFeed(openSwuDb, FIXTURE);
  const { observations } =
    items.find(({ card }) => card.externalId === externalId) ?? assert.fail(externalId);
  return observations.map(
    ({ printing, prices: { market, low } }) => `${printing} ${market}/${low}`,
  );
}

describe('swu-db', () => {
  test('yields cards by name and subtitle', async () => {
    const { items, broken } = await readFeed(openSwuDb, FIXTURE);
    assert.deepEqual(broken, []);
    assert.deepEqual(items[0]?.card, {
      externalId: 'SOR/001',
      game: 'swu',
      name: 'Director Krennic - Aspiring to Authority',
      number: '001',
      setCode: 'SOR',
      setName: null,
      rarity: 'Common',
      variant: null,
      externalIds: {},
      printings: null,
      image: 'https://cdn.swu-db.com/images/cards/SOR/001.png',
      releaseDate: null,
    });
    assert.equal(items[1]?.card.name, 'Rogue Squadron Skirmisher');
  });

  test('gives the price of the card and of its foil', async () => {
    assert.deepEqual(await pricesOf('SOR/101'), ['Normal 10/3', 'Foil 20/5']);
  });

  test('reports 0.00 as no price, and nothing for a printing it does not name', async () => {
    assert.deepEqual(await pricesOf('SOR/010'), ['Normal 93/null', 'Foil null/null']);
    assert.deepEqual(await pricesOf('SOR/001'), ['Normal 5/1']);
  });

  test('makes a card of each art, and takes the record of a foil for the foil of its card', async () => {
    const { items } = await readFeed(openSwuDb, FIXTURE);
    assert.deepEqual(
      items.slice(2).map(({ card: { externalId, variant } }) => [externalId, variant]),
      [
        ['SOR/010', null],
        ['SOR/280/Hyperspace', 'Hyperspace'],
        ['SOR/280/Hyperspace Foil', 'Hyperspace'],
        ['SOR/265/Showcase', 'Showcase'],
      ],
    );
    assert.deepEqual(await pricesOf('SOR/280/Hyperspace'), ['Normal 410/350']);
    assert.deepEqual(await pricesOf('SOR/280/Hyperspace Foil'), ['Foil 900/800']);
  });

  test('leaves open the printing of an art that may exist as a foil only', async () => {
    assert.deepEqual(await pricesOf('SOR/265/Showcase'), ['undefined 31000/null']);
  });

  test('is requested set by set', () => {
    const sets = ['sor', 'shd', 'twi', 'jtl', 'lof', 'sec', 'law'];
    const answers = sets.map((set) => [`cards/${set}?format=json`, { data: [{ Set: set }] }]);
    assert.deepEqual(
      crawlPages(SWU_DB_REMOTE, Object.fromEntries(answers)),
      sets.map((set) => ({ Set: set })),
    );
  });
});
