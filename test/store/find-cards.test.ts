import assert from 'node:assert/strict';
import { it } from 'node:test';
import { upsertCardExternalIds, upsertCards, upsertSets } from '../../src/store/catalogue.ts';
import { cardFinder } from '../../src/store/find-cards.ts';
import { forEachEngine, type TestStore } from '../support/engines.ts';

const CARDS = 12_000;

/** Cards with the row ids 1 to `CARDS`, and the id `p<row id>` at TCGplayer. */
async function withCards(store: TestStore): Promise<void> {
  const set = {
    id: 1,
    public_set_id: 'mtg-alpha',
    game: 'mtg',
    code: 'LEA',
    name: 'Alpha',
  } as const;
  const rowIds = Array.from({ length: CARDS }, (_, index) => index + 1);
  await store.db.transaction().execute(async (transaction) => {
    await upsertSets(store, transaction, [{ ...set, release_date: null, revision: 1 }]);
    const rest = { set_id: 1, name: 'Opt', number: null, rarity: null, image: null, revision: 1 };
    const cards = rowIds.map((id) => ({ ...rest, id, public_id: `mtg-lea-opt-${id}` }));
    await upsertCards(store, transaction, cards);
    const ids = rowIds.map((id) => ({ id_space: 'tcgcsv', external_id: `p${id}`, card_id: id }));
    const others = [{ id_space: 'scryfall', external_id: 'p1', card_id: 7 }];
    await upsertCardExternalIds(store, transaction, [...ids, ...others]);
  });
}

forEachEngine((_label, open) => {
  it('finds cards by ids of several id spaces at once, and leaves out the others', async () => {
    const store = await open();
    await withCards(store);
    const find = cardFinder(store);
    const found = await find([
      { space: 'tcgplayer', id: 'p1' },
      { space: 'scryfall', id: 'p1' },
      { space: 'scryfall', id: 'p2' },
      { space: 'mtgjson', id: 'p1' },
      { space: 'chess', id: 'p1' },
      { space: 'tcgplayer', id: 'p1' },
      { space: 'tcgplayer', id: 'p\0' },
      { space: 'tcgplayer', id: '' },
    ]);
    assert.deepEqual(
      [...found],
      [
        ['tcgplayer\np1', [1]],
        ['scryfall\np1', [7]],
      ],
    );
    assert.deepEqual([...(await find([]))], []);
  });

  it('finds more cards than one statement takes', async () => {
    const store = await open();
    await withCards(store);
    const ids = Array.from({ length: CARDS }, (_, index) => {
      return { space: 'tcgplayer', id: `p${index + 1}` };
    });
    const found = await cardFinder(store)(ids);
    assert.equal(found.size, CARDS);
    assert.deepEqual(found.get(`tcgplayer\np${CARDS}`), [CARDS]);
  });
});
