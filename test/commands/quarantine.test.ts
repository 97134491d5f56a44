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
    assert.match(head ?? '', /^ID +SOURCE +RULE +SINCE +CLOSES +DETAIL$/);
    assert.match(
      first ?? '',
      /^1 +tcgcsv +price-jump +2026-01-21 +2026-02-20 +Market of Card 1 \(Normal\) went/,
    );
    const [held] = await listed();
    const { detail, ...rest } = held ?? {};
    assert.match(String(detail), /from \$10\.00 to \$99\.00 since 2026-01-20: 9\.9 times/);
    assert.deepEqual(rest, {
      id: 1,
      source: 'tcgcsv',
      marketplace: 'tcgplayer',
      game: 'mtg',
      set: 'Alpha',
      card: 'mtg-lea-card-1-1',
      name: 'Card 1',
      printing: 'Normal',
      rule: 'price-jump',
      currency: 'USD',
      days: 1,
      conditions: {},
      graded: {},
      externalId: '1',
      prices: { market: 99, low: null, mid: null, high: null },
      quarantined: [{ name: 'market', value: 99, was: 10, ratio: 9.9 }],
      actions: ['approve', 'reject'],
      settledBy:
        'It is settled when another source reports a similar price, or the price returns, or its ' +
        'source keeps reporting it for long enough, or by a decision.',
      closesOn: '2026-02-20',
      observedAt: '2026-01-21T20:05:12Z',
      quarantinedAt: '2026-01-21T20:05:12Z',
      decision: null,
      decidedAt: null,
    });
  });

  test('lists the decisions that matter most in sentences, by the money at stake', async () => {
    const { code, out } = await quarantine('digest', '--limit', '1');
    assert.equal(code, 0);
    const [head, , first, example] = out.split('\n');
    assert.equal(head, '4 prices wait for 3 decisions. These 1 matter most:');
    assert.match(
      first ?? '',
      /^ 1\. tcgcsv reports 2 prices of Alpha at .* accepted: too far from its own past, .* At stake: \$/,
    );
    assert.match(example ?? '', /^ +#\d Card \d \(Normal\), market: \$/);
    const { data, total, entries } = JSON.parse((await quarantine('digest', '--json')).out);
    assert.deepEqual([data.length, total, entries], [3, 3, 4]);
    assert.ok(data[0].stake > data[1].stake);
  });

  test('lists by rule, game and source', async () => {
    const ids = async (...args: readonly string[]) => (await listed(...args)).map(({ id }) => id);
    assert.deepEqual(await ids(), [1, 2, 3, 4]);
    assert.deepEqual(await ids('--source', 'scryfall'), [3, 4]);
    assert.deepEqual(await ids('--rule', 'unknown-printing'), [3]);
    assert.deepEqual(await ids('--game', 'mtg', '--source', 'tcgcsv'), [1, 2]);
    assert.deepEqual(await ids('--game', 'pokemon'), []);
  });

  test('lists by set and day, and some at a time', async () => {
    const ids = async (...args: readonly string[]) => (await listed(...args)).map(({ id }) => id);
    assert.deepEqual(await ids('--set', 'lea'), [1, 2, 3, 4]);
    assert.deepEqual(await ids('--set', 'ALPHA', '--limit', '2', '--after', '1'), [2, 3]);
    assert.deepEqual(await ids('--from', '2026-01-21', '--to', '2026-01-21'), [1, 2, 3, 4]);
    assert.deepEqual(await ids('--from', '2026-01-22'), []);
    assert.deepEqual(await ids('--to', '2026-01-20'), []);
    const { out } = await quarantine('list', '--limit', '1');
    assert.match(out, /\n1 of 4\. The next ones: --after 1\. All in groups: --by set\n$/);
  });

  test('lists groups with their most telling entries', async () => {
    const { out } = await quarantine('list', '--by', 'set');
    const [head, counts, first] = out.split('\n');
    assert.equal(head, 'Alpha (mtg): 4');
    assert.match(
      counts ?? '',
      /^ {2}price-jump 2, .*; tcgcsv 2, scryfall 2; 2026-01-21; [\d.]+× to 9\.95×$/,
    );
    assert.match(first ?? '', /^ {2}#\d .*Card \d \(Normal\)/);
    const groups = await listed('--by', 'rule', '--limit', '1');
    assert.deepEqual(
      groups.map(({ name, count, oldest }) => [name, count, oldest]),
      [['price-jump', 2, '2026-01-21T20:05:12Z']],
    );
    const both = await listed('--by', 'set-rule', '--rule', 'price-jump');
    assert.deepEqual(
      both.map(({ name, rule, count, change }) => [name, rule, count, change]),
      [['Alpha', 'price-jump', 2, { from: 9.9, to: 9.95 }]],
    );
    for (const by of ['source', 'day']) {
      const { out: grouped } = await quarantine('list', '--by', by, '--limit', '1');
      assert.match(grouped, by === 'day' ? /^2026-01-21: 4\n/ : /1 more groups with 2 entries/);
    }
  });

  test('says why it refuses a command line', async () => {
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [['approve'], /Name ids from `quarantine list`, or use --all with --source/],
      [['approve', '--all'], /--all needs --source/],
      [['reject', '1', '--all', '--source', 'tcgcsv'], /Name ids or --all, not both\./],
      [['approve', '99'], /Nothing with the id 99 is quarantined\./],
      [['approve', 'one'], /"one" is not an id/],
      [['list', '--game', 'chess'], /There is no game "chess"/],
      [['list', '--set', 'Omega'], /There is no set "Omega"\./],
      [['reject', '--source', 'nobody', '--yes'], /There is no source "nobody"; the sources are/],
      [['list', '--from', 'Tuesday'], /--from "Tuesday" is not a day YYYY-MM-DD\./],
      [['list', '--limit', '0'], /--limit "0" is not a whole number above 0\./],
      [['undo', '1'], /Nothing with the id 1 is rejected\./],
      [['undo'], /Name ids/],
    ];
    for (const [args, message] of refusals) {
      const { code, err } = await quarantine(...args);
      assert.equal(code, 1, err);
      assert.match(err, message);
    }
    assert.equal((await quarantine('list', '--rule', 'ugly')).code, 2);
    assert.equal((await quarantine('list', '--by', 'colour')).code, 2);
  });

  test('serves approved prices', async () => {
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
    assert.equal(err, 'Refused 1: these prices are impossible.\n');
    assert.equal(code, 1);
    assert.equal((await served())['1 Foil'], 30);
    await quarantine('reject', '4');
    assert.equal((await quarantine('list')).out, 'Nothing is quarantined.\n');
  });

  test('takes rejections back', async () => {
    assert.equal(
      (await quarantine('undo', '4')).out,
      'Undone 1: they wait for your decision again.\n',
    );
    const { out } = await quarantine('undo', '--set', 'Alpha', '--json');
    assert.deepEqual(JSON.parse(out), { undone: 1 });
    assert.deepEqual(
      (await listed()).map(({ id }) => id),
      [2, 4],
    );
    assert.equal(
      (await quarantine('reject', '--set', 'LEA', '--rule', 'absurd-price')).out,
      'Rejected 1.\n',
    );
    const { out: approved } = await quarantine('approve', '--from', '2026-01-21', '--yes');
    assert.equal(approved, 'Approved 1; 1 of them are served now.\n');
    assert.equal((await served())['2 Normal'], 199);
  });
});

describe('cardprice quarantine decisions', () => {
  const database = join(temporaryFolder(), 'cards.db');
  const env = { CARDPRICE_DATABASE: database };
  const quarantine = (...args: readonly string[]) => run(['quarantine', ...args], { env });

  before(async () => {
    const store = await openStore(database);
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10, '2 Normal': 20, '3 Normal': 30 });
    await market.lists('2026-01-21', { '1 Normal': 99, '2 Normal': 199, '3 Normal': 299 });
    await store.close();
  });

  test('lists decisions, which can be undone as a whole', async () => {
    assert.equal((await quarantine('decisions')).out, 'There is no decision to undo.\n');
    await quarantine('approve', '1', '2');
    await quarantine('reject', '3');
    const { out } = await quarantine('decisions');
    assert.match(out, /^AT +DECISION +PRICES +RULES +SETS\n.*Z +rejected +1 +set-shift +Alpha\n/);
    const listed = JSON.parse((await quarantine('decisions', '--json')).out);
    const approved = listed[1];
    const { decidedAt, ...rest } = approved;
    assert.deepEqual(rest, {
      decision: 'approved',
      count: 2,
      sets: ['Alpha'],
      rules: ['set-shift'],
    });
    const undone = await quarantine('undo', '--decision', decidedAt);
    assert.equal(undone.out, 'Undone 2: they wait for your decision again.\n');
    assert.equal(JSON.parse((await quarantine('list', '--json')).out).length, 2);
    const again = await quarantine('undo', '--decision', decidedAt);
    assert.match(
      again.err,
      /^cardprice: No decision of ".*Z" can be undone\. See `cardprice quarantine decisions`\./,
    );
    const json = await quarantine('undo', '--decision', listed[0].decidedAt, '--json');
    assert.deepEqual(JSON.parse(json.out), { undone: 1, kept: 0, pricesChanged: 0 });
    const wrong = await quarantine('undo', '--decision', 'yesterday');
    assert.equal(wrong.code, 1);
  });
});

describe('a set with more quarantined prices than are decided on unasked', () => {
  const database = join(temporaryFolder(), 'cards.db');
  const env = { CARDPRICE_DATABASE: database };
  const COUNT = 1001;

  before(async () => {
    const store = await openStore(database);
    const market = new Market(store);
    const cards = Array.from({ length: COUNT }, (_, index) => `${index + 1} Foil`);
    await market.lists('2026-01-20', Object.fromEntries(cards.map((card) => [card, 10])));
    await market.lists('2026-01-21', Object.fromEntries(cards.map((card) => [card, 90])));
    await store.close();
  });

  test('is approved with --yes alone, page by page', async () => {
    const { code, err } = await run(['quarantine', 'approve', '--set', 'Alpha'], { env });
    assert.equal(code, 1);
    assert.match(
      err,
      /Approve 1,001 entries \(.* 1,001\)\? Add --yes to decide on more than 1,000\./,
    );
    const { out } = await run(['quarantine', 'approve', '--set', 'Alpha', '--yes'], { env });
    assert.equal(out, 'Approved 1001; 1001 of them are served now.\n');
  });
});
