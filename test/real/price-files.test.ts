/** Real files of prices, which are not part of the repository: every row of them is read. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openCardmarket } from '../../src/sources/cardmarket/read.ts';
import { openJustTcg } from '../../src/sources/justtcg/read.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { parseColumns } from '../../src/sources/quotes/adapt.ts';
import { openQuotes } from '../../src/sources/quotes/read.ts';
import { readFeed } from '../support/feeds.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const options = { observedAt: Date.parse('2026-03-05') };

describe('real files', () => {
  test('of PriceCharting are read whole: name, number and price of every card', async () => {
    const file = join(DATA, 'pricecharting/pokemon-cards.csv');
    const { items, skipped, broken } = await readFeed(openPriceCharting, file, options);
    assert.deepEqual([items.length, skipped, broken], [1435, {}, []]);
    const observations = items.map((item) => item.observations[0] ?? assert.fail());
    assert.ok(observations.every(({ prices }) => prices.market !== null));
    assert.ok(items.every(({ card }) => card.number !== null && card.setName !== null));
    for (const [grade, count] of [
      ['psa_10', 419],
      ['any_9', 419],
      ['sgc_10', 173],
    ] as const) {
      assert.equal(observations.filter(({ graded }) => graded[grade] !== undefined).length, count);
    }
    assert.ok(observations.every(({ graded }) => !('psa_9' in graded)));
    const variants = items.filter(({ card }) => card.variant !== null);
    assert.deepEqual(
      variants.map(({ card }) => [card.setName, card.name, card.variant, card.number]),
      [['Neo Discovery', 'Unown', 'A', '14']],
    );
  });

  test('of near mint prices are read as prices of that condition', async () => {
    const backfill = await openQuotes(join(DATA, 'quotes/lorcana-near-mint-daily.csv'), {
      format: 'csv',
      renamed: parseColumns('card_id=tcgplayer,price=near_mint'),
      marketplace: 'my-shop',
      now: Date.parse('2026-05-01'),
    });
    let rows = 0;
    for await (const { outcome } of backfill.parts(() => undefined)) {
      assert.ok(outcome.kind === 'read');
      for (const { listings, broken } of outcome.part.chunks) {
        assert.deepEqual(broken, []);
        assert.ok(listings.every(({ conditions }) => conditions?.near_mint));
        rows += listings.length;
      }
    }
    assert.ok(rows > 26_000, `${rows} rows`);
  });

  test('of JustTCG and Cardmarket, which are excerpts, are read whole', async () => {
    const samples = join(DATA, 'samples');
    const card = join(samples, 'justtcg/lorcana/card_excerpt.json');
    const [item] = (await readFeed(openJustTcg, card, options)).items;
    assert.deepEqual(item?.observations[0]?.conditions, { near_mint: 105_795 });
    const box = join(samples, 'justtcg/lorcana/sealed_excerpt.json');
    const { skipped } = await readFeed(openJustTcg, box, options);
    assert.deepEqual(skipped, { 'sealed product': 1 });
    const guide = join(samples, 'cardmarket/mtg/price_guide_1.excerpt.json');
    const [first] = (await readFeed(openCardmarket, guide, options)).items;
    assert.deepEqual(
      first?.observations.map(({ prices }) => prices.market),
      [10, 40],
    );
  });
});
