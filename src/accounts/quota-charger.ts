import { type Day, dayOf, type Millis } from '../domain/day.ts';
import type { UsageStatements } from '../store/accounts.ts';

/** Whether a charge was granted, and how many requests the quota has left after it. */
export interface Charge {
  readonly granted: boolean;
  readonly remaining: number;
}

interface PendingCharge {
  resolve(charge: Charge): void;
  reject(error: unknown): void;
}

/** Pending charges in order of arrival, by row id of the account. */
type Queues = Map<number, PendingCharge[]>;

const REFUSED: Charge = { granted: false, remaining: 0 };

/**
 * Charges requests to the quota of their accounts (docs/glossary.md#quota). Requests that are
 * pending at the same moment share one SQL statement. Only one statement runs at a time, so the
 * charges of an account are decided in order of arrival.
 */
export class QuotaCharger {
  readonly #statements: UsageStatements;
  readonly #clock: () => Millis;
  /** By quota, because an account may have charges pending of its old and its new plan. */
  #pending = new Map<number, Queues>();
  #isRunning = false;

  constructor(statements: UsageStatements, clock: () => Millis) {
    this.#statements = statements;
    this.#clock = clock;
  }

  /** Charges one request to an account if its usage of today (UTC) stays within `quota`. */
  charge(accountId: number, quota: number): Promise<Charge> {
    return new Promise((resolve, reject) => {
      this.#queue(accountId, quota).push({ resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      setImmediate(() => this.#run());
    });
  }

  #queue(accountId: number, quota: number): PendingCharge[] {
    const queues = this.#pending.get(quota) ?? new Map<number, PendingCharge[]>();
    this.#pending.set(quota, queues);
    const queue = queues.get(accountId) ?? [];
    queues.set(accountId, queue);
    return queue;
  }

  async #run(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    const day = dayOf(this.#clock());
    for (const [quota, queues] of pending) await this.#chargeAll(queues, quota, day);
    if (this.#pending.size > 0) setImmediate(() => this.#run());
    else this.#isRunning = false;
  }

  /** Resolves every charge in `queues`; rejects those not yet decided when the store fails. */
  async #chargeAll(queues: Queues, quota: number, day: Day): Promise<void> {
    try {
      let counts = countsWithin(queues, () => quota);
      while (queues.size > 0) {
        for (const { accountId, used } of await this.#statements.charge(counts, day, quota)) {
          grant(queues, accountId, counts.get(accountId) ?? 0, quota - used);
        }
        if (queues.size > 0) counts = await this.#remainingCounts(queues, quota, day);
      }
    } catch (error) {
      for (const queue of queues.values()) for (const charge of queue) charge.reject(error);
    }
  }

  /**
   * How many charges of each account may still fit into its quota. The next statement decides,
   * because other processes charge meanwhile. Accounts without any quota left are refused.
   */
  async #remainingCounts(queues: Queues, quota: number, day: Day): Promise<Map<number, number>> {
    const rows = await this.#statements.usage(queues.keys(), day);
    const used = new Map(rows.map((row) => [row.accountId, row.used]));
    const counts = countsWithin(queues, (accountId) => quota - (used.get(accountId) ?? 0));
    for (const [accountId, queue] of queues) {
      if (counts.has(accountId)) continue;
      for (const charge of queue) charge.resolve(REFUSED);
      queues.delete(accountId);
    }
    return counts;
  }
}

/** How many charges of each queue to try: at most the `room` of its account, which may be none. */
function countsWithin(queues: Queues, room: (accountId: number) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [accountId, queue] of queues) {
    const count = Math.min(queue.length, room(accountId));
    if (count > 0) counts.set(accountId, count);
  }
  return counts;
}

/** Grants the first `count` charges of a queue; `left` is the remaining quota after the last. */
function grant(queues: Queues, accountId: number, count: number, left: number): void {
  const queue = queues.get(accountId) ?? [];
  const granted = queue.splice(0, count);
  granted.forEach((charge, index) => {
    charge.resolve({ granted: true, remaining: left + count - 1 - index });
  });
  if (queue.length === 0) queues.delete(accountId);
}
