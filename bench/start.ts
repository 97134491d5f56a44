/**
 * Measures how long `cardprice serve` takes to its first answers over a whole tree, in turns in one
 * run: with the index that an earlier process saved, without it, as the package is built, and in
 * another checkout. Then it measures how saving the index slows requests down.
 *
 *     npm run build && npm run bench:start -- --against ../main   # about 6 minutes
 *
 * Options: --data FOLDER (../shared/data/tcgcsv); --against FOLDER, a checkout with its libraries;
 * --rounds N (7); --rate N requests a second while the index is saved (400); --starts-only.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './http/load.ts';
import { sampleCards } from './http/prepare.ts';
import { type ServerProcess, startServing } from './http/processes.ts';
import { type Latencies, percentile, requestSteadily } from './sync/steady.ts';

const CARD = '/v1/cards/pokemon-bs-charizard-004';
const SEARCH = '/v1/search?q=charizrd+base+set';
const OURS = fileURLToPath(new URL('..', import.meta.url));
const MB = 1024 * 1024;
/** Seconds after which a process at rest has given back what loading took. */
const REST = 4;
/** Seconds from the start in which the index is not saved yet. */
const BEFORE_SAVING = 17;

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/tcgcsv' },
    against: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    rate: { type: 'string', default: '400' },
    'starts-only': { type: 'boolean', default: false },
  },
});

/** A way to start, with its own database: another checkout may not know ours. */
interface Contender {
  readonly name: string;
  readonly program: string;
  readonly database: string;
  readonly key: string;
  /** Whether it may use what an earlier process saved. */
  readonly isSaved: boolean;
}

/** What one start took, in seconds, and its memory in bytes. */
interface Start {
  readonly card: number;
  readonly search: number;
  readonly cpu: number;
  readonly bytes: number;
  readonly peak: number;
  readonly atRest: number;
}

const folder = await mkdtemp(join(tmpdir(), 'cardprice-bench-'));
try {
  const source = 'src/main.ts';
  const others =
    values.against === undefined ? [] : [prepare('the other', resolve(values.against, source))];
  const ours = prepare('with a saved index', join(OURS, source));
  // A saved index fits only its program, so the package has its own database.
  const built = join(OURS, 'dist/main.js');
  const packages = existsSync(built) ? [prepare('the package, with a saved index', built)] : [];
  for (const contender of [ours, ...packages]) await saveIndex(contender);
  const contenders = [...others, { ...ours, name: 'without', isSaved: false }, ours, ...packages];
  print(await startInTurns(contenders, Number(values.rounds)));
  if (!values['starts-only']) await measureSaving(ours);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Imports the tree with a program, and makes a key. */
function prepare(name: string, program: string): Contender {
  const database = join(folder, `${name.replaceAll(/\W+/g, '-')}.db`);
  const run = (...args: string[]) => {
    const command = [program, '--database', database, ...args];
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync(process.execPath, command, { stdio: [...stdio], encoding: 'utf8' });
  };
  try {
    run('import', 'tcgcsv', values.data);
  } catch (error) {
    // Some files of the tree are missing.
    if ((error as { status?: number }).status !== 3) throw error;
  }
  run('account', 'create', '--email', 'bench@shop.example', '--plan', 'business');
  const [key = ''] =
    /cp_live_\w+[\w-]*/.exec(run('key', 'create', '--account', 'bench@shop.example')) ?? [];
  return { name, program, database, key, isSaved: true };
}

function snapshotOf({ database }: Contender): string {
  return `${database}-snapshot`;
}

async function saveIndex(contender: Contender): Promise<void> {
  const server = await startServing({ ...contender, path: CARD });
  await untilExists(snapshotOf(contender));
  await server.stop();
}

async function untilExists(file: string): Promise<void> {
  while (!existsSync(file)) await sleep(50);
}

async function startInTurns(
  contenders: readonly Contender[],
  rounds: number,
): Promise<Map<Contender, Start[]>> {
  const starts = new Map(contenders.map((contender) => [contender, [] as Start[]]));
  const kept = join(folder, 'kept');
  for (let round = 0; round < rounds; round += 1) {
    for (const [contender, some] of starts) {
      const snapshot = snapshotOf(contender);
      if (!contender.isSaved) execFileSync('mv', [snapshot, kept]);
      some.push(await startOnce(contender));
      if (!contender.isSaved) execFileSync('mv', [kept, snapshot]);
    }
  }
  return starts;
}

async function startOnce({ program, database, key }: Contender): Promise<Start> {
  const server = await startServing({ program, database, key, path: CARD });
  const card = server.seconds;
  const asked = performance.now();
  const answer = await fetch(`${server.url}${SEARCH}`, { headers: { 'x-api-key': key } });
  await answer.arrayBuffer();
  const search = card + (performance.now() - asked) / 1000;
  const [cpu, bytes, peak] = [server.cpuSeconds(), server.bytes('now'), server.bytes('peak')];
  await sleep(REST * 1000);
  const atRest = server.bytes('now');
  await server.stop();
  return { card, search, cpu, bytes, peak, atRest };
}

function print(starts: ReadonlyMap<Contender, readonly Start[]>): void {
  const [first] = starts.values();
  const medianOf = (some: readonly Start[], of: keyof Start) => median(some.map((one) => one[of]));
  for (const [{ name }, some] of starts) {
    const seconds = (of: keyof Start) => {
      const share = (100 * medianOf(some, of)) / medianOf(first ?? some, of);
      return `${medianOf(some, of).toFixed(2)} s (${share.toFixed(0)} %)`;
    };
    const megabytes = (of: keyof Start) => `${(medianOf(some, of) / MB).toFixed(0)} MB`;
    console.log(name);
    const range = some.map(({ card }) => card).sort((a, b) => a - b);
    console.log(`  to the first card     ${seconds('card')}, from ${range[0]?.toFixed(2)} s on`);
    console.log(`  to the first search   ${seconds('search')}`);
    console.log(`  processor time        ${seconds('cpu')}`);
    console.log(`  memory then, at most  ${megabytes('bytes')}, ${megabytes('peak')}`);
    console.log(`  after ${REST} s of rest     ${megabytes('atRest')}`);
  }
}

/** Compares latencies before, while and after a process saves its index. */
async function measureSaving(contender: Contender): Promise<void> {
  rmSync(snapshotOf(contender), { force: true });
  const paths = (await sampleCards(contender.database, 500)).map((id) => `/v1/cards/${id}`);
  const server = await startServing({ ...contender, path: CARD });
  const ask = (until: Promise<unknown>) => {
    const keys = [contender.key];
    return requestSteadily({ url: server.url, paths, keys, perSecond: Number(values.rate) }, until);
  };
  show('before the index is saved', await ask(sleep(BEFORE_SAVING * 1000)));
  show('while it is saved', await ask(untilExists(snapshotOf(contender))));
  show('afterwards', await ask(sleep(5000)));
  await stop(server);
}

function show(when: string, latencies: Latencies): void {
  const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) =>
    percentile(latencies, share).toFixed(1),
  );
  console.log(
    `${when}: p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms of ${latencies.length}`,
  );
}

async function stop(server: ServerProcess): Promise<void> {
  console.log(`memory ${(server.bytes('now') / MB).toFixed(0)} MB`);
  await server.stop();
}
