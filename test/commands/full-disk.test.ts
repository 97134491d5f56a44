import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { openStore } from '../../src/store/connect.ts';
import { eventually, Program, run, temporaryFolder, vacantPort } from '../support/cli.ts';
import { MAIN } from '../support/main-module.ts';
import { FIXTURE, FIXTURE_CARDS } from '../support/tcgcsv.ts';

interface FullDisk {
  readonly what: string;
  /** The command that runs the program as if on such a disk. */
  readonly command: readonly string[];
  readonly says: RegExp;
}

const NODE = process.execPath;

const FULL_DISKS: readonly FullDisk[] = [
  {
    what: 'no space is left',
    command: [NODE, '--import', './test/support/full-disk.ts', MAIN],
    says: /^cardprice: There is no space left for the database\. .* intact\. .* run this again/,
  },
  {
    what: 'files may not grow',
    // Less than what the import writes for its first groups.
    command: ['bash', '-c', 'ulimit -f 64; exec "$@"', 'bash', NODE, MAIN],
    says: /^cardprice: The disk is full, over a limit or failing \(SQLITE_IOERR_WRITE\)/,
  },
];

for (const { what, command, says } of FULL_DISKS) {
  it(`when ${what}, an import reports it, changes nothing for readers, and can be repeated`, async () => {
    const database = join(temporaryFolder(), 'full.db');
    const importAll = ['--database', database, 'import', 'tcgcsv', FIXTURE];
    await run([...importAll, '--game', 'swu']);
    const reader = await openCatalog(database);
    assert.equal(reader.cardCount, 3);

    const failed = await run(importAll, { command });
    assert.match(failed.err, says);
    assert.match(failed.err, /^[^\n]+\n$/);
    assert.equal(failed.code, 1);
    assert.equal(await reader.refresh(), false);

    const repeated = await run(importAll);
    assert.equal(repeated.code, 0, repeated.err);
    assert.equal(await reader.refresh(), true);
    assert.equal(reader.cardCount, FIXTURE_CARDS);
  });
}

/** Runs the program with a standard output on a full disk. */
const TO_FULL_DISK = ['bash', '-c', 'exec "$@" > /dev/full', 'bash', NODE, MAIN];

describe('When the standard output is on a full disk,', () => {
  const database = join(temporaryFolder(), 'cards.db');
  const env = { CARDPRICE_DATABASE: database };
  before(() => run(['migrate'], { env }));

  const COMMANDS = [
    ['--help'],
    ['--version'],
    ['config', '--all'],
    ['plan', 'list'],
    ['plan', 'list', '--json'],
    ['audit', '--json'],
    ['export', 'history'],
    ['usage', '--format', 'csv'],
    ['import', 'tcgcsv', FIXTURE],
  ];
  for (const args of COMMANDS) {
    it(`${args.join(' ')} reports it in one line`, async () => {
      const { code, err } = await run(args, { env, command: TO_FULL_DISK });
      assert.match(err, /^cardprice: The output cannot be written: ENOSPC: [^\n]+\n$/);
      assert.equal(code, 1);
    });
  }

  it('the import has still published, and freed its lock', async () => {
    const reader = await openCatalog(database);
    assert.equal(reader.cardCount, FIXTURE_CARDS);
    assert.equal((await run(['import', 'tcgcsv', FIXTURE], { env })).code, 0);
  });

  /** Serves until the service is ready and has tried to write its log. */
  async function serve(command: readonly string[], hasTried: (program: Program) => boolean) {
    const port = await vacantPort();
    const program = new Program(['serve', '--port', String(port)], { env, command });
    const isServed = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok);
    await eventually(() => hasTried(program));
    await eventually(() => isServed().catch(() => false));
    return program.send('SIGTERM').ended();
  }

  it('serve loses its log and keeps serving', async () => {
    const { code, err } = await serve(TO_FULL_DISK, (program) => program.err !== '');
    assert.match(err, /^cardprice: The log cannot be written: ENOSPC: [^\n]+\n$/);
    assert.equal(code, 0);
  });

  it('serve keeps serving if the standard error output is there too', async () => {
    const command = ['bash', '-c', 'exec "$@" > /dev/full 2>&1', 'bash', NODE, MAIN];
    // Its first line of the log says that it listens.
    assert.equal((await serve(command, () => true)).code, 0);
  });
});

/** Loads the catalogue as a serving process does, until the test ends. */
async function openCatalog(database: string): Promise<Catalog> {
  const store = await openStore(database);
  after(() => store.close());
  const catalog = new Catalog(store);
  await catalog.refresh();
  return catalog;
}
