import { waits } from '../lib/waits.ts';

/** How often the delay of the event loop is measured, in milliseconds. */
const TICK_MS = 100;
/** Smaller delays are ignored, in milliseconds. */
const LATE_MS = 20;

/** Records from now on when the event loop was blocked. Returns a function that stops it. */
export function watchEventLoop(): () => void {
  let expected = performance.now() + TICK_MS;
  const ticking = setInterval(() => {
    const now = performance.now();
    if (now - expected > LATE_MS) waits.record('event-loop', expected, now);
    expected = now + TICK_MS;
  }, TICK_MS).unref();
  return () => clearInterval(ticking);
}
