import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDay, startOfDay } from '../../src/domain/day.ts';
import { openPokemonTcg, POKEMONTCG_REMOTE } from '../../src/sources/pokemontcg.ts';
import { FeedFolder, MODIFIED, readFeed } from '../support/feeds.ts';
import { crawlPages } from '../support/remotes.ts';

const FIXTURE = 'test/fixtures/pokemontcg/cards.json';
const SETS = 'test/fixtures/pokemontcg/sets.json';

function start(day: string): number {
  return startOfDay(parseDay(day) ?? assert.fail(day));
}

/** A card as `pokemon-tcg-data` has it: without a set, without prices. */
const BARE = { id: 'base1-4', name: 'Charizard', supertype: 'Pokémon', number: '4' };

describe('pokemontcg', () => {
  test('yields cards with their set and its release date', async () => {
    const { items, broken, skipped } = await readFeed(openPokemonTcg, FIXTURE);
    assert.deepEqual([broken, skipped], [[], {}]);
    assert.deepEqual(items[0]?.card, {
      externalId: 'base1-4',
      game: 'pokemon',
      name: 'Charizard',
      number: '4',
      setCode: 'BS',
      setName: 'Base',
      rarity: 'Rare Holo',
      variant: null,
      externalIds: {},
      printings: null,
      image: 'https://images.pokemontcg.io/base1/4_hires.png',
      releaseDate: '1999-01-09',
    });
    const snivy = items.at(-1)?.card;
    assert.deepEqual([snivy?.setCode, snivy?.rarity], [null, null]);
  });

  test('yields what it calls cards and sets, for those who know its names', async () => {
    const { items, sets } = await readFeed(openPokemonTcg, FIXTURE);
    const named = { id: 'base1-4', name: 'Charizard', rarity: 'Rare Holo' };
    assert.deepEqual(items[0]?.facts?.named, named);
    assert.deepEqual(items.at(-1)?.facts?.named, { id: 'mcd11-1', name: 'Snivy' });
    assert.deepEqual(sets[0], {
      id: 'base1',
      facts: {
        name: 'Base',
        series: 'Base',
        printedTotal: 102,
        total: 102,
        ptcgoCode: 'BS',
        releaseDate: '1999/01/09',
        updatedAt: '2022/10/10 15:12:00',
        images: { symbol: 'https://images.pokemontcg.io/base1/symbol.png' },
      },
    });
  });

  test('has a price for each finish, with its own day', async () => {
    const { feed, items } = await readFeed(openPokemonTcg, FIXTURE);
    assert.equal(feed.observedAt, start('2026-01-28'));
    assert.deepEqual(
      items.flatMap(({ card, observations }) => {
        return observations.map(({ printing, marketplace, currency, prices, observedAt }) => {
          const figures = [prices.market, prices.low, prices.mid, prices.high].join('/');
          const day = observedAt === start('2026-01-27') ? ' a day before' : '';
          return `${card.externalId} ${printing} ${marketplace} ${currency} ${figures}${day}`;
        });
      }),
      [
        'base1-4 Holofoil tcgplayer USD 45386/24750/44999/150000',
        'base1-4 undefined cardmarket EUR 30358/8000// a day before',
        'sv1-1 Normal tcgplayer USD 5/1/10/2500',
        'sv1-1 Reverse Holofoil tcgplayer USD 16/2/20/2500',
        'sv1-1 undefined cardmarket EUR 5/2//',
        'sv1-1 Reverse Holofoil cardmarket EUR 19/2//',
        'gym2-2 1st Edition Holofoil tcgplayer USD 71734/50000/89900/400000',
        'gym2-2 Unlimited Holofoil tcgplayer USD 50876///',
      ],
    );
  });

  test('takes the moment that the operator gives', async () => {
    const observedAt = start('2026-01-20');
    const { feed, items } = await readFeed(openPokemonTcg, FIXTURE, { observedAt });
    const moments = items.flatMap(({ observations }) =>
      observations.map((quote) => quote.observedAt),
    );
    assert.deepEqual([...new Set(moments), feed.observedAt], [observedAt, observedAt]);
  });

  test('finds sets in a further file, for cards without their set', async () => {
    const location = new FeedFolder().write('base1.json', [BARE]);
    const { feed, items } = await readFeed(openPokemonTcg, location, { files: { sets: SETS } });
    assert.deepEqual([items[0]?.card.setName, items[0]?.observations], ['Base', []]);
    assert.equal(feed.observedAt, MODIFIED, 'there are no prices');
  });

  test('finds sets in the folder of the cards', async () => {
    const folder = new FeedFolder();
    folder.copy(SETS);
    folder.write('base1.json', [BARE, { ...BARE, id: 'xy1-1' }]);
    const { items, broken } = await readFeed(openPokemonTcg, folder.folder);
    assert.equal(items[0]?.card.releaseDate, '1999-01-09');
    assert.deepEqual(broken, [
      { name: 'xy1-1 Charizard', reason: 'its set is not in the list of sets' },
    ]);
  });

  test('refuses cards without any known set, and a broken list of sets', async () => {
    const location = new FeedFolder().write('base1.json', [BARE]);
    await assert.rejects(readFeed(openPokemonTcg, location), {
      name: 'OperatorError',
      message: /its cards come without their sets; pass the list of sets with --sets/,
    });
    await assert.rejects(readFeed(openPokemonTcg, location, { files: { sets: location } }), {
      name: 'OperatorError',
      message: /is not the list of sets of the Pokémon TCG API: 0 must have required properties/,
    });
  });

  test('names unknown finishes and impossible prices and days', async () => {
    const set = { id: 'base1', name: 'Base', series: 'Base' };
    const card = (id: string, updatedAt: string, prices: object) => {
      return { ...BARE, id, set, tcgplayer: { updatedAt, prices } };
    };
    const location = new FeedFolder().write('cards.json', {
      data: [
        card('base1-1', '2026/01/28', { cosmosHolofoil: { market: 1 } }),
        card('base1-2', '2026/01/28', { normal: { market: -1 } }),
        card('base1-3', 'yesterday', { normal: { market: 1 } }),
        card('base1-4', '2999/01/01', { normal: { market: 1 } }),
      ],
    });
    const { feed, items, skipped, broken } = await readFeed(openPokemonTcg, location);
    assert.equal(feed.observedAt, start('2026-01-28'));
    assert.deepEqual(
      items.map(({ observations }) => observations),
      [[]],
    );
    assert.deepEqual(skipped, { 'price of the unknown finish cosmosHolofoil': 1 });
    assert.deepEqual(
      broken.map(({ reason }) => reason),
      [
        'market "-1" cannot be a price',
        'updatedAt "yesterday" is not a day YYYY/MM/DD',
        'updatedAt 2999/01/01 is in the future',
      ],
    );
  });

  test('is requested page by page', () => {
    const page = (number: number) => `v2/cards?orderBy=id&pageSize=250&page=${number}`;
    const kept = crawlPages(POKEMONTCG_REMOTE, {
      [page(1)]: { data: ['a', 'b'], totalCount: 251 },
      [page(2)]: { data: ['c'], totalCount: 251 },
    });
    assert.deepEqual(kept, ['a', 'b', 'c']);
  });

  test('is refused where a page counts fewer cards than none', () => {
    const answers = { 'v2/cards?orderBy=id&pageSize=250&page=1': { data: ['a'], totalCount: -1 } };
    assert.throws(() => crawlPages(POKEMONTCG_REMOTE, answers), /The Pokémon TCG API.*totalCount/);
  });
});
