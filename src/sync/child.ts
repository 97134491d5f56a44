import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import type { Readable } from 'node:stream';

/** The end of a sync in a separate process. */
export interface ChildOutcome {
  /** Null if a signal ended it. */
  readonly code: number | null;
  /** Null if it ended by itself. */
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface ChildOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Whether it may run only on idle processors, where the system supports that. */
  readonly onlyIdle?: boolean;
  /** Called with the process id once there is one. */
  readonly onStart?: (pid: number) => void;
  /** Called with its output as it arrives. */
  readonly onOutput?: (stream: 'out' | 'err', text: string) => void;
}

/** How much higher its nice value is than this process's, so the service has priority. */
const NICER_BY = 10;

/** Runs syncs in a separate process, so they do not slow down the service. */
export class SyncChild {
  readonly #options: ChildOptions;
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** Runs the process to its end; returns undefined if it was stopped. */
  async run(): Promise<ChildOutcome | undefined> {
    if (this.#stopped) return undefined;
    const [program = '', ...args] = this.#options.command;
    const { env, onlyIdle = false, onStart, onOutput } = this.#options;
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.#child = child;
    try {
      const ended = once(child, 'close');
      lowerPriority(child);
      if (onlyIdle) runOnlyIdle(child);
      if (child.pid !== undefined) onStart?.(child.pid);
      const [out, err] = await Promise.all([
        textOf(child.stdout, (text) => onOutput?.('out', text)),
        textOf(child.stderr, (text) => onOutput?.('err', text)),
        ended,
      ]);
      if (this.#stopped) return undefined;
      return { code: child.exitCode, signal: child.signalCode, out, err };
    } finally {
      this.#child = undefined;
    }
  }

  /** Permanently ends the process. An import can be stopped at any moment. */
  stop(): void {
    this.#stopped = true;
    this.#child?.kill('SIGTERM');
  }
}

const NO_MEMORY =
  'It ran out of memory. Nothing of it is served; give the machine or Node (NODE_OPTIONS=' +
  '--max-old-space-size) more, and it is finished with the next sync.';

/** Returns why a process ended if the process could not report it itself; otherwise undefined. */
export function reasonOf({ signal, err }: ChildOutcome): string | undefined {
  if (signal === null) return undefined;
  return err.includes('heap out of memory') ? NO_MEMORY : `The signal ${signal} ended it.`;
}

/** Ends this process once the {@link SyncChild} that started it is gone, for example killed. */
export function endWithParent(): void {
  if (!process.channel) return;
  process.once('disconnect', () => process.exit(1));
  // Waiting for the parent's end does not keep this process running.
  process.channel.unref();
}

async function textOf(stream: Readable | null, onText: (text: string) => void): Promise<string> {
  let whole = '';
  for await (const text of stream?.setEncoding('utf8') ?? []) {
    onText(text);
    whole += text;
  }
  return whole;
}

/**
 * Lowers the priority of a process below ours at once, because the threads that it creates later
 * inherit it. The process stays in our session, because some systems compare priorities only within
 * one.
 */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    const { PRIORITY_LOW } = constants.priority;
    setPriority(pid, Math.min(getPriority() + NICER_BY, PRIORITY_LOW));
  } catch {
    // The process has already ended, or the system forbids it. The sync continues either way.
  }
}

/**
 * Restricts a process to idle processors, with Linux's `chrt`. With only a low priority, it would
 * keep a processor for some milliseconds while a request waits.
 */
function runOnlyIdle({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  execFile('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)], () => {
    // Other systems lack this program, and some containers forbid it. The low priority applies in
    // any case.
  });
}
