import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';
import { FIXTURE, importTree } from '../support/tcgcsv.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';

forEachEngine((_label, open) => {
  const openWithPrices = async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    const scryfall = { observedAt: OBSERVED, prices: { market: 44_000 } };
    await importItems(store, 'pokemontcg', [feedItem(charizard(), scryfall)]);
    const absurd = { market: 'justtcg', prices: { market: 99_999_999 } };
    await importItems(store, 'justtcg', [feedItem(charizard(), absurd)]);
    return store;
  };
  const explain = (location: string, ...args: string[]) => {
    return run(['explain', ...args], { env: { CARDPRICE_DATABASE: location } });
  };

  test('explain prints for people where the prices of a card come from', async () => {
    const { location } = await openWithPrices();
    const { code, out } = await explain(location, CHARIZARD);
    assert.equal(code, 0);
    const lines = out.split('\n');
    assert.equal(lines[0], `${CHARIZARD}, Holofoil (shown for the card)`);
    assert.match(
      lines[2] ?? '',
      /^market +453\.86 +tcgcsv \(tcgplayer\) +42382 +2026-01-28T20:05:12Z/,
    );
    assert.match(out, /^Served +tcgcsv comes first .* \[market, low, mid, high\]$/m);
    assert.match(out, /^Left out +pokemontcg \(tcgplayer\): Lower rank: .* \[market, /m);
    assert.match(out, /^Null +No source reports it\. \[conditions\.near_mint, .*graded\.psa_10, /m);
    assert.match(out, /^Quarantined +Holofoil, justtcg, source-outlier: .* \[entry 1\]$/m);
  });

  test('explain --json prints the same as the API', async () => {
    const { location } = await openWithPrices();
    const { out } = await explain(location, CHARIZARD, '--json');
    const { cardId, printing, printings, quarantined } = JSON.parse(out);
    assert.deepEqual([cardId, printing], [CHARIZARD, 'Holofoil']);
    assert.equal(printings[0].numbers[0].value, 453.86);
    assert.equal(printings[0].numbers[0].leftOut[0].source, 'pokemontcg');
    assert.equal(quarantined.length, 1);
  });

  test('explain shows the printing that the API shows: the foil where the rarity is one', async () => {
    const { location, db } = await openWithPrices();
    const card = await db
      .selectFrom('cards')
      .select(['id', 'rarity'])
      .where('public_id', '=', CHARIZARD)
      .executeTakeFirstOrThrow();
    assert.equal(card.rarity, 'Holo Rare');
    const none = {
      low: null,
      mid: null,
      high: null,
      conditions: null,
      graded: null,
      sources: '[]',
    };
    const ages = { figures_at: null, conditions_at: null, graded_at: null, marketplace: null };
    const plain = { id: 9999, card_id: card.id, name: 'Normal', market: 500, revision: 1 };
    await db
      .insertInto('printings')
      .values({ ...plain, ...none, ...ages })
      .execute();
    const { out } = await explain(location, CHARIZARD, '--json');
    assert.equal(JSON.parse(out).printing, 'Holofoil');
  });

  test('explain reports an unknown card', async () => {
    const { location } = await open();
    const { code, err } = await explain(location, 'nobody');
    assert.equal(code, 1);
    assert.match(err, /No card has the id "nobody"/);
  });
});
