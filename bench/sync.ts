/**
 * Measures how a sync slows requests down: their latencies at a steady rate while nothing else
 * happens, and while a sync imports a tree in which every price has changed, alternately in the
 * same run. It also measures a sync without updates.
 *
 *     node bench/sync.ts                     # needs ../shared/data, about 3 minutes
 *
 * Options: --data FOLDER (../shared/data); --rounds N (3); --rate N requests a second (400);
 * --engine sqlite|postgres (sqlite); --work sync|bulk (sync), where bulk writes bulk files instead.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bulkExport } from '../src/commands/bulk/serving.ts';
import { SyncChild } from '../src/sync/child.ts';
import { createDatabase } from '../test/support/engines.ts';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import { median } from './http/load.ts';
import { createCallers, refill, sampleCards } from './http/prepare.ts';
import { runCommand, type ServerProcess, startServing } from './http/processes.ts';
import { type Latencies, percentile, requestSteadily, type Steady } from './sync/steady.ts';
import { changeTree, copyTree } from './sync/tree.ts';
import { simulateUpstreams } from './sync/upstreams.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const DAY_MS = 86_400_000;
/** Seconds of traffic before anything is measured, in which V8 optimises the hot code. */
const WARM_UP = 8;
/** Seconds without traffic, in which an idle process prepares documents and compacts its heap. */
const REST = 5;

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '400' },
    engine: { type: 'string', default: 'sqlite' },
    work: { type: 'string', default: 'sync' },
  },
});

interface Round {
  readonly idle: Latencies;
  readonly working: Latencies;
  readonly seconds: number;
}

const folder = await mkdtemp(join(tmpdir(), 'cardprice-bench-'));
const isBulk = values.work === 'bulk';
const onServer = values.engine === 'postgres';
if (onServer) await globalSetup();
const { location, remove } = await createDatabase(onServer ? 'PostgreSQL' : 'SQLite');
try {
  const tree = join(folder, 'tree');
  copyTree(join(values.data, 'tcgcsv'), tree);
  await runCommand(location, ['import', 'tcgcsv', tree]);
  const keys = await createCallers(location, 10);
  const paths = await mixedPaths(location);
  const server = await startServing({
    database: location,
    path: paths[0] ?? '',
    key: keys[0] ?? '',
  });
  await measureServing(server, tree, {
    url: server.url,
    paths,
    keys,
    perSecond: Number(values.rate),
  });
  await server.stop();
  if (!isBulk) await measureWithoutUpdates(tree);
} finally {
  await remove();
  await rm(folder, { recursive: true, force: true });
  if (onServer) await globalTeardown();
}

/** Cards mostly, some searches, some histories. */
async function mixedPaths(database: string): Promise<string[]> {
  const cards = await sampleCards(database, 500);
  const searches = ['charizard', 'elsa', 'forest', 'dark magician', 'luke', 'zoro', 'pikachu'];
  return cards.flatMap((id, index) => {
    const search = `/v1/search?q=${encodeURIComponent(searches[index % searches.length] ?? '')}`;
    return [`/v1/cards/${id}`, `/v1/cards/${id}`, search, `/v1/cards/${id}/history?period=30d`];
  });
}

async function measureServing(server: ServerProcess, tree: string, steady: Steady): Promise<void> {
  await requestSteadily(steady, sleep(WARM_UP * 1000));
  await sleep(REST * 1000);
  const rounds: Round[] = [];
  let seconds = 8;
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    if (!isBulk) changeTree(tree, new Date(Date.now() - DAY_MS + round * 1000));
    await refill(location);
    const idle = await requestSteadily(steady, sleep(seconds * 1000));
    const started = performance.now();
    const work = isBulk ? writeBulkFiles(join(folder, `bulk-${round}`)) : syncFrom(tree);
    const working = await requestSteadily(steady, work);
    seconds = (performance.now() - started) / 1000;
    rounds.push({ idle, working, seconds });
    show(`round ${round}`, { idle, working, seconds });
  }
  const ratios = rounds.map(({ idle, working }) => ratio(idle, working, 0.99));
  print(
    `p99 during ${values.work}, relative to p99 idle`,
    `${median(ratios).toFixed(2)} times`,
    isBulk ? '<= 1.5' : '<= 2',
  );
  print('memory of the serving process', `${Math.round(server.bytes('peak') / 2 ** 20)} MB`, '');
}

/** Writes bulk files as `serve` does with CARDPRICE_BULK. */
async function writeBulkFiles(to: string): Promise<void> {
  const env = { ...process.env, CARDPRICE_DATABASE: location, CARDPRICE_BULK_SOURCES: 'tcgcsv' };
  const outcome = await new SyncChild(bulkExport([MAIN], to, env)).run();
  if (outcome?.code !== 0) throw new Error(`nothing was written: ${JSON.stringify(outcome)}`);
}

/** Syncs as `serve --sync` does. */
async function syncFrom(tree: string): Promise<void> {
  const outcome = await new SyncChild({
    command: [process.execPath, MAIN, 'sync', '--json'],
    env: {
      ...process.env,
      CARDPRICE_DATABASE: location,
      CARDPRICE_SYNC: 'tcgcsv',
      CARDPRICE_SYNC_FROM: `tcgcsv=${tree}`,
    },
  }).run();
  const { sources } = JSON.parse(outcome?.out ?? '{}') as { sources: { pricesChanged: number }[] };
  if ((sources[0]?.pricesChanged ?? 0) < 1000)
    throw new Error(`nothing was imported: ${JSON.stringify(outcome)}`);
}

function show(name: string, { idle, working, seconds }: Round): void {
  for (const [what, latencies] of [
    ['idle', idle],
    [values.work, working],
  ] as const) {
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(latencies, share).toFixed(1));
    const extent = what === 'idle' ? '' : `, ${seconds.toFixed(1)} s`;
    const measured = `p50 ${p50}, p99 ${p99}, slowest ${max} ms of ${latencies.length}${extent}`;
    print(`${name}, ${what}`, measured, '');
  }
}

function ratio(idle: Latencies, working: Latencies, share: number): number {
  return percentile(working, share) / percentile(idle, share);
}

/** Syncs all sources that can be simulated here, first with updates, and then without any. */
async function measureWithoutUpdates(tree: string): Promise<void> {
  const { env, requests, close } = await simulateUpstreams(values.data, tree);
  Object.assign(process.env, env);
  const everything = await runCommand(location, ['sync']);
  const count = requests.size;
  print(`a sync of ${count} sources but TCGCSV`, `${everything.seconds.toFixed(1)} s`, '');
  const seconds: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    requests.clear();
    seconds.push((await runCommand(location, ['sync'])).seconds);
  }
  const most = Math.max(...requests.values());
  const measured = `${median(seconds).toFixed(2)} s, at most ${most} request a source`;
  print('the same without updates', measured, '< 2 s, 1 request');
  close();
}

function print(what: string, measured: string, goal: string): void {
  console.log(`${what.padEnd(40)} ${measured.padStart(58)}   ${goal}`);
}
