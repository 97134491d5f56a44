/**
 * Resources that a process may wait for: a database lock or connection, a queue, or the processor.
 */
export const WAIT_KINDS = ['lock', 'connection', 'password', 'picture', 'event-loop'] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

interface Wait {
  readonly kind: WaitKind;
  /** Its start and end, on the clock of `performance.now()`. */
  readonly from: number;
  readonly to: number;
}

interface Total {
  count: number;
  milliseconds: number;
}

/** Latest waits kept, to explain why a request was slow. */
const KEPT = 500;
/** Shorter waits are ignored, in milliseconds. */
const LEAST_MS = 1;

/** Records the waits of a process: each of the latest, and totals of all. */
export class Waits {
  readonly #last: Wait[] = [];
  #next = 0;
  readonly #totals = new Map<WaitKind, Total>();

  /** Records a wait from a moment until now, both on the clock of `performance.now()`. */
  record(kind: WaitKind, from: number, to: number = performance.now()): void {
    if (to - from < LEAST_MS) return;
    this.#last[this.#next] = { kind, from, to };
    this.#next = (this.#next + 1) % KEPT;
    const total = this.totalOf(kind);
    total.count += 1;
    total.milliseconds += to - from;
    this.#totals.set(kind, total);
  }

  /** Returns how often and how long the process has waited for a resource since its start. */
  totalOf(kind: WaitKind): Total {
    return this.#totals.get(kind) ?? { count: 0, milliseconds: 0 };
  }

  /** Returns the milliseconds of each kind of wait between two moments. Parallel waits add up. */
  between(from: number, to: number): Partial<Record<WaitKind, number>> {
    const sums: Partial<Record<WaitKind, number>> = {};
    for (const wait of this.#last) {
      const ms = Math.round(Math.min(wait.to, to) - Math.max(wait.from, from));
      if (ms > 0) sums[wait.kind] = (sums[wait.kind] ?? 0) + ms;
    }
    return sums;
  }
}

/** The waits of this process. */
export const waits = new Waits();
