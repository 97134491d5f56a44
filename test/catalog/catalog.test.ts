import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { query } from '../search/search-cards.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';

forEachEngine((_label, open) => {
  it('Searches are ordered by the prices of the last publication', async () => {
    const store = await open();
    const market = new Market(store);
    const catalog = new Catalog(store);
    const found = (sort: 'relevance' | 'price_asc') => {
      const { cards } = catalog.search.search(query('card', { sort }));
      return cards.map(({ name }) => name.at(-1)).join('');
    };
    await market.lists('2026-01-20', { '1 Normal': 3, '2 Normal': 2, '3 Foil': null });
    await catalog.refresh();
    assert.equal(found('relevance'), '123');
    assert.equal(found('price_asc'), '213');
    await market.lists('2026-01-21', { '1 Normal': null, '2 Normal': 2, '3 Foil': 4 });
    await catalog.refresh();
    assert.equal(found('relevance'), '321');
    assert.equal(found('price_asc'), '231');
  });
});
