import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openYgoprodeck } from '../../src/sources/ygoprodeck.ts';
import { FeedFolder, MODIFIED, readFeed } from '../support/feeds.ts';

const FIXTURE = 'test/fixtures/ygoprodeck/cardinfo.json';

/** A card of YGOPRODeck in one set, in a separate file. */
function card(change: object = {}) {
  const set = { set_name: 'Duel Devastator', set_code: 'DUDE-EN019', set_rarity: 'Ultra Rare' };
  const card_sets = [{ ...set, set_rarity_code: '(UR)', set_price: '1.4', ...change }];
  return { id: 6_983_839, name: 'Tornado Dragon', card_images: [], card_sets };
}

async function read(content: object) {
  return readFeed(openYgoprodeck, new FeedFolder().write('cardinfo.json', content));
}

describe('ygoprodeck', () => {
  test('yields each card in each of its sets', async () => {
    const { items, skipped, broken } = await readFeed(openYgoprodeck, FIXTURE);
    assert.deepEqual(broken, []);
    assert.deepEqual(skipped, { 'card that is in no set': 1, 'contradictory price': 1 });
    const dragon = items.filter(({ card }) => card.name === 'Tornado Dragon');
    const [first] = dragon;
    assert.deepEqual(first?.card, {
      externalId: '6983839|BLRR-EN084|Secret Rare|Battles of Legend: Relentless Revenge',
      game: 'yugioh',
      name: 'Tornado Dragon',
      number: 'BLRR-EN084',
      setCode: 'BLRR',
      setName: 'Battles of Legend: Relentless Revenge',
      rarity: 'Secret Rare',
      variant: null,
      externalIds: {},
      printings: null,
      image: null,
      releaseDate: null,
    });
    assert.deepEqual(
      dragon.map(({ observations }) => observations.map(({ prices }) => prices.market)),
      [[408], [140]],
    );
  });

  test('dates sets by the list of sets, which may be in the folder of the cards', async () => {
    const folder = new FeedFolder();
    const location = folder.write('cardinfo.json', {
      data: [card(), card({ set_name: 'Unlisted' })],
    });
    const sets = [
      { set_name: 'Duel Devastator', tcg_date: '2020-10-15' },
      { set_name: 'Undated', tcg_date: null },
    ];
    const list = folder.write('cardsets.json', sets);
    const datesIn = async (read: string, files: Readonly<Record<string, string>> = {}) => {
      const { items } = await readFeed(openYgoprodeck, read, { files });
      return items.map(({ card }) => card.releaseDate);
    };
    assert.deepEqual(await datesIn(location, { sets: list }), ['2020-10-15', null]);
    assert.deepEqual(await datesIn(folder.folder), ['2020-10-15', null]);
    await assert.rejects(datesIn(location, { sets: location }), {
      name: 'OperatorError',
      message: /is not a cardsets.json of YGOPRODeck: 0 must have required properties set_name/,
    });
  });

  test('gives the price of a rarity as TCGplayer’s, as of the file', async () => {
    const { feed, items } = await read({ data: [card()] });
    assert.equal(feed.observedAt, MODIFIED);
    assert.deepEqual(items[0]?.observations, [
      {
        printing: undefined,
        marketplace: 'tcgplayer',
        currency: 'USD',
        observedAt: MODIFIED,
        prices: { market: 140, low: null, mid: null, high: null },
        conditions: {},
        graded: {},
      },
    ]);
  });

  test('never takes the lowest price of all printings for the price of one', async () => {
    const card_prices = [{ tcgplayer_price: '717.65', cardmarket_price: '2.00' }];
    const { items } = await read({ data: [{ ...card({ set_price: '0' }), card_prices }] });
    assert.deepEqual(items[0]?.observations, []);
  });

  test('distinguishes a set from its reprint with the same codes', async () => {
    const { items } = await readFeed(openYgoprodeck, FIXTURE);
    const graves = items.filter(({ card }) => card.number === 'LOB-EN014');
    assert.equal(new Set(graves.map(({ card }) => card.externalId)).size, 2);
    assert.deepEqual(
      graves.map(({ observations }) => observations[0]?.prices.market),
      [162, 25],
    );
  });

  test('gives no price where the prices contradict each other', async () => {
    const { items } = await readFeed(openYgoprodeck, FIXTURE);
    const [electrum] = items.filter(({ card }) => card.number === 'MDP2-EN001');
    assert.deepEqual(electrum?.observations, []);
  });

  test('reads cards without a passcode, and printings without a code', async () => {
    const { items } = await readFeed(openYgoprodeck, FIXTURE);
    const holactie = items.find(({ card }) => card.name.startsWith('Holactie'));
    assert.match(holactie?.card.externalId ?? '', /^Holactie the Creator of Light\|/);
    const steel = items.find(({ card }) => card.setName?.startsWith('Stainless'));
    assert.deepEqual([steel?.card.number, steel?.card.setCode], [null, null]);
  });

  test('names an impossible price and continues', async () => {
    const bad = { ...card({ set_price: '1,50' }), name: 'Bad' };
    const { items, broken } = await read({ data: [bad, card()] });
    assert.deepEqual(broken, [
      { name: 'Bad', reason: 'DUDE-EN019 (Ultra Rare): "1,50" cannot be a price' },
    ]);
    assert.equal(items.length, 1);
  });

  test('may be packed by gzip', async () => {
    const packed = gzipSync(JSON.stringify({ data: [card()] }));
    const location = new FeedFolder().write('cardinfo.json.gz', packed);
    assert.equal((await readFeed(openYgoprodeck, location)).items.length, 1);
  });
});

describe('ygoprodeck in another language', () => {
  test('gives names, by the ids that the English response has', async () => {
    const german = { ...card(), name: 'Tornado-Drache' };
    const file = new FeedFolder().write('cardinfo-de.json', { data: [german] });
    const { items, translations } = await readFeed(openYgoprodeck, file);
    const english = await read({ data: [card()] });
    assert.deepEqual(items, []);
    assert.deepEqual(translations, [
      { card: english.items[0]?.card.externalId, language: 'de', name: 'Tornado-Drache' },
    ]);
    assert.deepEqual(english.translations, []);
  });
});
