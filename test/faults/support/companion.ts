/**
 * Preloaded into a program under test (`node --import`): ends it when the test is gone, however the
 * test ended, and reports its memory on request.
 */
import cluster from 'node:cluster';

/** What a process holds after a full garbage collection. */
export interface Footprint {
  /** Bytes of live JavaScript objects. */
  readonly heap: number;
  /** Bytes of buffers outside of the heap. */
  readonly buffers: number;
  /** Bytes of memory that the process has of the system. */
  readonly resident: number;
  /** Open sockets, files and timers. */
  readonly resources: number;
  /**
   * The longest time since the last footprint that JavaScript computed without a look at its
   * timers, in milliseconds of the processor: unlike a delay, it does not grow when the machine is
   * busy with something else.
   */
  readonly busiest: number;
}

/** The message that asks for the footprint. */
export const FOOTPRINT = 'footprint';

/** How often the program checks its timers for `busiest`, in milliseconds. */
const LOOK_MS = 20;

let busiest = 0;

// A worker's channel belongs to its primary, which ends it.
if (cluster.isPrimary && process.channel) {
  process.on('disconnect', () => process.exit(1));
  process.on('message', (message) => {
    if (message === FOOTPRINT) void tell();
  });
  process.channel.unref();
  watch();
}

/** Keeps `busiest` up to date. */
function watch(): void {
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    busiest = Math.max(busiest, (user + system) / 1000);
    before = process.threadCpuUsage();
  }, LOOK_MS).unref();
}

/** Answers with the footprint. Two collections, because the first only runs some finalizers. */
async function tell(): Promise<void> {
  const told = busiest;
  await globalThis.gc?.({ type: 'major', execution: 'async' });
  globalThis.gc?.();
  const { heapUsed: heap, rss: resident, external: buffers } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  process.send?.({ heap, buffers, resident, resources, busiest: told } satisfies Footprint);
  // What the collection took is not the program's.
  setTimeout(() => {
    busiest = 0;
  }, 2 * LOOK_MS).unref();
}
