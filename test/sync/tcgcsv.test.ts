import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tcgcsvSource } from '../../src/sync/tcgcsv.ts';
import { type EngineLabel, forEachEngine } from '../support/engines.ts';
import { folderOf, SyncBed } from '../support/syncing.ts';
import { TreeCopy } from '../support/tcgcsv.ts';
import {
  type Answer,
  cut,
  drip,
  file,
  hangUp,
  redirect,
  status,
  Upstream,
  wrongLength,
} from '../support/upstream.ts';

const EVENING = Date.parse('2026-01-28T21:30:00Z');
const DAY = 86_400_000;
const BEFORE = '2026-01-28T20:05:12+0000';
const AFTER = '2026-01-29T20:05:12+0000';
const CHARIZARD = 45_386;

/** TCGCSV as it was on the evening, and a database that was synced with it then. */
async function syncedBed(open: Parameters<Parameters<typeof forEachEngine>[0]>[1]) {
  const tree = new TreeCopy().observed(BEFORE);
  const upstream = (await Upstream.open()).otherwise(folderOf(tree.folder));
  const bed = new SyncBed(await open(), EVENING);
  const source = tcgcsvSource(upstream.url);
  const first = await bed.only(source);
  assert.equal(first.outcome, 'imported');
  const requests = upstream.paths().length;
  bed.now = EVENING + DAY;
  return { tree, upstream, bed, source, requests };
}

/** The next day, on which Charizard costs a dollar more. */
function nextDay(tree: TreeCopy): void {
  tree.observed(AFTER).edit('3/604/prices', (prices) => {
    for (const price of prices) {
      if (price.productId === 42382) price.marketPrice = 454.86;
    }
  });
}

type Upset = (upstream: Upstream, tree: TreeCopy) => void;

/** What an upstream may do on the next day, and the error that is recorded. */
const FAILURES: readonly (readonly [string, Upset, RegExp])[] = [
  ['refuses us', (up) => up.otherwise(status(403)), /answered 403 \(the source refuses us\)\.$/],
  ['has gone', (up) => up.otherwise(status(404)), /has no last-updated\.txt/],
  ['fails', (up) => up.otherwise(status(500)), /\/last-updated\.txt answered 500, 5 times\.$/],
  [
    'wants to be left alone',
    (up) => up.otherwise(status(429, { 'retry-after': '7200' })),
    /answered 429 and asks to be left alone until 2026-01-29T23:30:00Z\.$/,
  ],
  ['hangs up', (up) => up.otherwise(hangUp), /cannot be reached: .*, 5 times\.$/],
  ['cuts its answers', (up) => up.otherwise(cut('x'.repeat(99))), /broke off after .*, 5 times\.$/],
  ['trickles', (up) => up.otherwise(drip), /is too slow: \d+ bytes so far, 5 times\.$/],
  ['promises too much', (up) => up.otherwise(wrongLength(AFTER, 9)), /broke off after 24 bytes/],
  ['leads in a circle', (up) => up.otherwise(redirect('/x')), /redirects too many times\.$/],
  ['gives no time', (_up, tree) => tree.observed('<html>'), /holds no moment: "<html>"\.$/],
  ['is of the future', (_up, tree) => tree.observed('2036-01-29'), /is in the future: 2036-01-29/],
];

function declare(label: EngineLabel, open: Parameters<Parameters<typeof forEachEngine>[0]>[1]) {
  for (const [what, upset, words] of label === 'SQLite' ? FAILURES : FAILURES.slice(0, 1)) {
    it(`that ${what} leaves the served prices as they are, and names the reason`, async () => {
      const { tree, upstream, bed, source } = await syncedBed(open);
      nextDay(tree);
      upset(upstream, tree);
      const { outcome, error } = await bed.only(source);
      assert.equal(outcome, 'failed');
      assert.match(String(error), words);
      assert.equal(await bed.priceOf('Charizard'), CHARIZARD);
    });
  }

  it('without an update costs one request', async () => {
    const { upstream, bed, source } = await syncedBed(open);
    const { outcome, requests } = await bed.only(source);
    assert.equal(outcome, 'unchanged');
    assert.equal(requests, 1);
    assert.deepEqual(upstream.paths(), ['/last-updated.txt']);
  });

  it('with an update is imported, and sends only what has changed', async () => {
    const { tree, upstream, bed, source, requests } = await syncedBed(open);
    nextDay(tree);
    const outcome = await bed.only(source);
    assert.equal(outcome.outcome, 'imported');
    assert.equal(outcome.counts?.pricesChanged, 1);
    assert.equal(await bed.priceOf('Charizard'), CHARIZARD + 100);
    assert.ok(outcome.requests > requests, 'prices that stood still were observed again');
    assert.equal(upstream.asked[0]?.headers['user-agent'], 'cardprice/1.2.3 (test)');
  });
}

describe('TCGCSV', () => {
  forEachEngine(declare);

  forEachEngine((label, open) => {
    if (label === 'PostgreSQL') return;

    it('is downloaded once a day, even if last-updated.txt says otherwise', async () => {
      const { tree, upstream, bed, source } = await syncedBed(open);
      tree.observed('2026-01-28T23:00:00+0000');
      assert.equal((await bed.only(source)).outcome, 'unchanged');
      assert.deepEqual(upstream.paths(), ['/last-updated.txt']);
    });

    it('with the state of the day before changes nothing', async () => {
      const { tree, bed, source } = await syncedBed(open);
      nextDay(tree);
      await bed.only(source);
      tree.observed(BEFORE).edit('3/604/prices', (prices) => {
        for (const price of prices) price.marketPrice = 1;
      });
      bed.now += DAY;
      assert.equal((await bed.only(source)).outcome, 'unchanged');
      assert.equal(await bed.priceOf('Charizard'), CHARIZARD + 100);
    });

    it('gets retries with growing pauses, or after Retry-After', async () => {
      const { tree, upstream, bed, source } = await syncedBed(open);
      nextDay(tree);
      const slower = status(429, { 'retry-after': '20' });
      upstream.on('/last-updated.txt', status(500), slower, status(503), file(AFTER));
      assert.equal((await bed.only(source)).outcome, 'imported');
      assert.deepEqual(bed.waits, [1000, 20_000, 4000]);
    });

    it('with a broken group is imported without it, and completed by the next sync', async () => {
      const { tree, upstream, bed, source } = await syncedBed(open);
      nextDay(tree);
      const whole = folderOf(tree.folder);
      upstream.on('/tcgplayer/1/1900012/prices', file('{"success":true'), whole);
      const first = await bed.only(source);
      assert.equal(first.outcome, 'incomplete');
      assert.match(String(first.error), /^1 of \d+ could not be read; the first is Magic.*: /);
      assert.equal(await bed.priceOf('Charizard'), CHARIZARD + 100);
      upstream.paths();
      const second = await bed.only(source);
      assert.equal(second.outcome, 'imported');
      const asked = upstream.paths().filter((path) => /products|prices/.test(path));
      assert.deepEqual(
        [...new Set(asked)],
        ['/tcgplayer/1/1900012/products', '/tcgplayer/1/1900012/prices'],
      );
    });

    it('with a group that stays broken is imported only three times', async () => {
      const { tree, upstream, bed, source } = await syncedBed(open);
      nextDay(tree);
      upstream.on('/tcgplayer/1/1900012/prices', file('{"success":true'));
      const outcomes: string[] = [];
      for (let count = 0; count < 4; count += 1) outcomes.push((await bed.only(source)).outcome);
      assert.deepEqual(outcomes, ['incomplete', 'incomplete', 'incomplete', 'unchanged']);
      upstream.paths();
      await bed.only(source);
      assert.deepEqual(upstream.paths(), ['/last-updated.txt']);
    });

    it('in an unknown format leaves its prices as they are', async () => {
      const { tree, upstream, bed, source } = await syncedBed(open);
      nextDay(tree);
      const groups: Answer = (request, response) => {
        if (request.url?.endsWith('/prices')) return file('{"prices":[]}')(request, response);
        return folderOf(tree.folder)(request, response);
      };
      upstream.otherwise(groups);
      const { outcome, error } = await bed.only(source);
      assert.equal(outcome, 'failed');
      assert.match(String(error), /^(\d+) of \1 could not be read; the first is Pok.*: prices: /);
      assert.equal(await bed.priceOf('Charizard'), CHARIZARD);
    });

    it('that breaks down gets no requests after some failures', async () => {
      const { tree, upstream, bed, source } = await syncedBed(open);
      nextDay(tree);
      const sick: Answer = (request, response) => {
        const answer = request.url?.endsWith('/products') ? status(403) : folderOf(tree.folder);
        return answer(request, response);
      };
      upstream.otherwise(sick);
      const { outcome, error } = await bed.only(source);
      assert.equal(outcome, 'failed');
      assert.match(String(error), /the first is .*answered 403/);
      assert.equal(upstream.paths().filter((path) => path.endsWith('/products')).length, 3);
    });

    it('may be a local folder', async () => {
      const tree = new TreeCopy().observed(BEFORE);
      const bed = new SyncBed(await open(), EVENING);
      const source = tcgcsvSource(tree.folder);
      assert.equal((await bed.only(source)).outcome, 'imported');
      assert.equal((await bed.only(source)).outcome, 'unchanged');
      nextDay(tree);
      bed.now += DAY;
      assert.equal((await bed.only(source)).outcome, 'imported');
      assert.equal(await bed.priceOf('Charizard'), CHARIZARD + 100);
    });
  });
});
