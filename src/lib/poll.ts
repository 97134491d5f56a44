/** A pause differs from the requested length by at most this share. */
const JITTER = 0.2;

/**
 * Runs `check` repeatedly, with a pause of about `milliseconds` after each run. The length of the
 * pause is random, so processes that started together do not query the database together. Returns
 * a function that stops it. `check` must not throw.
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
