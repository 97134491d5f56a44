import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';

/**
 * Returns memory to the system after the catalogue is loaded: about 170 of 430 MB for 116,000 cards
 * (docs/performance.md). An ordinary collection keeps the half-empty pages. It blocks for up to a
 * second, so call it before the process answers requests, or while it has none.
 */
export function compactHeap(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as (options: {
    execution: 'sync';
    flavor: string;
  }) => void;
  collect({ execution: 'sync', flavor: 'last-resort' });
}

/**
 * Lets the heap grow by at most half of the live objects between collections. A bulk import keeps
 * some 50 MB alive, for which V8 would otherwise take 200. Not for a process that answers requests:
 * it would pause for collections more often.
 */
export function growHeapSlowly(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
}

/** The share of a second below which a process has nothing to do. */
const IDLE = 0.01;
/** How many idle seconds make a lull. */
const LULL_SECONDS = 3;
/** By how much a process may have grown since the last time. */
const MAX_GROWTH = 1.2;

/** What a compactor sees of its process. */
export interface Surroundings {
  /** Bytes of memory that the process has of the system. */
  readonly resident: () => number;
  /** The share of the time since the last call in which the process computed, from 0 to 1. */
  readonly busy: () => number;
  readonly compact: () => void;
}

/**
 * Returns the memory of publications to the system in a lull: V8 keeps the pages of all that a new
 * publication replaced, which after some are as many as it needs. Make it when the heap is compact,
 * and call `tick` every second.
 */
export class LullCompactor {
  readonly #process: Surroundings;
  #resident: number;
  #idleSeconds = 0;

  constructor(process: Surroundings = ownProcess()) {
    this.#process = process;
    this.#resident = process.resident();
  }

  tick(): void {
    const { resident, busy, compact } = this.#process;
    this.#idleSeconds = busy() < IDLE ? this.#idleSeconds + 1 : 0;
    if (this.#idleSeconds < LULL_SECONDS || resident() < this.#resident * MAX_GROWTH) return;
    compact();
    this.#resident = resident();
    this.#idleSeconds = 0;
  }
}

function ownProcess(): Surroundings {
  let last = performance.eventLoopUtilization();
  return {
    resident: () => process.memoryUsage.rss(),
    busy() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    compact: compactHeap,
  };
}
