import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PEAK = fileURLToPath(new URL('peak.ts', import.meta.url));
const BARE = fileURLToPath(new URL('bare.ts', import.meta.url));
/** An import ends with 3 when a group of the tree is broken: some files of it are missing. */
const FINE = [0, 3];
/** As in package.json and in the first line of the program. */
const YOUNG_GENERATION = '--max-semi-space-size=8';
/** Written to Linux to reset the peak of a process's memory. */
const FORGET_PEAK = '5';
/** Clock ticks of /proc a second. */
const TICKS = 100;

/** What one command took. */
export interface Measured {
  readonly seconds: number;
  readonly peakBytes: number;
}

/** Runs one command of cardprice to its end; by default of this checkout. */
export async function runCommand(
  database: string,
  args: readonly string[],
  program = MAIN,
): Promise<Measured> {
  const started = performance.now();
  const command = [YOUNG_GENERATION, '--import', PEAK, program, '--database', database, ...args];
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [peak] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')]);
  if (!FINE.includes(child.exitCode ?? 1)) throw new Error(`cardprice ${args.join(' ')} failed`);
  return { seconds: (performance.now() - started) / 1000, peakBytes: Number(peak) };
}

/** A server process that listens. */
export interface ServerProcess {
  readonly url: string;
  /** From its start to its first answer. */
  readonly seconds: number;
  /** Memory, now or the most so far; of the largest process where there are several. */
  bytes(when: 'now' | 'peak'): number;
  /** Lets the most memory be that from now on. */
  forgetPeak(): void;
  /** Seconds of processor time so far. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly database: string;
  readonly core?: number;
  readonly workers?: number;
  /** Where to leave a profile of the processor. */
  readonly profile?: string | undefined;
  /** The program, if it is not this checkout's. */
  readonly program?: string;
  /** A request that is to be answered with 200. */
  readonly path: string;
  readonly key: string;
}

/** Starts `cardprice serve` as an operator does, its log going to /dev/null. */
export async function startServing(options: ServeOptions): Promise<ServerProcess> {
  const { database, core, workers = 1, profile, program = MAIN } = options;
  const port = await freePort();
  const profiling = profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : [];
  const serve = ['serve', '--port', String(port), '--workers', String(workers)];
  const args = [...profiling, program, '--database', database, ...serve];
  // One client sends what no honest one does; the limits are counted all the same.
  const env = {
    ...process.env,
    CARDPRICE_KEY_BURST: '999999/1s',
    CARDPRICE_ADDRESS_BURST: '999999/1s',
  };
  return start(args, port, core, env, options.path, { 'x-api-key': options.key });
}

/** Starts a bare fastify that answers with what the JSON `file` holds, one after the other. */
export async function startBare(file: string, core: number): Promise<ServerProcess> {
  const port = await freePort();
  return start([BARE, String(port), file], port, core, process.env, '/', {});
}

async function start(
  args: readonly string[],
  port: number,
  core: number | undefined,
  env: NodeJS.ProcessEnv,
  path: string,
  headers: Record<string, string>,
): Promise<ServerProcess> {
  const command = [process.execPath, YOUNG_GENERATION, ...args];
  const pinned = core === undefined ? command : ['taskset', '-c', String(core), ...command];
  const [file = '', ...rest] = pinned;
  const started = performance.now();
  const child = spawn(file, rest, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(`${url}${path}`, headers, child);
  const pids = () => family(child.pid ?? 0);
  return {
    url,
    seconds: (performance.now() - started) / 1000,
    bytes: (when) => Math.max(...pids().map((pid) => residentBytes(pid, when))),
    forgetPeak() {
      for (const pid of pids()) writeFileSync(`/proc/${pid}/clear_refs`, FORGET_PEAK);
    },
    cpuSeconds: () => pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function firstAnswer(
  url: string,
  headers: Record<string, string>,
  child: ChildProcess,
): Promise<void> {
  for (let tries = 0; tries < 3000; tries += 1) {
    if (child.exitCode !== null) throw new Error('the server ended before it answered');
    const answer = await fetch(url, { headers }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    if (answer) throw new Error(`${url} answered ${answer.status}`);
    await sleep(10);
  }
  throw new Error('the server did not answer within 30 s');
}

/** A process and the processes that it started. */
function family(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

function residentBytes(pid: number, when: 'now' | 'peak'): number {
  const line = when === 'now' ? /VmRSS:\s+(\d+) kB/ : /VmHWM:\s+(\d+) kB/;
  const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function cpuSeconds(pid: number): number {
  // The name in brackets may hold spaces; the two times are the 12th and 13th field after it.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / TICKS;
}

/** Moves this process to one core, away from the servers that it measures. */
export function pinTo(core: number): void {
  execFileSync('taskset', ['-acp', String(core), String(process.pid)], { stdio: 'ignore' });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (!address || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
