import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { type Outcome, run, temporaryFolder } from '../support/cli.ts';
import { Market } from '../support/market.ts';

describe('cardprice quarantine', () => {
  const database = join(temporaryFolder(), 'cards.db');

  const quarantine = (...args: readonly string[]): Promise<Outcome> => {
    return run(['quarantine', ...args], { env: { CARDPRICE_DATABASE: database } });
  };

  const listed = async (...args: readonly string[]): Promise<Record<string, unknown>[]> => {
    const { code, out, err } = await quarantine('list', '--json', ...args);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };

  const served = async () => {
    const store = await openStore(database);
    try {
      return await new Market(store).served();
    } finally {
      await store.close();
    }
  };

  before(async () => {
    const store = await openStore(database);
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10, '2 Normal': 20, '3 Normal': 30 });
    await market.lists('2026-01-21', { '1 Normal': 99, '2 Normal': 199, '3 Normal': 31 });
    await market.feeds('2026-01-21', { '1 Foil': 30, '3 Normal': 0 });
    await store.close();
  });

  test('lists quarantined prices as a table and as JSON', async () => {
    const { out } = await quarantine('list');
    const [head, first] = out.split('\n');
    assert.match(head ?? '', /^ID +SOURCE +RULE +SINCE +DETAIL$/);
    assert.match(
      first ?? '',
      /^1 +tcgcsv +price-jump +2026-01-21 +Market of Card 1 \(Normal\) went/,
    );
    const [held] = await listed();
    const { detail, ...rest } = held ?? {};
    assert.match(String(detail), /from \$10\.00 to \$99\.00 since 2026-01-20: 9\.9 times/);
    assert.deepEqual(rest, {
      ...{ id: 1, source: 'tcgcsv', marketplace: 'tcgplayer', game: 'mtg', set: 'Alpha' },
      ...{ card: 'mtg-lea-card-1-1', name: 'Card 1', printing: 'Normal', rule: 'price-jump' },
      ...{ currency: 'USD', days: 1, conditions: {}, graded: {}, externalId: '1' },
      prices: { market: 99, low: null, mid: null, high: null },
      ...{ observedAt: '2026-01-21T20:05:12Z', quarantinedAt: '2026-01-21T20:05:12Z' },
      ...{ decision: null, decidedAt: null },
    });
  });

  test('lists by rule, game and source', async () => {
    const ids = async (...args: readonly string[]) => (await listed(...args)).map(({ id }) => id);
    assert.deepEqual(await ids(), [1, 2, 3, 4]);
    assert.deepEqual(await ids('--source', 'scryfall'), [3, 4]);
    assert.deepEqual(await ids('--rule', 'unknown-printing'), [3]);
    assert.deepEqual(await ids('--game', 'mtg', '--source', 'tcgcsv'), [1, 2]);
    assert.deepEqual(await ids('--game', 'pokemon'), []);
  });

  test('says why it refuses a command line', async () => {
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [['approve'], /Name the ids that `quarantine list` shows, or --all --source NAME\./],
      [['approve', '--all'], /--all needs --source/],
      [['reject', '1', '--all', '--source', 'tcgcsv'], /Name ids or say --all, not both\./],
      [['approve', '99'], /Nothing with the id 99 is quarantined\./],
      [['approve', 'one'], /"one" is not an id/],
      [['list', '--game', 'chess'], /There is no game "chess"/],
    ];
    const outcomes = await Promise.all(refusals.map(([args]) => quarantine(...args)));
    for (const [index, { code, err }] of outcomes.entries()) {
      assert.equal(code, 1, err);
      assert.match(err, refusals[index]?.[1] ?? /never/);
    }
    assert.equal((await quarantine('list', '--rule', 'ugly')).code, 2);
  });

  test('serves what is approved', async () => {
    const { out } = await quarantine('approve', '1');
    assert.equal(out, 'Approved 1; 1 of them are served now.\n');
    assert.deepEqual(await served(), { '1 Normal': 99, '2 Normal': 20, '3 Normal': 31 });
    assert.deepEqual((await quarantine('approve', '1')).code, 1);
  });

  test('does not list rejected prices again', async () => {
    const { out } = await quarantine('reject', '--all', '--source', 'tcgcsv');
    assert.equal(out, 'Rejected 1.\n');
    assert.deepEqual(await listed('--source', 'tcgcsv'), []);
    const [held] = await listed('--decided');
    assert.deepEqual([held?.id, held?.decision], [2, 'rejected']);
    assert.match((await quarantine('list', '--decided')).out, /2 +tcgcsv +price-jump \(rejected\)/);
  });

  test('refuses what no price can be, and approves the rest', async () => {
    const { code, out, err } = await quarantine('approve', '--all', '--source', 'scryfall');
    assert.equal(out, 'Approved 1; 1 of them are served now.\n');
    assert.equal(err, 'Refused 1: no price can be what they are.\n');
    assert.equal(code, 1);
    assert.equal((await served())['1 Foil'], 30);
    await quarantine('reject', '4');
    assert.equal((await quarantine('list')).out, 'Nothing is quarantined.\n');
  });
});
