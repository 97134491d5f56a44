import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { STARTER_FOLDER } from '../../src/commands/files.ts';
import { importStarter, importStarterQuotes } from '../../src/commands/starter.ts';
import { GAMES } from '../../src/domain/games.ts';
import { query } from '../search/search-cards.ts';
import { forEachEngine } from '../support/engines.ts';
import { FIXTURE, importTree } from '../support/tcgcsv.ts';

forEachEngine((_label, open) => {
  it('the starter catalogue has prices, grades, conditions and long histories to show', async () => {
    const store = await open();
    await importStarter(store, STARTER_FOLDER, Date.now);
    const quotes = await importStarterQuotes(store, STARTER_FOLDER, Date.now);
    assert.deepEqual([quotes?.brokenCount, quotes?.unmatched], [0, 0]);
    const catalog = new Catalog(store);
    await catalog.refresh();
    const cards = [...catalog.cards()];
    const having = (kind: 'graded' | 'conditions') => {
      return cards.filter(({ printings }) => {
        return printings.some(({ prices }) => Object.keys(prices[kind]).length > 0);
      }).length;
    };
    assert.ok(having('graded') >= 200, `${having('graded')}`);
    assert.ok(having('conditions') >= 150, `${having('conditions')}`);
    const unpriced = cards.filter(({ printings }) => {
      return printings.every(({ prices }) => prices.market === null);
    });
    assert.ok(unpriced.length < cards.length / 20, `${unpriced.length} of ${cards.length}`);
  });

  it('shows prices for what newcomers type, and a card for the example of every game', async () => {
    const store = await open();
    await importStarter(store, STARTER_FOLDER, Date.now);
    const catalog = new Catalog(store);
    await catalog.refresh();
    for (const typed of ['charizard', 'charizard base set', 'luffy', 'elsa', 'blue-eyes']) {
      const [first] = catalog.search.search(query(typed)).cards;
      assert.ok(
        first?.printings.some(({ prices }) => prices.market !== null),
        typed,
      );
    }
    for (const { slug, example } of GAMES) {
      const { total } = catalog.search.search(query(example.q, { game: slug }));
      assert.ok(total > 0, example.q);
    }
  });

  it('its quotes are imported once, and never after another import', async () => {
    const store = await open();
    assert.equal(await importStarterQuotes(store, STARTER_FOLDER, Date.now), undefined);
    await importStarter(store, STARTER_FOLDER, Date.now);
    assert.ok(await importStarterQuotes(store, STARTER_FOLDER, Date.now));
    assert.equal(await importStarterQuotes(store, STARTER_FOLDER, Date.now), undefined);

    const own = await open();
    await importTree(own, FIXTURE);
    assert.equal(await importStarterQuotes(own, STARTER_FOLDER, Date.now), undefined);
  });
});
