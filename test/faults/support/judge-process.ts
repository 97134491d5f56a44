/** A process that serves publications and judges alerts, until it is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Catalog } from '../../../src/catalog/catalog.ts';
import { judgeAlerts } from '../../../src/http/alerts.ts';
import { changesReader } from '../../../src/store/catalogue/changes.ts';
import { openStore } from '../../../src/store/connect.ts';

const [, , location = ''] = process.argv;
const store = await openStore(location, { isMigrating: false });
const catalog = new Catalog(store, { aliases: [] });
const judging = { store, catalog, changes: changesReader(store), clock: store.clock };

process.once('disconnect', () => process.exit());
process.send?.('judging');
for (;;) {
  try {
    await catalog.refresh();
    await judgeAlerts(judging);
  } catch (error) {
    console.error(error);
  }
  await sleep(5);
}
