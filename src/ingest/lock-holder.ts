import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names of those that hold locks: the machine, the process, whose number that is, and the lock. */

/** Names a new holder: no other lock has the same, be it of this process. */
export function nameHolder(pid = process.pid): string {
  return [hostname(), pid, PID_SPACE, crypto.randomUUID()].join(':');
}

/** Says which process of which machine a holder is. */
export function describeHolder(holder: string): string {
  const [host, pid] = holder.split(':');
  return `process ${pid} on ${host}`;
}

/** Whether a holder is known to have ended: only processes that this one could see are. */
export function hasEnded(holder: string): boolean {
  const [host, pid, space] = holder.split(':');
  if (host !== hostname() || space !== PID_SPACE) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Within what the numbers of processes are unique: two containers may have the same host name. */
const PID_SPACE = pidSpace();

/** '' where the system has no containers that hide processes. */
function pidSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${statSync('/proc/self/ns/pid').ino}`;
  } catch {
    return '';
  }
}
