import { waits } from '../lib/waits.ts';

/** How often the event loop is asked whether it is late, in milliseconds. */
const TICK_MS = 100;
/** How late it may be. */
const LATE_MS = 20;

/** Notes from now on when something kept the event loop from going on; returns what ends that. */
export function watchEventLoop(): () => void {
  let expected = performance.now() + TICK_MS;
  const ticking = setInterval(() => {
    const now = performance.now();
    if (now - expected > LATE_MS) waits.record('event-loop', expected, now);
    expected = now + TICK_MS;
  }, TICK_MS).unref();
  return () => clearInterval(ticking);
}
