import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { MAIN } from '../support/main-module.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
const HEAD = 'card,printing,date,market,low,mid,high,source,marketplace,repeated';

/** A database with the fixture and two more days of Charizard, one for an unknown printing. */
async function fill(database: string): Promise<void> {
  await importFixtures(database);
  const store = await openStore(database);
  const charizard = { productId: 42_382, market: 300 };
  const archive = new ArchiveFolder()
    .day('2025-12-24', '3/604', [
      { ...charizard, subTypeName: 'Holofoil', low: 250.5 },
      { ...charizard, subTypeName: 'Foil, "odd"' },
      { ...charizard, subTypeName: '=odd' },
    ])
    .day('2025-12-25', '3/604', [{ ...charizard, subTypeName: 'Holofoil' }]);
  await importArchive(store, archive.folder, { limits: null });
  await store.close();
}

/** The served prices of the fixture's printings, without the unknown one of the archive. */
async function figuresOf(database: string) {
  const store = await openStore(database);
  try {
    const columns = ['id', 'market', 'low', 'mid', 'high'] as const;
    const printings = store.db.selectFrom('printings').where('name', 'not like', '%odd%');
    return await printings.select(columns).orderBy('id').execute();
  } finally {
    await store.close();
  }
}

describe('cardprice export history', () => {
  const database = join(temporaryFolder(), 'cards.db');
  before(() => fill(database));

  const exported = async (...args: readonly string[]) => {
    const outcome = await run(['export', 'history', ...args], {
      env: { CARDPRICE_DATABASE: database },
    });
    return { ...outcome, lines: outcome.out.trimEnd().split('\n') };
  };

  test('writes a row for each card, printing and day, oldest first', async () => {
    const { code, lines } = await exported('--card', CHARIZARD);
    assert.equal(code, 0);
    assert.deepEqual(lines, [
      HEAD,
      `${CHARIZARD},Holofoil,2025-12-24,300,250.5,,,tcgcsv,tcgplayer,false`,
      `${CHARIZARD},Holofoil,2025-12-25,300,,,,tcgcsv,tcgplayer,false`,
      `${CHARIZARD},Holofoil,2026-01-28,453.86,330.04,499.5,1249.99,tcgcsv,tcgplayer,false`,
      `${CHARIZARD},"Foil, ""odd""",2025-12-24,300,,,,tcgcsv,tcgplayer,false`,
      `${CHARIZARD},'=odd,2025-12-24,300,,,,tcgcsv,tcgplayer,false`,
    ]);
  });

  test('writes names that look like formulas as they are for programs', async () => {
    const { lines } = await exported('--card', CHARIZARD, '--raw');
    assert.equal(lines.at(-1), `${CHARIZARD},=odd,2025-12-24,300,,,,tcgcsv,tcgplayer,false`);
  });

  test('writes JSON lines', async () => {
    const { lines } = await exported(
      '--card',
      CHARIZARD,
      '--format',
      'ndjson',
      '--to',
      '2025-12-24',
    );
    assert.deepEqual(JSON.parse(lines[0] ?? ''), {
      card: CHARIZARD,
      printing: 'Holofoil',
      date: '2025-12-24',
      market: 300,
      low: 250.5,
      mid: null,
      high: null,
      source: 'tcgcsv',
      marketplace: 'tcgplayer',
      repeated: false,
    });
    assert.equal(lines.length, 3);
  });

  test('exports only the games, sets, printings and days that the flags name', async () => {
    const count = async (...args: readonly string[]) => (await exported(...args)).lines.length - 1;
    const all = await count();
    const swu = await count('--game', 'swu');
    assert.ok(swu > 0 && swu < all);
    assert.equal(await count('--set', 'base set'), await count('--set', 'BS'));
    assert.equal(await count('--set', 'pokemon-base-set'), await count('--set', 'BS'));
    assert.equal(await count('--card', CHARIZARD, '--printing', 'holoFOIL'), 3);
    assert.equal(await count('--card', CHARIZARD, '--from', '2025-12-25', '--to', '2025-12-31'), 1);
    assert.equal(await count('--game', 'swu', '--set', 'BS'), 0);
  });

  for (const format of ['csv', 'ndjson']) {
    test(`writes ${format} that changes nothing when imported again, and restores an empty history`, async () => {
      const folder = temporaryFolder();
      const file = join(folder, `history.${format}`);
      const { code, out } = await exported('--format', format, '--output', file);
      assert.deepEqual([code, out], [0, '']);
      const same = join(folder, 'same.db');
      copyFileSync(database, same);
      const into = async (target: string) => {
        const env = { CARDPRICE_DATABASE: target };
        return JSON.parse((await run(['import', 'quotes', file, '--json'], { env })).out);
      };
      const served = await figuresOf(same);
      const { historyAdded, historyCorrected } = await into(same);
      assert.deepEqual([historyAdded, historyCorrected], [0, 0]);
      assert.deepEqual(await figuresOf(same), served);
      const fresh = join(folder, 'fresh.db');
      await importFixtures(fresh);
      // The operator must approve finishes that only the archive has.
      const { historyAdded: added, quarantined } = await into(fresh);
      assert.deepEqual([added, quarantined], [2, { 'unknown-printing': 2 }]);
      const env = { CARDPRICE_DATABASE: fresh };
      const { out: again } = await run(['export', 'history', '--format', format], { env });
      const past = readFileSync(file, 'utf8').split('\n');
      const kept = past.filter((line) => !line.includes('odd'));
      // The days that were missing are now the operator's own, of the same marketplace.
      const own = again.split('\n').filter((line) => line.includes('quotes'));
      assert.equal(own.length, 2);
      assert.deepEqual(again.replaceAll('quotes', 'tcgcsv').split('\n').sort(), kept.sort());
    });
  }

  test('ends quietly when its reader stops reading', () => {
    const command = `${process.execPath} ${MAIN} --database ${database} export history | head -1`;
    const { stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', command], {
      encoding: 'utf8',
    });
    assert.deepEqual([stdout, stderr], [`${HEAD}\n`, '']);
  });

  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['--game', 'chess'], /There is no game "chess"/],
    [['--set', 'nowhere'], /There is no set "nowhere"/],
    [['--card', 'nobody'], /There is no card "nobody"/],
    [['--from', 'now'], /--from "now" is not a day/],
    [['--to', 'now'], /--to "now" is not a day/],
    [['--output', '/no/such/folder/x.csv'], /cannot be written: ENOENT/],
  ];
  for (const [args, message] of refused) {
    test(`refuses ${args.join(' ')} with one clear line`, async () => {
      const { code, out, err } = await exported(...args);
      assert.equal(code, 1);
      assert.match(err, message);
      assert.equal(err.trim().split('\n').length, 1);
      assert.equal(out, '');
    });
  }
});
