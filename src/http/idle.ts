import { performance } from 'node:perf_hooks';

/** How long a process must have had nothing to do, in milliseconds. */
const QUIET_MS = 1000;

/** The share of the time below which a process counts as idle. */
export const IDLE = 0.01;

/** For how many milliseconds at most it waits for that. */
const LONGEST_MS = 30_000;

/** Returns a function that gives the share of time since its last call that the process computed. */
export function busyShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/**
 * Runs work that blocks the process for some tenths of a second, once it has been idle for a second;
 * after half a minute without such a second in any case. Clearing the interval that it returns
 * cancels it.
 */
export function whenIdle(work: () => void, longestMs = LONGEST_MS): NodeJS.Timeout {
  const began = performance.now();
  const busy = busyShare();
  const timer = setInterval(() => {
    if (busy() >= IDLE && performance.now() - began < longestMs) return;
    clearInterval(timer);
    work();
  }, QUIET_MS).unref();
  return timer;
}
