import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** How long something may take that takes a second or two on a machine with nothing else to do. */
const PATIENCE_MS = 60_000;

export interface Surroundings {
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is run instead of the program of this checkout. */
  readonly command?: readonly string[];
  readonly cwd?: string;
}

/** What a program that has ended leaves behind. */
export interface Outcome {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The program as an operator runs it, in a process of its own that does not outlive the test. */
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
    after(() => this.#child.kill('SIGKILL'));
  }

  /** The lines of its log so far; what else it printed is left out. */
  get log(): Record<string, unknown>[] {
    const lines = this.out.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The processes that said that they listen, in that order. */
  get listeners(): { readonly url: string; readonly pid: number }[] {
    const lines = this.log.filter(({ msg }) => msg === 'listening');
    return lines.map(({ url, pid }) => ({ url: String(url), pid: Number(pid) }));
  }

  /** The address on which it listens, once `processes` of it do. */
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

  /** What it left behind, once it has ended by itself. */
  async ended(): Promise<Outcome> {
    await this.#closed;
    return { code: this.#child.exitCode, out: this.out, err: this.err };
  }
}

/** Runs a command to its end. */
export function run(args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  return new Program(args, surroundings).ended();
}

/** Waits until something holds, looking often. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`still not so: ${holds}`);
    await sleep(20);
  }
}

/** An empty folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-cli-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A port of this machine on which something else listens until the test ends. */
export async function occupiedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
