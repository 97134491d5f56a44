import { type Day, dayOf, type Millis } from '../domain/day.ts';
import type { UsageStatements } from '../store/accounts.ts';

/** What became of a charge, and the requests that the quota has left as of this very charge. */
export interface Charge {
  readonly granted: boolean;
  readonly remaining: number;
}

interface Waiting {
  resolve(charge: Charge): void;
  reject(error: unknown): void;
}

/** Charges that wait, in the order they came, by account. */
type Queues = Map<number, Waiting[]>;

const REFUSED: Charge = { granted: false, remaining: 0 };

/**
 * Charges the requests that wait at the same moment in one statement. One statement of a cashier
 * is under way at a time, so an account's charges are decided, and answered, in order.
 */
export class QuotaCharger {
  readonly #statements: UsageStatements;
  readonly #clock: () => Millis;
  /** By quota: a changed plan may meet charges of the old one. */
  #waiting = new Map<number, Queues>();
  #busy = false;

  constructor(statements: UsageStatements, clock: () => Millis) {
    this.#statements = statements;
    this.#clock = clock;
  }

  /** Charges one request to an account if its usage of today stays within `quota`. */
  charge(accountId: number, quota: number): Promise<Charge> {
    return new Promise((resolve, reject) => {
      this.#queue(accountId, quota).push({ resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => this.#work());
    });
  }

  #queue(accountId: number, quota: number): Waiting[] {
    const queues = this.#waiting.get(quota) ?? new Map<number, Waiting[]>();
    this.#waiting.set(quota, queues);
    const queue = queues.get(accountId) ?? [];
    queues.set(accountId, queue);
    return queue;
  }

  async #work(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const day = dayOf(this.#clock());
    for (const [quota, queues] of waiting) await this.#settle(queues, quota, day);
    if (this.#waiting.size > 0) setImmediate(() => this.#work());
    else this.#busy = false;
  }

  /** Answers every charge in `queues`. When the store fails, those not yet charged fail. */
  async #settle(queues: Queues, quota: number, day: Day): Promise<void> {
    try {
      let counts = countsWithin(queues, () => quota);
      while (queues.size > 0) {
        for (const { accountId, used } of await this.#statements.charge(counts, day, quota)) {
          grant(queues, accountId, counts.get(accountId) ?? 0, quota - used);
        }
        if (queues.size > 0) counts = await this.#countsThatFit(queues, quota, day);
      }
    } catch (error) {
      for (const queue of queues.values()) for (const charge of queue) charge.reject(error);
    }
  }

  /**
   * How many of those that did not all fit may fit: a guess, as other processes charge meanwhile,
   * so the statement decides again. Where the quota is used up, the charges are refused for good.
   */
  async #countsThatFit(queues: Queues, quota: number, day: Day): Promise<Map<number, number>> {
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

/** How many of each queue to try, at most what the account has room for; none where it has none. */
function countsWithin(queues: Queues, room: (accountId: number) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [accountId, queue] of queues) {
    const count = Math.min(queue.length, room(accountId));
    if (count > 0) counts.set(accountId, count);
  }
  return counts;
}

/** Grants the first `count` charges of a queue; `left` is what the quota has after the last. */
function grant(queues: Queues, accountId: number, count: number, left: number): void {
  const queue = queues.get(accountId) ?? [];
  const granted = queue.splice(0, count);
  granted.forEach((charge, index) => {
    charge.resolve({ granted: true, remaining: left + count - 1 - index });
  });
  if (queue.length === 0) queues.delete(accountId);
}
