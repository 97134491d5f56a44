/** Checks the contract of every source in the registry with its fixture. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countsAs, findSource, PRICE_SOURCES } from '../../src/domain/sources.ts';
import { FEED_SOURCES, SOURCES } from '../../src/sources/registry.ts';
import { describeContract, type Fixture } from '../support/contract.ts';

const FIXTURES: Readonly<Record<string, Fixture>> = {
  scryfall: { location: 'test/fixtures/scryfall/default-cards.json' },
  mtgjson: {
    location: 'test/fixtures/mtgjson/AllPricesToday.json',
    files: { identifiers: 'test/fixtures/mtgjson/AllIdentifiers.json' },
  },
  pricecharting: { location: 'test/fixtures/pricecharting/price-guide.csv' },
  justtcg: {
    location: 'test/fixtures/justtcg/cards.json',
    oddPrintings: ['Master Ball Pattern'],
  },
  ygoprodeck: { location: 'test/fixtures/ygoprodeck/cardinfo.json' },
  pokemontcg: {
    location: 'test/fixtures/pokemontcg/cards.json',
    files: { sets: 'test/fixtures/pokemontcg/sets.json' },
  },
  lorcast: { location: 'test/fixtures/lorcast/cards.json' },
  'swu-db': { location: 'test/fixtures/swu-db/SOR.json' },
  'fab-cube': { location: 'test/fixtures/fab-cube', main: 'card-printing.csv' },
  cardmarket: {
    location: 'test/fixtures/cardmarket/price_guide_6.json',
    files: { products: 'test/fixtures/cardmarket/products_singles_6.json' },
  },
};

for (const source of FEED_SOURCES) {
  const { [source.name]: fixture, ...others } = FIXTURES;
  const games = findSource(source.name)?.games ?? [];
  if (fixture) describeContract(source, fixture, games, Object.values(others));
  else test(`${source.name} has a fixture`, () => assert.fail('add it to FIXTURES in this file'));
}

describe('the registry', () => {
  test('has each source once, and all sources of prices', () => {
    const names = SOURCES.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const { name } of SOURCES) assert.ok(findSource(countsAs(name)), name);
    for (const { name } of PRICE_SOURCES) assert.ok(names.includes(name), name);
  });

  test('describes each in a sentence', () => {
    for (const { summary, name } of SOURCES) assert.match(summary, /^[A-Z].{10,90}\.$/, name);
    for (const { takes, name } of FEED_SOURCES) assert.match(takes, /^[A-Za-z].{10,90}\.$/, name);
  });

  test('downloads only further files that the reader knows', () => {
    for (const { remote, files = {}, name } of FEED_SOURCES) {
      const { content } = remote ?? {};
      const further = content?.kind === 'files' ? Object.keys(content.further ?? {}) : [];
      const unknown = further.filter((file) => !Object.hasOwn(files, file));
      assert.deepEqual(unknown, [], name);
    }
  });
});
