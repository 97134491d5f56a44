import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cleanUp } from '../../support/cleanup.ts';
import { MAIN } from '../../support/main-module.ts';
import { FOOTPRINT, type Footprint } from './companion.ts';

const COMPANION = new URL('companion.ts', import.meta.url).href;

/** How long a process may take to listen, and to answer how much memory it has. */
const TIMEOUT_MS = 60_000;

/** pino's number of the level `error`. */
const ERROR_LEVEL = 50;

type LogLine = Readonly<Record<string, unknown>>;

export interface ServingOptions {
  /** Arguments after `serve`. */
  readonly flags?: readonly string[];
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The main file of another program than this one. */
  readonly main?: string;
}

/**
 * A process that serves a database (`cardprice serve`) on a free port. It ends with the test that
 * started it, and also when the test is killed.
 */
export class Serving {
  /** The lines of its log, without refused requests. */
  readonly log: LogLine[] = [];
  /** Other output: warnings of Node, the stack of a crash. */
  err = '';
  url = '';
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        // They would be most of the memory of a test that sends a million.
        if (line.includes('"msg":"request"')) return;
        this.log.push(line.startsWith('{') ? (JSON.parse(line) as LogLine) : { msg: line });
      });
    }
  }

  /** Resolves once it listens. */
  static async start(
    database: string,
    { flags = [], env, main = MAIN }: ServingOptions = {},
  ): Promise<Serving> {
    const node = ['--expose-gc', '--max-semi-space-size=8', '--import', COMPANION];
    const child = spawn(
      process.execPath,
      [...node, main, '--database', database, 'serve', '--port', '0', ...flags],
      { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    const serving = new Serving(child);
    cleanUp(() => serving.stop('SIGKILL'));
    serving.url = await serving.#listening();
    return serving;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** The lines of its log from the level `error` on. */
  get errors(): LogLine[] {
    return this.log.filter(({ level }) => Number(level) >= ERROR_LEVEL);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** What it holds after a full garbage collection. */
  async footprint(): Promise<Footprint> {
    this.#child.send(FOOTPRINT);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const [footprint] = await once(this.#child, 'message', { signal });
    return footprint as Footprint;
  }

  /** Sends a signal, and returns the exit code once it has ended; null when the signal ended it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.hasEnded) return this.#child.exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
    return this.#child.exitCode;
  }

  async #listening(): Promise<string> {
    const deadline = performance.now() + TIMEOUT_MS;
    while (performance.now() < deadline && !this.hasEnded) {
      const line = this.log.find(({ msg }) => msg === 'listening');
      if (line) return String(line.url);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`It does not listen: ${JSON.stringify(this.log)} ${this.err}`);
  }
}
