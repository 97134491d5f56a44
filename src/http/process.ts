import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';
import { waits } from '../lib/waits.ts';

/** How long a process must have been idle, in milliseconds. */
const QUIET_MS = 1000;

/**
 * A process counts as idle below this share of busy time. Health checks and checks for a new
 * publication take 0.01.
 */
export const IDLE = 0.03;

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

type Collect = (options: {
  readonly execution: 'sync';
  readonly flavor: 'regular' | 'last-resort';
}) => void;

/**
 * Returns memory to the system after the catalogue is loaded: about 100 of 400 MB for 116,000 cards
 * (docs/performance.md). An ordinary garbage collection keeps half-empty pages. This blocks for up
 * to a second, so call it when the process is idle.
 */
export function compactHeap(): void {
  collector()({ execution: 'sync', flavor: 'last-resort' });
}

/**
 * Loads a large structure with few garbage collections. None of it becomes garbage, but V8 would
 * collect several times while the heap grows, which takes a fifth of the catalogue's loading time.
 */
export async function loadWithoutCollecting<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  // A collection determines the size at which the next one starts.
  setHeapGrowth(LOADING_PERCENT);
  collector()({ execution: 'sync', flavor: 'regular' });
  try {
    return await load();
  } finally {
    setHeapGrowth(SERVING_PERCENT);
  }
}

/**
 * Lets the heap grow by at most half of the live objects between collections. A bulk import keeps
 * about 50 MB alive, for which V8 would otherwise take 200 MB. Do not use it in a process that
 * answers requests, which would then pause for collections more often.
 */
export function growHeapSlowly(): void {
  setHeapGrowth(50);
}

/**
 * From 24 MB for the program to 120 MB, where one collection removes the garbage of half a
 * catalogue of 116,000 cards. With 500, it started so late that it often ended after the load.
 */
const LOADING_PERCENT = 400;

/**
 * While serving. By default, V8 lets a heap grow to several times the live objects before it
 * collects garbage. On a busy machine, six publications in a row then took 212 MB instead of 190.
 */
const SERVING_PERCENT = 25;

/** Sets how much the heap may grow between collections, in percent of the live objects. */
function setHeapGrowth(percent: number): void {
  v8.setFlagsFromString(`--heap-growing-percent=${percent}`);
}

function collector(): Collect {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as Collect;
}

/** The process counts as quiet after this many idle seconds. */
const LULL_SECONDS = 3;
/** The growth since the last compaction, as a factor, that justifies another one. */
const MAX_GROWTH = 1.2;

/** Measurements of the process that a compactor reads. */
export interface Surroundings {
  /** Bytes of memory that the process uses. */
  readonly resident: () => number;
  /** The busy share of the time since the last call, from 0 to 1. */
  readonly busy: () => number;
  readonly compact: () => void;
}

/**
 * Returns the memory of replaced publications to the system when the process is quiet. V8 keeps the
 * pages of replaced objects: after several publications it has twice the pages that it needs.
 * Create this while the heap is compact, and call `tick` every second.
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
  return {
    resident: () => process.memoryUsage.rss(),
    busy: busyShare(),
    compact: compactHeap,
  };
}

/** How far the heap may exceed its smallest size, as a factor and in bytes for new objects. */
const HEAP_BOUND = { factor: 1.4, young: 8 * 2 ** 20 };
/** Interval between checks of the heap size, in milliseconds. */
const HEAP_CHECK_MS = 20;

/** The heap of a process. */
export interface Heap {
  /** Bytes of objects, living and dead. */
  readonly used: () => number;
  readonly collect: () => void;
}

/**
 * Keeps the heap small while a publication is loaded. V8 finds dead objects in other threads and
 * lets the heap grow by up to half of its limit, at least 32 MB, until they are done. On a busy
 * machine these threads get little processor time.
 */
export class HeapBound {
  readonly #heap: Heap;
  #least = Infinity;

  constructor(heap: Heap = ownHeap()) {
    this.#heap = heap;
  }

  /** Runs work that yields to the event loop. Ends a collection that falls behind. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.check();
    const checking = setInterval(() => this.check(), HEAP_CHECK_MS);
    try {
      return await work();
    } finally {
      clearInterval(checking);
      this.check();
    }
  }

  check(): void {
    const { used, collect } = this.#heap;
    const size = used();
    this.#least = Math.min(this.#least, size);
    if (size < this.#least * HEAP_BOUND.factor + HEAP_BOUND.young) return;
    collect();
    this.#least = used();
  }
}

function ownHeap(): Heap {
  return {
    used: () => v8.getHeapStatistics().used_heap_size,
    collect: () => collector()({ execution: 'sync', flavor: 'regular' }),
  };
}

/** Interval between measurements of the event loop's delay, in milliseconds. */
const TICK_MS = 100;
/** Smaller delays are ignored. In milliseconds. */
const LATE_MS = 20;

/** Starts recording when the event loop was blocked. Returns a function that stops it. */
export function watchEventLoop(): () => void {
  let expected = performance.now() + TICK_MS;
  const ticking = setInterval(() => {
    const now = performance.now();
    if (now - expected > LATE_MS) waits.record('event-loop', expected, now);
    expected = now + TICK_MS;
  }, TICK_MS).unref();
  return () => clearInterval(ticking);
}
