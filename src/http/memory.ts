import v8 from 'node:v8';
import vm from 'node:vm';
import { busyShare, IDLE } from './idle.ts';

type Collect = (options: {
  readonly execution: 'sync';
  readonly flavor: 'regular' | 'last-resort';
}) => void;

/**
 * Returns memory to the system after the catalogue is loaded: about 100 of 400 MB for 116,000 cards
 * (docs/performance.md). An ordinary collection keeps the half-empty pages. It blocks for up to a
 * second, so call it when the process has nothing else to do.
 */
export function compactHeap(): void {
  collector()({ execution: 'sync', flavor: 'last-resort' });
}

/**
 * Loads something large of which nothing becomes garbage: V8 would look for some several times while
 * the heap grows, which takes a fifth of loading the catalogue.
 */
export async function loadWithoutCollecting<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  // A collection sets the size at which the next one begins.
  setHeapGrowth(LOADING_PERCENT);
  collector()({ execution: 'sync', flavor: 'regular' });
  try {
    return await load();
  } finally {
    setHeapGrowth(BY_V8);
  }
}

/**
 * Lets the heap grow by at most half of the live objects between collections. A bulk import keeps
 * some 50 MB alive, for which V8 would otherwise take 200. Not for a process that answers requests:
 * it would pause for collections more often.
 */
export function growHeapSlowly(): void {
  setHeapGrowth(50);
}

/** From the 40 MB of the program to the 240 MB of a catalogue of 116,000 cards with its garbage. */
const LOADING_PERCENT = 500;

const BY_V8 = 0;

/** Sets by how many percent of the live objects the heap grows before it is collected. */
function setHeapGrowth(percent: number): void {
  v8.setFlagsFromString(`--heap-growing-percent=${percent}`);
}

function collector(): Collect {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as Collect;
}

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
  return {
    resident: () => process.memoryUsage.rss(),
    busy: busyShare(),
    compact: compactHeap,
  };
}
