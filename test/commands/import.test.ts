import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { run } from '../support/cli.ts';
import { MAIN } from '../support/main-module.ts';
import { FIXTURE, FIXTURE_CARDS, FIXTURE_SETS, TreeCopy } from '../support/tcgcsv.ts';

const folder = mkdtempSync(join(tmpdir(), 'cardprice-import-'));
after(() => rmSync(folder, { recursive: true }));
let databases = 0;

function freshDatabase(): string {
  databases += 1;
  return join(folder, `${databases}.db`);
}

async function cardprice(database: string, ...args: readonly string[]) {
  const { code, out, err } = await run(['--database', database, ...args]);
  return { status: code, stdout: out, stderr: err };
}

describe('cardprice import tcgcsv', () => {
  test('prints a summary of what it imported and what it left out', async () => {
    const { status, stdout, stderr } = await cardprice(
      freshDatabase(),
      'import',
      'tcgcsv',
      FIXTURE,
    );
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.match(stdout, /^Imported tcgcsv as observed on 2026-01-28T20:05:12Z in \d+\.\d s$/m);
    assert.match(
      stdout,
      new RegExp(`^Sets {6}${FIXTURE_SETS} \\(${FIXTURE_SETS} new\\), 0 unchanged$`, 'm'),
    );
    assert.match(
      stdout,
      new RegExp(`^Cards {5}${FIXTURE_CARDS} \\(${FIXTURE_CARDS} new, 0 changed\\)$`, 'm'),
    );
    assert.match(stdout, /^History {3}\d+ points added, 0 corrected$/m);
    assert.match(stdout, /^Products {2}5$/m);
  });

  test('prints JSON for programs', async () => {
    const { stdout } = await cardprice(freshDatabase(), 'import', 'tcgcsv', FIXTURE, '--json');
    const summary = JSON.parse(stdout);
    assert.equal(summary.observedAt, '2026-01-28T20:05:12Z');
    assert.equal(summary.setsAdded, FIXTURE_SETS);
  });

  test('imports only the games that the flags name by slug or alias', async () => {
    const args = ['import', 'tcgcsv', FIXTURE, '--game', 'swu', 'pokemon-jp', '--json'];
    const summary = JSON.parse((await cardprice(freshDatabase(), ...args)).stdout);
    assert.deepEqual(summary.games, ['swu', 'pokemonjp']);
    assert.equal(summary.setsAdded, 3);
  });

  test('names a broken group, imports the others and ends with 3', async () => {
    const tree = new TreeCopy().write('3/604/prices', '{');
    const { status, stderr } = await cardprice(freshDatabase(), 'import', 'tcgcsv', tree.folder);
    assert.equal(status, 3);
    assert.match(stderr, /Base Set: prices: not valid JSON/);
  });

  test('names a bad row and imports the others; status lists it until it is fixed', async () => {
    const database = freshDatabase();
    const tree = new TreeCopy();
    const edit = (lowPrice: unknown) => {
      tree.edit('3/604/prices', ([first]) => Object.assign(first ?? {}, { lowPrice }));
    };
    const importTree = () => cardprice(database, 'import', 'tcgcsv', tree.folder);
    edit('free');
    const { status, stderr } = await importTree();
    assert.equal(status, 3);
    assert.match(stderr, /^Skipped {3}.*Base Set, prices, row 1 .*: lowPrice must be number, but/m);
    const { stdout } = await cardprice(database, 'status');
    assert.match(stdout, /^ {2}tcgcsv 3\/604: 1 left out, since 20\d\d-/m);
    const rows = JSON.parse((await cardprice(database, 'status', '--json')).stdout);
    const failed = rows.flatMap(({ failedParts }: { failedParts: object[] }) => failedParts);
    assert.equal(failed.length, 1);
    assert.deepEqual([failed[0].part, failed[0].badRows], ['3/604', 1]);
    edit(null);
    assert.equal((await importTree()).status, 0);
    assert.doesNotMatch((await cardprice(database, 'status')).stdout, /left out/);
  });

  const REFUSED: readonly (readonly [readonly string[], RegExp])[] = [
    [['/no/such/folder'], /^cardprice: There is no folder \/no\/such\/folder\.\n$/],
    [['package.json'], /is a file; a folder is expected/],
    [[FIXTURE, '--game', 'chess'], /There is no game "chess"; the games are pokemon, /],
    [[FIXTURE, '--observed', '2026-02-30'], /is not a day YYYY-MM-DD/],
    [['http://127.0.0.1:1', '--pause', 'x'], /--pause "x" is not a number/],
  ];
  for (const [args, message] of REFUSED) {
    test(`refuses ${args.join(' ')} with one clear line`, async () => {
      const { status, stderr, stdout } = await cardprice(
        freshDatabase(),
        'import',
        'tcgcsv',
        ...args,
      );
      assert.equal(status, 1);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.equal(stdout, '');
    });
  }

  test('is finished by the next run, without a wait, when it was killed at any moment', async () => {
    const database = freshDatabase();
    for (const delay of [350, 450, 550, 650]) {
      const args = [MAIN, '--database', database, 'import', 'tcgcsv', FIXTURE];
      const child = spawn(process.execPath, args, { stdio: 'ignore' });
      setTimeout(() => child.kill('SIGKILL'), delay);
      await once(child, 'exit');
    }
    const last = await cardprice(database, 'import', 'tcgcsv', FIXTURE, '--json');
    assert.equal(last.status, 0, last.stderr);
    const summary = JSON.parse(last.stdout);
    assert.equal(summary.sets + summary.setsUnchanged, FIXTURE_SETS);
  });
});
