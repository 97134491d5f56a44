import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marketplaceLinks } from '../../../web/src/cards/marketplaces.ts';

test('a card has a link for each marketplace that has an id for it', () => {
  const ids = { tcgplayer: ['42382'], scryfall: ['bd8fa327'], cardmarket: ['273699', '1'] };
  assert.deepEqual(marketplaceLinks('pokemon', ids), [
    { name: 'TCGplayer', href: 'https://www.tcgplayer.com/product/42382' },
    {
      name: 'Cardmarket',
      href: 'https://www.cardmarket.com/en/Pokemon/Products?idProduct=273699',
    },
  ]);
  assert.deepEqual(marketplaceLinks('pokemon', { scryfall: ['bd8fa327'] }), []);
});

test('ids that are not numbers have no link', () => {
  for (const id of ['', '../x', '1?a=b', 'javascript:alert(1)', '1'.repeat(16)]) {
    assert.deepEqual(marketplaceLinks('mtg', { tcgplayer: [id], cardmarket: [id] }), []);
  }
});
