import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Day } from '../../src/domain/day.ts';
import { replaceFailedParts } from '../../src/store/catalogue/failed-parts.ts';
import { insertMarketplaceChanges } from '../../src/store/catalogue/marketplace-changes.ts';
import { openStore } from '../../src/store/connect.ts';
import { type Outcome, run, temporaryFolder } from '../support/cli.ts';
import { Market } from '../support/market.ts';

describe('cardprice report', () => {
  const database = join(temporaryFolder(), 'cards.db');

  const report = (...args: readonly string[]): Promise<Outcome> => {
    return run(['report', ...args], { env: { CARDPRICE_DATABASE: database } });
  };
  const json = async (...args: readonly string[]) => {
    const { code, out, err } = await report('--json', ...args);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };

  before(async () => {
    const store = await openStore(database);
    const market = new Market(store);
    const steady = { '4 Normal': 1, '5 Normal': 7 };
    await market.lists('2026-01-18', { ...steady, '1 Normal': 10, '2 Normal': 200, '3 Normal': 8 });
    await market.lists('2026-01-20', {
      ...steady,
      '1 Normal': 15,
      '2 Normal': 190,
      '3 Normal': 99,
    });
    const moment = Date.parse('2026-01-20T21:00:00Z');
    const [bad, missing] = ['marketPrice is "abc"', 'products: missing file'].map((reason) => {
      return [{ name: 'Magic: Alpha', reason }];
    });
    const failed = [
      { part: '1/7', game: 'mtg', badRows: 2, examples: bad ?? [] },
      { part: '1/8', game: 'mtg', badRows: null, examples: missing ?? [] },
    ] as const;
    await replaceFailedParts(store, 'tcgcsv', { failed, readAgain: [], now: moment });
    const { id } = await store.db.selectFrom('printings').select('id').executeTakeFirstOrThrow();
    const day = Math.floor(moment / 86_400_000) as Day;
    const change = { printing: id, from: 'cardmarket', to: 'tcgplayer', day };
    await insertMarketplaceChanges(store.db, [change], moment);
    await store.close();
  });

  test('lists what moved most, by percent and by money, without cents and cheap cards', async () => {
    const { day, moves } = await json();
    assert.equal(day, '2026-01-20');
    assert.deepEqual([moves.compared, moves.moved, moves.damaged], [4, 2, 0]);
    assert.deepEqual(moves.byPercent[0], {
      card: 'mtg-lea-card-1-1',
      name: 'Card 1',
      set: 'Alpha',
      game: 'mtg',
      printing: 'Normal',
      since: '2026-01-18',
      from: 10,
      to: 15,
      percent: 50,
    });
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    assert.deepEqual(names(moves.byPercent), ['Card 1', 'Card 2']);
    assert.deepEqual(names(moves.byMoney), ['Card 2', 'Card 1']);
  });

  test('lists what was quarantined of the day, what waits, and how much has a price', async () => {
    const { quarantine, coverage, oldSets, unpricedSets, failedImports } = await json();
    assert.equal(quarantine.observed, 1);
    const [byRule] = quarantine.byRule;
    assert.deepEqual([byRule.name, byRule.count], ['price-jump', 1]);
    assert.equal(quarantine.bySet.first[0].examples[0].name, 'Card 3');
    assert.deepEqual(
      quarantine.waiting.first.map(({ name, value }: { name: string; value: number }) => {
        return [name, value];
      }),
      [['Card 3', 99]],
    );
    assert.deepEqual(coverage, [{ game: 'mtg', sets: 1, cards: 5, priced: 5, share: 1 }]);
    assert.deepEqual([oldSets.count, unpricedSets.count, failedImports], [0, 0, []]);
  });

  test('lists what could not be read, and what another marketplace prices', async () => {
    const { failedParts, marketplaceChanges } = await json('--limit', '1');
    assert.equal(failedParts.count, 2);
    assert.deepEqual(failedParts.first, [
      {
        source: 'tcgcsv',
        part: '1/7',
        game: 'mtg',
        badRows: 2,
        examples: [{ name: 'Magic: Alpha', reason: 'marketPrice is "abc"' }],
        since: '2026-01-20T21:00:00Z',
        lastAt: '2026-01-20T21:00:00Z',
      },
    ]);
    const [change] = marketplaceChanges.first;
    assert.deepEqual(
      [marketplaceChanges.count, change.from, change.to, change.day, change.changedAt],
      [1, 'cardmarket', 'tcgplayer', '2026-01-20', '2026-01-20T21:00:00Z'],
    );
  });

  test('reports an earlier day, another game, and as many of each as are asked for', async () => {
    assert.equal((await json('--day', '2026-01-18')).moves.compared, 0);
    assert.deepEqual((await json('--game', 'pokemon')).coverage, []);
    assert.equal((await json('--limit', '1')).moves.byMoney.length, 1);
    for (const [flag, text] of [
      ['--day', 'today'],
      ['--game', 'chess'],
      ['--limit', 'all'],
    ] as const) {
      const { code, err } = await report(flag, text);
      assert.equal(code, 1);
      assert.match(err, new RegExp(`"${text}"`));
    }
  });

  test('is laid out for people, without colours unless it is a terminal', async () => {
    const { code, out } = await report('--limit', '1');
    assert.equal(code, 0);
    assert.match(
      out,
      /^Report of 2026-01-20\n\nCoverage\n {2}mtg {2}1 sets {2}5 cards {2}5 priced/,
    );
    assert.match(
      out,
      /\nLargest changes by percent \(2 of 4 printings moved\)\n {2}\+50\.0 % {2}\$10\.00 {2}→ \$15\.00 {2}Card 1 \(Normal\), Alpha \(mtg\), since 2026-01-18\n/,
    );
    assert.match(
      out,
      /\nQuarantined of this day \(1\)\n {2}1 {2}price-jump {2}#1 .*Card 3 \(Normal\)/,
    );
    assert.match(out, /\nWaiting for your decision \(1\), longest wait first\n/);
    assert.match(out, /\nStale and failing sources\n {2}tcgcsv {2}mtg {2}stale {2}\d/);
    assert.match(
      out,
      /\nUnreadable parts \(2\), until an import reads them\n {2}tcgcsv {2}1\/7 {2}since 2026-01-20 {2}2 left out {2}marketPrice is "abc"\n {2}1 more; /,
    );
    assert.match(
      out,
      /\nPriced by another marketplace since this day \(1\)\n {2}2026-01-20 {2}cardmarket → tcgplayer {2}Card 1 \(Normal\), Alpha \(mtg\)\n/,
    );
    assert.ok(!out.includes('\u001b'));
  });
});
