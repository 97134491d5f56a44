import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

/** What a sync in a process of its own came to. */
export interface ChildOutcome {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ChildOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Told the number of the process once there is one. */
  readonly onStart?: (pid: number) => void;
}

/** How far behind those who serve the process stands when both want the processor, of 19. */
const NICENESS = 10;

/** Syncs in a process of its own, so that whoever starts it goes on serving undisturbed. */
export class SyncChild {
  readonly #options: ChildOptions;
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** Runs it to its end; undefined when it was stopped. */
  async run(): Promise<ChildOutcome | undefined> {
    if (this.#stopped) return undefined;
    const [program = '', ...args] = this.#options.command;
    const { env, onStart } = this.#options;
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    try {
      const ended = once(child, 'close');
      giveWay(child);
      if (child.pid !== undefined) onStart?.(child.pid);
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return this.#stopped ? undefined : { code: child.exitCode, out, err };
    } finally {
      this.#child = undefined;
    }
  }

  /** Ends it; an import can be stopped at any moment. It is not started again. */
  stop(): void {
    this.#stopped = true;
    this.#child?.kill('SIGTERM');
  }
}

/**
 * Set from here, at once: the threads that the process makes later take it over from its first.
 * It stays in our session, because some systems weigh priorities only within one.
 */
function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It has ended already, or the system does not let us; it syncs all the same.
  }
}
