import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, type Day, formatDay, parseDay } from '../../src/domain/day.ts';
import { isPostgres } from '../../src/domain/location.ts';
import { importLockHolder } from '../../src/store/catalogue/imports.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { ArchiveFolder } from '../support/archive.ts';
import { cleanUp } from '../support/cleanup.ts';
import { Program, run, temporaryFolder } from '../support/cli.ts';
import { seededRandom } from '../support/edited-tree.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { TreeCopy } from '../support/tcgcsv.ts';
import { IS_LONG, rounds } from './support/length.ts';

/** A command is killed within so long after its start, in milliseconds. */
const LONGEST = 1500;
const DAYS = 60;
const LAST = parseDay('2026-01-28') as Day;

/** An archive with a price of one printing on each of many days. */
function archive(): string {
  const folder = new ArchiveFolder();
  for (let ago = 1; ago <= DAYS; ago += 1) {
    const price = { productId: 42_382, subTypeName: 'Holofoil', market: 100 + (ago % 7) };
    folder.day(formatDay(addDays(LAST, -ago)), '3/604', [price]);
  }
  return folder.folder;
}

/** The files of a database, and those that a restore replaced. */
const DATABASE = /^[^.]+\.db(-accounts|-usage)?(\.before-\d{8}T\d{6})?$/;

/** What Node itself keeps in the folder for temporary files. */
const CACHE_OF_NODE = 'node-compile-cache';

const BACKUP = /^cardprice-\d{8}T\d{6}Z$/;

/** A database, another one to restore into, and the folders of their commands. */
async function createPlace(label: EngineLabel) {
  const [source, target] = [await createDatabase(label), await createDatabase(label)];
  cleanUp(source.remove);
  cleanUp(target.remove);
  await importFixtures(source.location);
  const [backups, temporary] = [temporaryFolder(), temporaryFolder()];
  const env = {
    CARDPRICE_DATABASE: source.location,
    CARDPRICE_SYNC_FROM: `tcgcsv=${new TreeCopy().observed(new Date().toISOString()).folder}`,
    TMPDIR: temporary,
  };
  const first = await run(['backup', '--output', backups], { env });
  assert.equal(first.code, 0, first.err);
  return { location: source.location, target: target.location, backups, temporary, env };
}

type Place = Awaited<ReturnType<typeof createPlace>>;

/** The commands in the order of their kills; a rollback comes after the import that it undoes. */
function commandsOf({ target, backups }: Place): (() => readonly string[])[] {
  const folder = archive();
  const newest = () => join(backups, readdirSync(backups).sort().at(-1) ?? '');
  return [
    () => ['import', 'tcgcsv-archive', folder],
    () => ['history', 'compact'],
    () => ['sync'],
    () => ['backup', '--output', backups, '--keep', '3'],
    () => ['--database', target, 'restore', newest(), '--replace'],
    () => ['quarantine', 'rollback', '--source', 'tcgcsv', '--from', formatDay(addDays(LAST, -9))],
  ];
}

/** What is where it should not be. */
async function leftOver({ location, target, backups, temporary }: Place): Promise<string[]> {
  const databases = [location, target].filter((one) => !isPostgres(one)).map(dirname);
  const files = databases.flatMap((folder) => readdirSync(folder));
  const store = await openStore(location, { isMigrating: false });
  const holder = await importLockHolder(store.db).finally(() => store.close());
  return [
    ...files.filter((name) => !DATABASE.test(name)),
    ...readdirSync(backups).filter((name) => !BACKUP.test(name)),
    ...readdirSync(temporary).filter((name) => name !== CACHE_OF_NODE),
    ...(holder ? [`the lock of ${holder.holder}`] : []),
  ];
}

forEachEngine((label) => {
  it('commands that are killed lose nothing, and leave nothing when they are run again', {
    timeout: IS_LONG ? 1_800_000 : 180_000,
  }, async () => {
    const place = await createPlace(label);
    const { env } = place;
    const random = seededRandom(label.length);
    for (let round = 0; round < rounds(1, 34); round += 1) {
      for (const command of commandsOf(place)) {
        const args = command();
        const program = new Program(args, { env });
        await sleep(random() * LONGEST);
        await program.send('SIGKILL').ended();
        // If it had finished, the next backup of the same second would have its name.
        await sleep(1000);
        const { code, err } = await run(args, { env });
        assert.equal(code, 0, `${args.join(' ')}: ${err}`);
        assert.deepEqual(await leftOver(place), [], args.join(' '));
      }
      assert.equal((await run(['history', 'check'], { env })).code, 0);
    }
    const { out } = await run(['export', 'history', '--printing', 'Holofoil'], { env });
    const rows = out.split('\n').filter((line) => line.startsWith('pokemon-bs-charizard-004'));
    assert.ok(rows.length >= DAYS - 10, `${rows.length} days`);
    assert.equal((await run(['--database', place.target, 'history', 'check'], { env })).code, 0);
  });
});
