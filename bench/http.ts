/**
 * Measures the service as operators and callers see it: import, start, memory, requests a second
 * compared with bare fastify on the same core, and the quota under 64 connections.
 *
 *     node bench/http.ts                     # needs ../shared/data, 2 cores, about 5 minutes
 *
 * Options: --data FOLDER (../shared/data/tcgcsv); --rounds N (5); --seconds N a round (3);
 * --profile FOLDER for a profile of the measured server.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createDatabase, type EngineLabel } from '../test/support/engines.ts';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import { countAnswers, measureRate, median, type Rate } from './http/load.ts';
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
  cards: `/v1/cards/${CARD}`,
  search: '/v1/search?q=charizard',
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
  await measureServing({ database, keys });
  for (const engine of ['SQLite', 'PostgreSQL'] as const) await measureQuota(engine);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureImport(database: string): Promise<void> {
  const first = await runCommand(database, 'import', 'tcgcsv', values.data);
  print('import of the whole tree', `${first.seconds.toFixed(1)} s`, '< 20 s');
  print('  its memory at most', megabytes(first.peakBytes), '< 400 MB');
  const second = await runCommand(database, 'import', 'tcgcsv', values.data);
  print('import of the same again', `${second.seconds.toFixed(1)} s`, '< 5 s');
}

async function measureStart(database: string, key: string): Promise<void> {
  const server = await startServing({ database, path: PATHS.cards, key });
  print('serve, to the first answer', `${server.seconds.toFixed(2)} s`, '< 3 s');
  print('  its memory then', megabytes(server.bytes('now')), '< 400 MB');
  print('  at most, while it loaded', megabytes(server.bytes('peak')), '');
  await server.stop();
}

interface Bed {
  readonly database: string;
  readonly keys: readonly string[];
}

async function measureServing(bed: Bed): Promise<void> {
  const common = { database: bed.database, core: SERVER_CORE, path: PATHS.cards, key: oneOf(bed) };
  const ours = await startServing({ ...common, profile: values.profile });
  try {
    for (const workload of await workloads(bed.database)) {
      await compare(bed, workload, ours);
    }
    print('memory after this traffic', megabytes(ours.bytes('now')), '< 400 MB');
  } finally {
    await ours.stop();
  }
}

/** The paths to request in turn, and the goal in per cent of bare fastify's rate. */
interface Workload {
  readonly name: string;
  readonly paths: readonly string[];
  readonly goal: number;
}

async function workloads(database: string): Promise<Workload[]> {
  const cards = (await sampleCards(database, 2000)).map((id) => `/v1/cards/${id}`);
  const queries = readQueries(join(values.data, '../search/queries.tsv'), 1000);
  return [
    { name: 'one card', paths: [PATHS.cards], goal: 70 },
    { name: '2,000 cards in turn', paths: cards, goal: 70 },
    { name: 'one search', paths: [PATHS.search], goal: 50 },
    { name: '1,000 searches in turn', paths: queries, goal: 50 },
    { name: 'history of 30 days', paths: [PATHS.history], goal: 50 },
  ];
}

function oneOf({ keys: [key = ''] }: Bed): string {
  return key;
}

/** Alternates rounds of our server and of bare fastify with the same bodies; prints medians. */
async function compare(
  bed: Bed,
  { name, paths, goal }: Workload,
  ours: ServerProcess,
): Promise<void> {
  const bare = await startBare(await writeBodies(bed, paths, ours), SERVER_CORE);
  try {
    const rates = await takeTurns(bed, paths, { ours, bare });
    const bound = perSecond(rates.bare ?? []);
    print(name, '', `ours >= ${goal}% of bare fastify`);
    for (const [who, all] of Object.entries(rates)) {
      print(`  ${who}`, showRates(all), `${((100 * perSecond(all)) / bound).toFixed(0)}%`);
    }
  } finally {
    await bare.stop();
  }
}

async function takeTurns(
  { database, keys }: Bed,
  paths: readonly string[],
  servers: Readonly<Record<string, ServerProcess>>,
): Promise<Record<string, Rate[]>> {
  const rates: Record<string, Rate[]> = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [who, server] of Object.entries(servers)) {
      await refill(database);
      const rate = await measureRate(server, paths, keys, round === 0 ? WARM_UP : seconds);
      if (round > 0) rates[who] = [...(rates[who] ?? []), rate];
    }
  }
  return rates;
}

/** Writes the responses of the paths to a file, so that bare fastify sends the same bodies. */
async function writeBodies(
  bed: Bed,
  paths: readonly string[],
  server: ServerProcess,
): Promise<string> {
  const bodies: unknown[] = [];
  for (const path of paths) {
    const answer = await fetch(`${server.url}${path}`, { headers: { 'x-api-key': oneOf(bed) } });
    bodies.push(await answer.json());
  }
  const file = join(dirname(bed.database), 'bodies.json');
  await writeFile(file, JSON.stringify(bodies));
  return file;
}

function perSecond(rates: readonly Rate[]): number {
  return median(rates.map((rate) => rate.perSecond));
}

function showRates(rates: readonly Rate[]): string {
  const p99 = median(rates.map((rate) => rate.p99Ms));
  const cpu = median(rates.map((rate) => rate.cpu));
  return `${Math.round(perSecond(rates))}/s, p99 ${p99} ms, core ${(cpu * 100).toFixed(0)}%`;
}

/**
 * Requests more than the last 500 requests of an account, over 64 connections and two processes.
 */
async function measureQuota(engine: EngineLabel): Promise<void> {
  if (engine === 'PostgreSQL') await globalSetup();
  const { location, remove } = await createDatabase(engine);
  try {
    await runCommand(location, 'import', 'tcgcsv', FIXTURES);
    const [key = ''] = await createCallers(location, 1);
    const server = await startServing({ database: location, workers: 2, path: PATHS.cards, key });
    await leave(location, key, 500);
    const counts = await countAnswers(server, PATHS.cards, key, 2000);
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
