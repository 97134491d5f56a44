/** A copy of real prices by bulk files and changes, while everything is killed now and then. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDay } from '../../src/domain/day.ts';
import { findDays } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import { IS_LONG, rounds } from '../faults/support/length.ts';
import { keyFor } from '../faults/support/rising-prices.ts';
import { Serving } from '../faults/support/serving.ts';
import { cleanUp } from '../support/cleanup.ts';
import { Program, run, temporaryFolder } from '../support/cli.ts';
import { type ChangesPage, CopiedRows } from '../support/copied-rows.ts';
import { seededRandom } from '../support/edited-tree.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const ARCHIVE = join(DATA, 'tcgcsv-archive');

/** So many days of the archive; in the long form, the three programs are killed 150 times. */
const DAYS = rounds(4, 25);
const KILLS = rounds(1, 2);

/** A command is killed within so long after its start, in milliseconds. */
const LONGEST_MS = 2500;

const SOURCES = { CARDPRICE_BULK_SOURCES: 'tcgcsv,tcgcsv-archive' };

it('is what the bulk files of each archive day have, row for row', {
  timeout: IS_LONG ? 1_200_000 : 120_000,
}, async (t) => {
  const database = join(temporaryFolder(), 'cards.db');
  const folder = temporaryFolder();
  const random = seededRandom(5);
  let killed = 0;

  const command = (args: readonly string[]) => ['--database', database, ...args];
  /** Runs a command that is killed, and then to its end. */
  const complete = async (args: readonly string[]) => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const program = new Program(command(args), { env: SOURCES });
      await Promise.race([sleep(random() * LONGEST_MS), program.ended()]);
      await program.send('SIGKILL').ended();
      killed += 1;
    }
    const { code, err } = await run(command(args), { env: SOURCES });
    assert.equal(code, 0, err);
  };

  const base = ['import', 'tcgcsv', join(DATA, 'tcgcsv'), '--game', 'lorcana'];
  assert.equal((await run(command([...base, '--observed', '2025-09-18']))).code, 0);
  await complete(['export', 'bulk', folder]);
  const key = await keyFor(database);
  let serving = await Serving.start(database);

  /** Applies all changes. The node is killed between two pages. */
  const follow = async (copy: CopiedRows, since: string): Promise<string> => {
    for (let page = 0; ; page += 1) {
      const url = `${serving.url}/v1/changes?since=${since}&limit=500`;
      const answer = await fetch(url, { headers: { 'x-api-key': key } });
      assert.equal(answer.status, 200, await answer.clone().text());
      const { data, nextCursor, more } = (await answer.json()) as ChangesPage;
      for (const change of data) copy.apply(change);
      since = nextCursor;
      if (page < KILLS) {
        await serving.stop('SIGKILL');
        killed += 1;
        serving = await Serving.start(database);
      } else if (!more) return since;
    }
  };

  const unpacker = new Unpacker();
  cleanUp(() => unpacker.close());
  const days = (await findDays(ARCHIVE, unpacker)).slice(0, DAYS);
  assert.equal(days.length, DAYS);
  const copy = new CopiedRows(folder);
  let cursor = copy.cursor;
  for (const { day } of days) {
    const only = ['--from', formatDay(day), '--to', formatDay(day)];
    await complete(['import', 'tcgcsv-archive', ARCHIVE, ...only]);
    await complete(['export', 'bulk', folder]);
    cursor = await follow(copy, cursor);
    const fresh = new CopiedRows(folder);
    assert.equal(cursor, fresh.cursor);
    assert.deepEqual(copy.rows, fresh.rows);
    assert.ok(fresh.size > 1000);
  }
  assert.equal(await serving.stop(), 0);
  t.diagnostic(`${DAYS} days, ${killed} kills, ${copy.size} printings`);
});
