import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { assertSameCatalog } from '../support/same-catalog.ts';

const ids = (cards: readonly { readonly number: string | null }[]) => {
  return cards.map(({ number }) => number);
};

forEachEngine((_label, open) => {
  it('A set lists its cards by collector number, 2 before 10, and new ones in their place', async () => {
    const store = await open();
    const market = new Market(store);
    const catalog = new Catalog(store);
    const board = {
      '10 Normal': 1,
      'TG2 Normal': 1,
      '2 Normal': 1,
      'TG10 Normal': 1,
      '2a Foil': 1,
    };
    await market.lists('2026-01-20', board);
    await catalog.refresh();
    const [alpha] = catalog.sets('mtg');
    assert.ok(alpha);
    assert.deepEqual(ids(catalog.cardsOf(alpha.set)), ['2', '2a', '10', 'TG2', 'TG10']);
    await market.lists('2026-01-21', { ...board, '7 Normal': 1, 'TG3 Normal': 2 });
    await catalog.refresh();
    const numbers = ['2', '2a', '7', '10', 'TG2', 'TG3', 'TG10'];
    assert.deepEqual(ids(catalog.cardsOf(alpha.set)), numbers);
    assert.equal(catalog.set(alpha.set.id)?.cardCount, numbers.length);
    const started = new Catalog(store);
    await started.refresh();
    assertSameCatalog(catalog, started);
  });

  it('An id that a source adds to a card is there with the publication of its import', async () => {
    const store = await open();
    const market = new Market(store, { limits: null });
    const catalog = new Catalog(store);
    await market.lists('2026-01-20', { '1 Normal': 1, '2 Normal': 2 });
    await catalog.refresh();
    const card = catalog.cardByExternalId({ space: 'tcgplayer', id: '1' });
    assert.equal(card?.number, '1');
    assert.equal(catalog.cardByExternalId({ space: 'scryfall', id: 's1' }), undefined);
    assert.equal(catalog.cardByExternalId({ space: 'chess', id: '1' }), undefined);
    await market.feeds('2026-01-21', { '1 Normal': 1 });
    assert.equal(catalog.cardByExternalId({ space: 'scryfall', id: 's1' }), undefined);
    await catalog.refresh();
    const found = catalog.cardByExternalId({ space: 'scryfall', id: 's1' });
    assert.equal(found?.number, '1');
    assert.deepEqual(found && catalog.externalIds(found), [
      { space: 'tcgplayer', id: '1' },
      { space: 'scryfall', id: 's1' },
    ]);
    const started = new Catalog(store);
    await started.refresh();
    assertSameCatalog(catalog, started);
  });
});
