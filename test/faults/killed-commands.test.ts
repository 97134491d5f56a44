import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, type Day, formatDay, parseDay } from '../../src/domain/day.ts';
import { importFixtures } from '../support/app.ts';
import { ArchiveFolder } from '../support/archive.ts';
import { cleanUp } from '../support/cleanup.ts';
import { Program, run } from '../support/cli.ts';
import { seededRandom } from '../support/edited-tree.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
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

forEachEngine((label) => {
  it('an archive import, a compaction and a sync that are killed finish when they are run again', {
    timeout: IS_LONG ? 1_200_000 : 120_000,
  }, async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    await importFixtures(location);
    const tree = new TreeCopy().observed(new Date().toISOString());
    const env = { CARDPRICE_DATABASE: location, CARDPRICE_SYNC_FROM: `tcgcsv=${tree.folder}` };
    const random = seededRandom(label.length);
    const commands = [['import', 'tcgcsv-archive', archive()], ['history', 'compact'], ['sync']];
    for (const args of commands) {
      for (let kill = 0; kill < rounds(2, 15); kill += 1) {
        const program = new Program(args, { env });
        await sleep(random() * LONGEST);
        await program.send('SIGKILL').ended();
      }
      const { code, err } = await run(args, { env });
      assert.equal(code, 0, `${args[0]}: ${err}`);
    }
    const { out } = await run(['export', 'history', '--printing', 'Holofoil'], { env });
    const rows = out.split('\n').filter((line) => line.startsWith('pokemon-bs-charizard-004'));
    assert.ok(rows.length >= DAYS + 1, `${rows.length} days`);
    assert.equal((await run(['history', 'check'], { env })).code, 0);
  });
});
