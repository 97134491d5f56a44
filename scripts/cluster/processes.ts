import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The processes of a cluster, recognised by their working folder: all processes that it starts, and
 * their children, work below the folder `run` of the cluster. So there is no list that could be
 * lost.
 */

/** How long servers may take to end by themselves, in milliseconds. */
const PATIENCE_MS = 5000;

const POLL_MS = 50;

/** The ids of all processes that work in a folder or below, and have no terminal. */
export function processesIn(folder: string): number[] {
  const ids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return ids.filter((pid) => isIn(folder, workingFolder(pid)) && !hasTerminal(pid));
}

/** Sends a signal to processes, some of which may have ended already. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended.
    }
  }
}

/** Whether a process exists and is not just waiting for its parent to notice its end. */
export function isAlive(pid: number): boolean {
  const [, state = 'Z'] = fieldsOf(pid);
  return state !== 'Z';
}

/** Ends all processes that work below a folder, and resolves when none are left. */
export async function endAll(folder: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let left = processesIn(folder); left.length > 0; left = processesIn(folder)) {
    const isLate = performance.now() > deadline;
    // On this signal PostgreSQL frees its shared memory without losing data.
    const told = isLate ? [] : left.filter((pid) => commandOf(pid) === 'postgres');
    signal(
      left.filter((pid) => !told.includes(pid)),
      'SIGKILL',
    );
    signal(told, 'SIGQUIT');
    // Processes that a fault has paused.
    signal(told, 'SIGCONT');
    await sleep(POLL_MS);
  }
}

function isIn(folder: string, path: string | undefined): boolean {
  return path !== undefined && (path === folder || path.startsWith(`${folder}/`));
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** A shell in which somebody inspects the folder does not belong to the cluster. */
function hasTerminal(pid: number): boolean {
  return Number(fieldsOf(pid)[5] ?? 0) !== 0;
}

function commandOf(pid: number): string {
  return fieldsOf(pid)[0] ?? '';
}

/** The command of a process, and the following fields of /proc/PID/stat: state, parent, … */
function fieldsOf(pid: number): string[] {
  try {
    const [, command = '', rest = ''] =
      /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return [command, ...rest.split(' ')];
  } catch {
    return [];
  }
}

/** A user of this machine. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The user for servers that refuse to run as root; none if this process does not run as root. */
export function otherUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
