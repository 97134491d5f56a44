import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { MAIN } from './main-module.ts';

/** A command line without the name of the program, its whole environment and its folder. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The exit code and the output of a finished program. */
export interface Outcome {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const MODULE = fileURLToPath(new URL('hosted-commands.ts', import.meta.url));

/**
 * A process that runs commands of the program one after the other. Loading the program takes most
 * of the processor time of a command, and here it is loaded once for all tests of a process.
 */
export class CommandHost {
  readonly #mark = `<${randomUUID()}>`;
  #child: ChildProcess | undefined;
  #isBusy = false;

  /** Runs a command until it ends. Returns undefined if another one is running. */
  run(command: HostedCommand): Promise<Outcome> | undefined {
    if (this.#isBusy) return undefined;
    this.#isBusy = true;
    return this.#run(command).finally(() => {
      this.#isBusy = false;
      setKeptAlive(this.#child, false);
    });
  }

  /** Ends the process, for example if a test gives up on its command. */
  kill(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #run(command: HostedCommand): Promise<Outcome> {
    this.#child ??= start(this.#mark);
    const child = this.#child;
    setKeptAlive(child, true);
    return new Promise((resolve) => {
      let [out, err] = ['', ''];
      const settle = (code: number | null) => {
        for (const stream of [child.stdout, child.stderr]) stream?.removeAllListeners('data');
        child.removeAllListeners('close');
        resolve({ code, out: out.split(this.#mark)[0] ?? '', err: err.split(this.#mark)[0] ?? '' });
      };
      const settleAtMark = () => {
        const [, code] = err.split(this.#mark);
        if (code?.endsWith('\n') && out.endsWith(this.#mark)) settle(Number(code));
      };
      child.stdout?.on('data', (text: string) => {
        out += text;
        settleAtMark();
      });
      child.stderr?.on('data', (text: string) => {
        err += text;
        settleAtMark();
      });
      child.once('close', (code) => {
        this.#child = undefined;
        settle(code);
      });
      child.send(command);
    });
  }
}

function start(mark: string): ChildProcess {
  const child = spawn(process.execPath, [MODULE, MAIN, mark], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8');
  return child;
}

/** An idle host does not keep the test process alive, and ends with it. */
function setKeptAlive(child: ChildProcess | undefined, isKept: boolean): void {
  const change = isKept ? 'ref' : 'unref';
  const streams = [child?.stdout, child?.stderr] as unknown as (NodeJS.RefCounted | undefined)[];
  for (const one of [child, child?.channel, ...streams]) one?.[change]();
}
