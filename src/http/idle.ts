import { performance } from 'node:perf_hooks';

/** How long a process must have been idle, in milliseconds. */
const QUIET_MS = 1000;

/** The share of the time below which a process counts as idle. */
export const IDLE = 0.01;

/** The longest wait for an idle process, in milliseconds. */
const LONGEST_MS = 30_000;

/** Returns a function that returns how busy the process was since the last call, from 0 to 1. */
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
 * Runs work that blocks the process for a few tenths of a second. It waits until the process has
 * been idle for a second, but at most half a minute. Clear the returned interval to cancel it.
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
