/**
 * Measures the service as operators and callers see it: import, start, memory, processor time per
 * request compared with bare fastify on the same core, and the quota under 64 connections.
 *
 *     node bench/http.ts                     # needs ../shared/data, 2 cores, about 5 minutes
 *
 * Options: --data FOLDER (../shared/data/tcgcsv); --rounds N (5); --seconds N a round (3);
 * --against FOLDER to measure another checkout in turns with this one; --profile FOLDER for a
 * profile of the measured server. `chrt -r 5` in front keeps other work of the machine away.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createDatabase, type EngineLabel } from '../test/support/engines.ts';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import {
  countAnswers,
  measureRate,
  median,
  type Rate,
  requestOf,
  type Workload,
} from './http/load.ts';
import { addYear, createCallers, leave, readQueries, refill, sampleCards } from './http/prepare.ts';
import {
  pinTo,
  runCommand,
  type ServerProcess,
  startBare,
  startServing,
} from './http/processes.ts';

const CARD = 'pokemon-bs-charizard-004';
const PATHS = {
  card: `/v1/cards/${CARD}`,
  batch: '/v1/cards/batch',
  search: '/v1/search?q=charizard',
  page: '/v1/search?q=charizard&limit=100',
  history: `/v1/cards/${CARD}/history?period=30d`,
};
const FIXTURES = fileURLToPath(new URL('../test/fixtures/tcgcsv', import.meta.url));
const SERVER_CORE = 0;
const CLIENT_CORE = 1;
/** Seconds of traffic before anything is measured, in which V8 optimises the hot code. */
const WARM_UP = 10;
const MB = 1024 * 1024;

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/tcgcsv' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    against: { type: 'string' },
    profile: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

const folder = await mkdtemp(join(tmpdir(), 'cardprice-bench-'));
try {
  const database = join(folder, 'bench.db');
  await measureImport(database);
  const keys = await createCallers(database, 10);
  await addYear(database, CARD);
  await measureStart(database, keys[0] ?? '');
  pinTo(CLIENT_CORE);
  await measureServing({ name: 'ours', database, keys });
  for (const engine of ['SQLite', 'PostgreSQL'] as const) await measureQuota(engine);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureImport(database: string): Promise<void> {
  const first = await runCommand(database, ['import', 'tcgcsv', values.data]);
  print('import of the whole tree', `${first.seconds.toFixed(1)} s`, '< 20 s');
  print('  its memory at most', megabytes(first.peakBytes), '< 400 MB');
  const second = await runCommand(database, ['import', 'tcgcsv', values.data]);
  print('import of the same again', `${second.seconds.toFixed(1)} s`, '< 5 s');
}

async function measureStart(database: string, key: string): Promise<void> {
  const server = await startServing({ database, path: PATHS.card, key });
  print('serve, to the first answer', `${server.seconds.toFixed(2)} s`, '< 3 s');
  print('  its memory then', megabytes(server.bytes('now')), '< 400 MB');
  print('  at most, while it loaded', megabytes(server.bytes('peak')), '');
  await server.stop();
}

/** A program that serves its own database. */
interface Contender {
  readonly name: string;
  readonly database: string;
  readonly keys: readonly string[];
  /** Its `src/main.ts`, if it is not this checkout's. */
  readonly program?: string;
}

async function measureServing(ours: Contender): Promise<void> {
  const contenders = values.against ? [ours, await former(values.against)] : [ours];
  const servers = new Map<Contender, ServerProcess>();
  try {
    for (const contender of contenders) servers.set(contender, await serve(contender));
    for (const workload of await workloads(ours.database)) await compare(workload, servers);
    for (const [{ name }, server] of servers) {
      print(`memory of ${name} after this traffic`, megabytes(server.bytes('now')), '< 400 MB');
    }
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

/** Prepares the program of another checkout with a database that it has imported itself. */
async function former(checkout: string): Promise<Contender> {
  const program = resolve(checkout, 'src/main.ts');
  const database = join(folder, 'former.db');
  await runCommand(database, ['import', 'tcgcsv', values.data], program);
  await addYear(database, CARD);
  return { name: 'former', database, keys: await createCallers(database, 10), program };
}

function serve({ database, keys: [key = ''], program, name }: Contender): Promise<ServerProcess> {
  const profile = name === 'ours' ? values.profile : undefined;
  const common = { database, core: SERVER_CORE, path: PATHS.card, key, profile };
  return startServing({ ...common, ...(program && { program }) });
}

async function workloads(database: string): Promise<Workload[]> {
  const ids = await sampleCards(database, 500);
  const queries = readQueries(join(values.data, '../search/queries.tsv'), 1000);
  const batch = JSON.stringify({ ids: ids.slice(0, 20) });
  return [
    { name: 'one card', paths: [PATHS.card], goal: 0.8 },
    { name: '500 cards in turn', paths: ids.map((id) => `/v1/cards/${id}`), goal: 0.75 },
    { name: 'one search', paths: [PATHS.search], goal: 0.8 },
    { name: 'a page of 100', paths: [PATHS.page], goal: 0.8 },
    { name: 'a page of 100, compressed', paths: [PATHS.page], encoding: 'gzip', goal: 0.65 },
    { name: '1,000 searches in turn', paths: queries, goal: 0.65 },
    { name: 'history of 30 days', paths: [PATHS.history], goal: 0.75 },
    { name: 'batch of 20 cards', paths: [PATHS.batch], body: batch, goal: 0.7 },
  ];
}

/** Alternates rounds of each program and of bare fastify with the same bodies; prints medians. */
async function compare(
  workload: Workload,
  servers: ReadonlyMap<Contender, ServerProcess>,
): Promise<void> {
  const [[first, server] = []] = servers;
  if (!first || !server) throw new Error('nothing is measured');
  const bodies = await writeBodies(workload, first, server);
  const bare = { ...first, name: 'bare fastify' };
  const all = new Map([...servers, [bare, await startBare(bodies, SERVER_CORE)] as const]);
  try {
    const rates = await takeTurns(workload, all);
    const bound = microsOf(rates.get(bare) ?? []);
    print(workload.name, '', `goal ${workload.goal.toFixed(2)}`);
    for (const [{ name }, measured] of rates) {
      print(`  ${name}`, showRates(measured), (bound / microsOf(measured)).toFixed(2));
    }
  } finally {
    await all.get(bare)?.stop();
  }
}

async function takeTurns(
  workload: Workload,
  servers: ReadonlyMap<Contender, ServerProcess>,
): Promise<Map<Contender, Rate[]>> {
  const rates = new Map([...servers.keys()].map((contender) => [contender, [] as Rate[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [contender, server] of servers) {
      const { database, keys } = contender;
      await refill(database);
      const rate = await measureRate(server, workload, keys, round === 0 ? WARM_UP : seconds);
      if (round > 0) rates.get(contender)?.push(rate);
    }
  }
  return rates;
}

/** Writes the responses to a file, so that bare fastify sends the same bodies. */
async function writeBodies(
  workload: Workload,
  { database, keys: [key = ''] }: Contender,
  server: ServerProcess,
): Promise<string> {
  const bodies: unknown[] = [];
  for (const path of workload.paths) {
    const answer = await fetch(`${server.url}${path}`, requestOf(workload, key));
    bodies.push(await answer.json());
  }
  const file = join(dirname(database), 'bodies.json');
  await writeFile(file, JSON.stringify(bodies));
  return file;
}

function microsOf(rates: readonly Rate[]): number {
  return median(rates.map((rate) => rate.micros));
}

function showRates(rates: readonly Rate[]): string {
  const perSecond = Math.round(median(rates.map((rate) => rate.perSecond)));
  const p99 = median(rates.map((rate) => rate.p99Ms));
  return `${microsOf(rates).toFixed(1)} µs, ${perSecond}/s, p99 ${p99} ms`;
}

/**
 * Requests more than the last 500 requests of an account, over 64 connections and two processes.
 */
async function measureQuota(engine: EngineLabel): Promise<void> {
  if (engine === 'PostgreSQL') await globalSetup();
  const { location, remove } = await createDatabase(engine);
  try {
    await runCommand(location, ['import', 'tcgcsv', FIXTURES]);
    const [key = ''] = await createCallers(location, 1);
    const server = await startServing({ database: location, workers: 2, path: PATHS.card, key });
    await leave(location, key, 500);
    const counts = await countAnswers(server, PATHS.card, key, 2000);
    print(`the last 500 requests, ${engine}`, JSON.stringify(counts), '200: 500, 429: 1500');
    await server.stop();
  } finally {
    await remove();
    if (engine === 'PostgreSQL') await globalTeardown();
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}

function print(what: string, measured: string, goal: string): void {
  console.log(`${what.padEnd(40)} ${measured.padStart(38)}   ${goal}`);
}
