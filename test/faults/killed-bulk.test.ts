import { it } from 'node:test';
import { importFixtures } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/cli.ts';
import { seededRandom } from '../support/edited-tree.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { killBulkWriters } from '../support/killed-bulk.ts';
import { rounds } from './support/length.ts';

forEachEngine((engine) => {
  it('leaves a whole list of bulk files when their writer is killed, and nothing else', async () => {
    const database = await createDatabase(engine);
    cleanUp(database.remove);
    await importFixtures(database.location);
    const kills = rounds(50, 500);
    await killBulkWriters(database.location, temporaryFolder(), { kills, random: seededRandom(1) });
  });
});
