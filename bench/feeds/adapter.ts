/**
 * Reads a feed with its adapter alone, and prints how much is in it:
 *
 *     node bench/feeds/adapter.ts scryfall|mtgjson FILE [IDENTIFIERS]
 */

import type { OpenFeed } from '../../src/sources/contract/feed.ts';
import { openMtgjson } from '../../src/sources/mtgjson/read.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';

const OPEN: Readonly<Record<string, OpenFeed>> = { scryfall: openScryfall, mtgjson: openMtgjson };

const [source = '', file = '', identifiers] = process.argv.slice(2);
const open = OPEN[source];
if (!open) throw new Error(`there is no source ${source}`);

const feed = await open(file, {
  now: Date.now(),
  games: null,
  observedAt: null,
  files: identifiers === undefined ? {} : { identifiers },
});
const counts = { offers: 0, quotes: 0, days: 0, skipped: 0, broken: 0 };
for await (const { items, skipped, broken } of feed.batches()) {
  counts.offers += items.length;
  counts.broken += broken.length;
  for (const count of Object.values(skipped)) counts.skipped += count;
  for (const { observations } of items) {
    counts.quotes += observations.length;
    for (const { earlierDays = [] } of observations) counts.days += 1 + earlierDays.length;
  }
}
console.log(JSON.stringify(counts));
