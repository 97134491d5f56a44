/** By how much a pause is shorter or longer than what is asked for, at most. */
const JITTER = 0.2;

/**
 * Runs `check` now and then, a pause of some `milliseconds` after the last one has ended: of random
 * length, so that processes which were started together do not ask the database together. Returns a
 * function that stops it. `check` must not throw.
 */
export function poll(
  check: () => Promise<void>,
  milliseconds: number,
  random: () => number = Math.random,
): () => void {
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const pause = () => milliseconds * (1 - JITTER + 2 * JITTER * random());
  const schedule = () => {
    if (!isStopped) timer = setTimeout(() => check().finally(schedule), pause());
  };
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
