import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, Program, run } from '../support/cli.ts';
import { seededRandom } from '../support/edited-tree.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { IS_LONG, rounds } from './support/length.ts';
import { keyFor, Reader, RisingPrices } from './support/rising-prices.ts';
import { Serving } from './support/serving.ts';

/** An import is killed within so long after its start, in milliseconds. */
const LONGEST = 1200;

forEachEngine((label) => {
  it('imports that are killed lose nothing, and no answer is of half a publication', {
    timeout: IS_LONG ? 1_200_000 : 120_000,
  }, async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    const prices = new RisingPrices();
    assert.equal((await prices.import(location)).code, 0);
    const key = await keyFor(location);
    const serving = await Serving.start(location);
    const reader = await Reader.of(serving.url, key, location);
    const reading = reader.start();
    const random = seededRandom(label.length);
    const kills = rounds(4, label === 'SQLite' ? 126 : 26);
    for (let kill = 0; kill < kills; kill += 1) {
      prices.rise();
      const args = ['--database', location, 'import', 'tcgcsv', prices.folder];
      const program = new Program(args);
      await sleep(random() * LONGEST);
      await program.send('SIGKILL').ended();
      if (kill % 4 !== 3) continue;
      const { code, err } = await prices.import(location);
      assert.equal(code, 0, err);
      // The first import of the reader's prices was of step 0.
      await eventually(() => reader.step === prices.step);
    }
    await reading.stop();
    assert.deepEqual(reader.wrong, []);
    assert.deepEqual(serving.errors, []);
    const check = await run(['--database', location, 'history', 'check']);
    assert.equal(check.code, 0, check.err);
    console.log(`${label}: ${kills} kills, ${reader.answers} answers`);
  });
});
