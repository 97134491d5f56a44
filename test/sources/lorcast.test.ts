import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDay, startOfDay } from '../../src/domain/day.ts';
import { LORCAST_REMOTE, openLorcast } from '../../src/sources/lorcast.ts';
import { FeedFolder, readFeed } from '../support/feeds.ts';
import { crawlPages } from '../support/remotes.ts';

const FIXTURE = 'test/fixtures/lorcast/cards.json';
const OBSERVED = startOfDay(parseDay('2026-01-28') ?? assert.fail());

async function readFixture() {
  return readFeed(openLorcast, FIXTURE, { observedAt: OBSERVED });
}

describe('lorcast', () => {
  test('yields cards by name and version, with their product at TCGplayer', async () => {
    const { items, broken } = await readFixture();
    assert.deepEqual(broken, []);
    const [mickey] = items;
    assert.deepEqual(mickey, {
      card: {
        externalId: 'crd_a9407e39c2ee47869d7a634aa46a7f04',
        game: 'lorcana',
        name: 'Mickey Mouse - Brave Little Tailor',
        number: '1',
        setCode: 'P1',
        setName: 'Promo Set 1',
        rarity: 'Promo',
        variant: null,
        externalIds: { tcgplayer: '454233' },
        printings: null,
        image:
          'https://cards.lorcast.io/card/digital/large/crd_a9407e39c2ee47869d7a634aa46a7f04.avif?1728609660',
        releaseDate: null,
      },
      observations: [
        {
          printing: 'Normal',
          marketplace: 'tcgplayer',
          currency: 'USD',
          observedAt: OBSERVED,
          prices: { market: 69_900, low: null, mid: null, high: null },
          conditions: {},
          graded: {},
        },
      ],
      facts: { types: ['Character'], colors: ['Ruby'], cost: '8', legalities: { core: 'legal' } },
    });
  });

  test('gives foils the printing of the catalogue', async () => {
    const { items } = await readFixture();
    const ariel = items.find(({ card }) => card.name === 'Ariel - On Human Legs');
    assert.deepEqual(
      ariel?.observations.map(({ printing, prices }) => [printing, prices.market]),
      [
        ['Normal', 5],
        ['Cold Foil', 38],
      ],
    );
    assert.equal(ariel?.card.releaseDate, '2023-08-18');
  });

  test('reports that a price is gone, and nothing for a printing it does not name', async () => {
    const { items } = await readFixture();
    const [singer, song] = ['Ariel - Spectacular Singer', 'Be Our Guest'].map((name) => {
      return items.find(({ card }) => card.name === name);
    });
    assert.equal(singer?.observations[0]?.prices.market, null);
    assert.deepEqual([singer?.card.rarity, singer?.card.image], ['Super Rare', null]);
    assert.deepEqual(song?.observations, []);
    assert.deepEqual(song?.card.externalIds, {});
  });

  test('leaves out cards in other languages', async () => {
    const { items, skipped } = await readFixture();
    assert.equal(items.length, 4);
    assert.deepEqual(skipped, { 'card in another language than English': 1 });
  });

  test('reads the pages of a folder, each card once', async () => {
    const pages = new FeedFolder();
    const page = (id: string) => ({ ...CARD, id: `crd_${id}` });
    pages.write('1.json', [page('a'), page('b')]);
    pages.write('2.json', { results: [page('b'), page('c')] });
    pages.write('notes.txt', 'not read');
    const { items, skipped } = await readFeed(openLorcast, pages.folder);
    assert.deepEqual(
      items.map(({ card }) => card.externalId),
      ['crd_a', 'crd_b', 'crd_c'],
    );
    assert.deepEqual(skipped, { 'listed twice': 1 });
  });

  test('names a page of another kind, and reads the others', async () => {
    const pages = new FeedFolder();
    pages.write('1.json', [CARD]);
    pages.write('2.json', [{ name: 'x' }]);
    pages.write('3.json', '[{"id":"crd_');
    const { items, broken } = await readFeed(openLorcast, pages.folder);
    assert.equal(items.length, 1);
    assert.deepEqual(
      broken.map(({ name }) => name),
      ['2.json', '3.json'],
    );
    assert.match(broken[0]?.reason ?? '', /^it is not a page of cards of the Lorcast API: /);
    assert.match(broken[1]?.reason ?? '', /breaks off/);
  });

  test('is requested set by set', () => {
    const answers: Record<string, unknown> = {
      'v0/sets': { results: [{ id: 'set_1', released_at: '2023-08-18' }, { id: 'set_2' }] },
      'v0/sets/set_1/cards': [{ id: 'a', set: { code: '1' } }],
      'v0/sets/set_2/cards': [{ id: 'b', set: { code: '2' } }],
    };
    assert.deepEqual(crawlPages(LORCAST_REMOTE, answers), [
      { id: 'a', set: { code: '1', released_at: '2023-08-18' } },
      { id: 'b', set: { code: '2', released_at: undefined } },
    ]);
    assert.throws(() => crawlPages(LORCAST_REMOTE, { 'v0/sets': [] }), {
      name: 'OperatorError',
      message: /^Lorcast does not answer as it used to: /,
    });
  });
});

const CARD = {
  id: 'crd_a',
  name: 'Be Our Guest',
  collector_number: '25',
  set: { code: '1', name: 'The First Chapter' },
};
