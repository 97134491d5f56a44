/** Scryfall's bulk files as they were published, which are not part of the repository. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { readFeed } from '../support/feeds.ts';

const DATA = new URL('../../../shared/data/scryfall', import.meta.url).pathname;

/** By file: its cards, its prices, and prices of finishes that their card does not have. */
const FILES: readonly (readonly [name: string, day: string, counts: readonly number[]])[] = [
  ['default-cards-2026-01-19.json.gz', '2026-01-19', [16_357, 26_854, 0]],
  ['default-cards-2026-01-28.json.gz', '2026-01-28', [16_841, 27_476, 8]],
];

describe('the real bulk files', () => {
  for (const [name, day, counts] of FILES) {
    test(`of ${day} are read whole`, async () => {
      const { feed, items, broken, skipped, done } = await readFeed(openScryfall, join(DATA, name));
      assert.equal(new Date(feed.observedAt).toISOString().slice(0, 10), day);
      assert.deepEqual([broken, skipped], [[], {}]);
      assert.equal(done.at(-1), feed.total);
      const observations = items.flatMap((item) =>
        item.observations.map((observation) => ({ ...observation, item })),
      );
      const priced = observations.filter(({ prices }) => prices.market !== null);
      const odd = priced.filter(({ printing = '', item }) => {
        return !item.card.printings?.includes(printing);
      });
      assert.deepEqual([items.length, priced.length, odd.length], counts);
    });
  }
});
