/** How long work keeps the event loop from anything else, in milliseconds. */
export interface Delays {
  /** The longest time between two turns of the event loop. */
  readonly longestSlice: number;
  /** By how much a timer of 1 ms was late at most. */
  readonly timerDelay: number;
}

const INTERVAL_MS = 1;

/** Watches the event loop while `work` runs. */
export async function watchDelays(work: () => Promise<unknown>): Promise<Delays> {
  let [longestSlice, timerDelay] = [0, 0];
  let [lastTurn, lastTick] = [performance.now(), performance.now()];
  let isDone = false;
  const timer = setInterval(() => {
    const now = performance.now();
    timerDelay = Math.max(timerDelay, now - lastTick - INTERVAL_MS);
    lastTick = now;
  }, INTERVAL_MS);
  const turn = () => {
    const now = performance.now();
    longestSlice = Math.max(longestSlice, now - lastTurn);
    lastTurn = now;
    if (!isDone) setImmediate(turn);
  };
  turn();
  await work();
  isDone = true;
  clearInterval(timer);
  // What ran since the last turn, if work never gave way.
  const now = performance.now();
  return {
    longestSlice: Math.max(longestSlice, now - lastTurn),
    timerDelay: Math.max(timerDelay, now - lastTick - INTERVAL_MS),
  };
}
