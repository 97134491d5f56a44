import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { type Outcome, run, temporaryFolder } from '../support/cli.ts';
import { Market } from '../support/market.ts';

describe('cardprice quarantine rollback', () => {
  const database = join(temporaryFolder(), 'cards.db');

  const rollback = (...args: readonly string[]): Promise<Outcome> => {
    return run(['quarantine', 'rollback', ...args], { env: { CARDPRICE_DATABASE: database } });
  };

  const served = async () => {
    const store = await openStore(database);
    return new Market(store).served().finally(() => store.close());
  };

  before(async () => {
    const store = await openStore(database);
    const market = new Market(store, { limits: null });
    await market.lists('2026-01-19', { '1 Foil': 11, '2 Foil': 20 });
    await market.lists('2026-01-20', { '1 Foil': 22, '2 Foil': 20 });
    await store.close();
  });

  const TCGCSV = ['--source', 'tcgcsv'];
  const FROM = ['--from', '2026-01-20'];

  const refused: readonly (readonly [readonly string[], RegExp, number?])[] = [
    [['--source', 'nobody', ...FROM], /There is no source "nobody"; the sources are quotes, tcg/],
    [
      ['--source', 'starter', ...FROM],
      /from starter count as prices of tcgcsv\. Use --source tcgcsv/,
    ],
    [[...TCGCSV, '--from', 'tuesday'], /--from "tuesday" is not a day YYYY-MM-DD/],
    [[...TCGCSV, ...FROM, '--to', '2026-02-30'], /--to "2026-02-30" is not a day/],
    [[...TCGCSV, ...FROM, '--to', '2026-01-19'], /--to 2026-01-19 is before --from/],
    [[...TCGCSV, ...FROM, '--game', 'chess'], /There is no game "chess"/],
    [[...TCGCSV, ...FROM, '--set', 'nowhere'], /There is no set "nowhere"/],
    [TCGCSV, /Required option '--from <day>' not specified/, 2],
  ];
  for (const [args, message, exitCode = 1] of refused) {
    test(`refuses ${args.join(' ')} with one clear line`, async () => {
      const { code, out, err } = await rollback(...args);
      assert.deepEqual([code, out], [exitCode, '']);
      assert.match(err, message);
    });
  }

  test('shows in a dry run what it would do, and changes nothing', async () => {
    const { code, out } = await rollback(...TCGCSV, ...FROM, '--set', 'lea', '--dry-run');
    assert.equal(code, 0);
    const lines = out.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^Dry run {3}nothing is changed: tcgcsv from 2026-01-20 on, in/);
    assert.deepEqual(lines.slice(1), [
      'Printings 2; 1 of them serve another price',
      'History   2 days of printings removed',
      'Source    2 prices put back to an earlier day, 0 removed',
      'Also      0 entries of the quarantine, 0 files',
    ]);
    assert.deepEqual(await served(), { '1 Foil': 22, '2 Foil': 20 });
  });

  test('rolls back, and prints a summary as JSON', async () => {
    const { code, out, err } = await rollback(...TCGCSV, ...FROM, '--game', 'mtg', '--json');
    assert.equal(code, 0, err);
    const { seconds, ...told } = JSON.parse(out);
    assert.equal(typeof seconds, 'number');
    assert.deepEqual(told, {
      dryRun: false,
      printings: 2,
      days: 2,
      unknownDays: 0,
      putBack: 2,
      removed: 0,
      pricesChanged: 1,
      quarantined: 0,
      files: 0,
      damaged: [],
    });
    assert.deepEqual(await served(), { '1 Foil': 11, '2 Foil': 20 });
  });

  test('says that the days are already rolled back when it is repeated', async () => {
    const { code, out, err } = await rollback(...TCGCSV, ...FROM);
    assert.deepEqual([code, err], [0, '']);
    const nothing = 'Nothing of tcgcsv from 2026-01-20 on is left: already rolled back, or never';
    assert.equal(out, `${nothing} imported.\n`);
    assert.deepEqual(await served(), { '1 Foil': 11, '2 Foil': 20 });
  });
});
