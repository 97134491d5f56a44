import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUp } from './cleanup.ts';
import { CommandHost, type Outcome } from './command-host.ts';
import { MAIN } from './main-module.ts';

export type { Outcome } from './command-host.ts';

const host = new CommandHost();

/** How long to wait, in milliseconds, for something that takes a second or two when idle. */
const TIMEOUT_MS = 60_000;

export interface Surroundings {
  /** Environment variables in addition to this process's. */
  readonly env?: Readonly<Record<string, string>>;
  /** The command to run instead of the program of this checkout. */
  readonly command?: readonly string[];
  readonly cwd?: string;
}

/** Kills a process, and resolves when it has ended. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Runs the program like an operator, in a separate process that ends with the test. */
export class Program {
  out = '';
  err = '';
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;

  constructor(args: readonly string[], { env, command, cwd }: Surroundings = {}) {
    const [program = '', ...first] = command ?? [process.execPath, MAIN];
    this.#child = spawn(program, [...first, ...args], { env: { ...process.env, ...env }, cwd });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.#closed = once(this.#child, 'close');
    cleanUp(() => this.#kill());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The lines of its log so far, without its other output. */
  get log(): Record<string, unknown>[] {
    const lines = this.out.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The processes that have logged that they are listening, in the order of the log. */
  get listeners(): { readonly url: string; readonly pid: number }[] {
    const lines = this.log.filter(({ msg }) => msg === 'listening');
    return lines.map(({ url, pid }) => ({ url: String(url), pid: Number(pid) }));
  }

  /** Waits until `processes` of its processes listen, and returns the address. */
  async listening(processes = 1): Promise<string> {
    await eventually(() => {
      if (this.#child.exitCode !== null) throw new Error(`it ended: ${this.out}${this.err}`);
      return this.listeners.length >= processes;
    });
    return this.listeners[0]?.url ?? '';
  }

  send(signal: NodeJS.Signals): this {
    this.#child.kill(signal);
    return this;
  }

  async #kill(): Promise<void> {
    // Children of a shell may outlive it, and their open pipe would keep the test's process alive.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    await killed(this.#child);
  }

  /** Waits until the program ends by itself. */
  async ended(): Promise<Outcome> {
    await this.#closed;
    return { code: this.#child.exitCode, out: this.out, err: this.err };
  }
}

/**
 * Runs a command until it ends. Uses the host of this process or, if another command is running, a
 * separate process: commands that run at the same time are then as separate as an operator's.
 */
export function run(args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  const { env, command, cwd = process.cwd() } = surroundings;
  const hosted = command ? undefined : host.run({ args, env: { ...process.env, ...env }, cwd });
  if (!hosted) return new Program(args, surroundings).ended();
  let isRunning = true;
  cleanUp(() => {
    if (isRunning) host.kill();
  });
  return hosted.finally(() => {
    isRunning = false;
  });
}

/** Returns the variables that the log reports as unknown settings. */
export function unknownNamed({ log }: Program): unknown[] {
  const lines = log.filter(({ msg }) => String(msg).startsWith('this variable is not a setting'));
  return lines.map(({ variable }) => variable);
}

/** Waits until a condition holds, checking it every 20 ms. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`still not so: ${holds}`);
    await sleep(20);
  }
}

/** Creates an empty folder, which is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-cli-'));
  cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a port of this machine on which nothing listens. */
export async function vacantPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Returns a port of this machine on which another server listens until the test ends. */
export async function occupiedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  cleanUp(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
