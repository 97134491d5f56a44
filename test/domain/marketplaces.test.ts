import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marketplaceLinks } from '../../src/domain/marketplaces.ts';

test('a card has a link for each marketplace that has an id for it', () => {
  const ids = {
    scryfall: ['bd8fa327'],
    pricecharting: ['630417'],
    cardmarket: ['273699', '1'],
    tcgplayer: ['42382'],
  };
  assert.deepEqual(
    marketplaceLinks('pokemon', ids).map(({ marketplace, url }) => `${marketplace} ${url}`),
    [
      'tcgplayer https://www.tcgplayer.com/product/42382',
      'cardmarket https://www.cardmarket.com/en/Pokemon/Products?idProduct=273699',
      'pricecharting https://www.pricecharting.com/offers?product=630417',
    ],
  );
  assert.deepEqual(marketplaceLinks('pokemon', { scryfall: ['bd8fa327'] }), []);
});

test('ids that are not numbers have no link', () => {
  for (const id of ['', '../x', '1?a=b', 'javascript:alert(1)', '1'.repeat(16)]) {
    const ids = { tcgplayer: [id], cardmarket: [id], pricecharting: [id] };
    assert.deepEqual(marketplaceLinks('mtg', ids), []);
  }
});
