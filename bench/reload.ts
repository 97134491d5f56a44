/**
 * Measures the memory of a serving process that reloads a whole tree because its database has
 * lost the publication it serves: before, at most during the reload, and after a rest.
 *
 *     node bench/reload.ts               # needs ../shared/data, about 2 minutes
 *
 * Options: --data FOLDER (../shared/data/tcgcsv); --rounds N reloads (3).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readPublication } from '../src/store/catalogue/publications.ts';
import { openStore } from '../src/store/connect.ts';
import { createDatabase, type EngineLabel } from '../test/support/engines.ts';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import { createCallers } from './http/prepare.ts';
import { runCommand, type ServerProcess, startServing } from './http/processes.ts';
import { percentile, requestSteadily } from './sync/steady.ts';

const CARD = '/v1/cards/pokemon-bs-charizard-004';
const MB = 1024 * 1024;
/** Seconds after which a process at rest has given back what loading took. */
const REST = 6;
/** Requests a second: few, so the process is rarely busy. */
const RATE = 50;

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/tcgcsv' },
    rounds: { type: 'string', default: '3' },
  },
});

await globalSetup();
try {
  for (const label of ['SQLite', 'PostgreSQL'] as const) await measure(label);
} finally {
  await globalTeardown();
}

async function measure(label: EngineLabel): Promise<void> {
  const { location, remove } = await createDatabase(label);
  try {
    await runCommand(location, ['import', 'tcgcsv', values.data]);
    const [key = ''] = await createCallers(location, 1);
    const server = await startServing({ database: location, path: CARD, key });
    console.log(label);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      await reload(server, { location, key });
    }
    await server.stop();
  } finally {
    await remove();
  }
}

async function reload(
  server: ServerProcess,
  { location, key }: { readonly location: string; readonly key: string },
): Promise<void> {
  await sleep(REST * 1000);
  const before = server.bytes('now');
  server.forgetPeak();
  const started = performance.now();
  const id = crypto.randomUUID();
  await namePublication(location, id);
  const steady = { url: server.url, paths: [CARD], keys: [key], perSecond: RATE };
  const latencies = await requestSteadily(steady, untilServed(server, id));
  const seconds = (performance.now() - started) / 1000;
  const peak = server.bytes('peak');
  await sleep(REST * 1000);
  const after = server.bytes('now');
  const [was, most, is] = [before, peak, after].map((bytes) => (bytes / MB).toFixed(0));
  console.log(
    `  ${was} MB before, ${most} MB at most (${(peak / before).toFixed(2)} times), ${is} MB after; ` +
      `${seconds.toFixed(1)} s; p99 ${percentile(latencies, 0.99).toFixed(0)} ms, ` +
      `slowest ${percentile(latencies, 1).toFixed(0)} ms`,
  );
}

/** Makes the newest publication another one, as a failover does that loses the former. */
async function namePublication(location: string, id: string): Promise<void> {
  const store = await openStore(location);
  const { revision } = await readPublication(store.db);
  await store.db.updateTable('publications').set({ id }).where('revision', '=', revision).execute();
  await store.close();
}

async function untilServed({ url }: ServerProcess, id: string): Promise<void> {
  for (;;) {
    const ready = (await (await fetch(`${url}/readyz`)).json()) as Readiness;
    if (ready.publication?.id === id) return;
    await sleep(20);
  }
}

interface Readiness {
  readonly publication?: { readonly id: string } | null;
}
