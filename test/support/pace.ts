import { seededRandom } from './edited-tree.ts';

/** The numbers to walk through: more than fit into a processor's second-level cache. */
const WALK = 2 ** 21;
const STEPS = 150_000;
const WORDS = 15_000;
const SLOWNESS_RUNS = 5;

/** How long {@link reference} takes on the machine of docs/performance.md while it is idle. */
const QUIET_MS = 8;

const walk = makeWalk();

interface Turns {
  readonly runs: number;
  /** Prepares each run. */
  readonly before?: () => void;
  /** Stops before the next run once it returns true for the result so far. */
  readonly until?: (ms: number) => boolean;
}

/**
 * Measures a duration at the pace of the machine of docs/performance.md, in milliseconds.
 * Alternates with a piece of work that never changes, because the speed of shared machines varies
 * by a factor of three from one hour to the next. Takes the fastest run of both, and never counts a
 * machine as faster than that one.
 */
export async function paced(run: () => unknown, { runs, before, until }: Turns): Promise<number> {
  let [fastest, fastestReference] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const result = () => fastest / Math.max(1, fastestReference / QUIET_MS);
  for (let i = 0; i < runs && until?.(result()) !== true; i++) {
    before?.();
    fastestReference = Math.min(fastestReference, await timed(reference));
    fastest = Math.min(fastest, await timed(run));
  }
  return result();
}

/**
 * How many times longer this machine currently takes than that of docs/performance.md; at least 1.
 */
export function slowness(): number {
  const times = Array.from({ length: SLOWNESS_RUNS }, () => {
    const start = performance.now();
    reference();
    return performance.now() - start;
  });
  return Math.max(1, Math.min(...times) / QUIET_MS);
}

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Work similar to a search: scattered reads, texts as keys, and sorting of numbers. */
function reference(): number {
  let at = 0;
  for (let i = 0; i < STEPS; i++) at = walk[at] as number;
  const counts = new Map<string, number>();
  for (let i = 0; i < WORDS; i++) {
    const word = `word ${Math.imul(i, 0x9e3779b1) & 4095}`;
    counts.set(word, (counts.get(word) ?? 0) + at);
  }
  return Float64Array.from(counts.values()).sort()[0] ?? 0;
}

/** A walk through all numbers that visits each once, by Sattolo's algorithm. */
function makeWalk(): Int32Array {
  const next = Int32Array.from({ length: WALK }, (_, i) => i);
  const random = seededRandom(1);
  for (let i = WALK - 1; i > 0; i--) {
    const j = Math.floor(random() * i);
    [next[i], next[j]] = [next[j] as number, next[i] as number];
  }
  return next;
}
