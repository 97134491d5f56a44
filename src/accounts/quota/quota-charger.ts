import { type Day, dayOf, endOfDay, type Millis } from '../../domain/day.ts';
import { DatabaseUnavailable } from '../../store/engine/unavailable.ts';
import type { ChargeStatements } from './charge-sql.ts';

/** How many requests are left of the quota of a day. */
export interface Remaining {
  readonly remaining: number;
  /** The day (UTC) of the charge. The next day may begin before the request is answered. */
  readonly day: Day;
}

/** Whether a charge was granted in full, and the quota that is left. */
export interface Charge extends Remaining {
  readonly granted: boolean;
}

/** What one statement charged to an account. */
export interface Charged {
  /** The row id of the account. */
  readonly id: number;
  readonly day: Day;
  readonly quota: number;
  /** The requests charged that day, these included. */
  readonly used: number;
  /** The requests charged by this statement. */
  readonly cost: number;
}

/** Is called with every charge. It must not throw. */
export type ChargeObserver = (charged: Charged) => void;

interface PendingCharge {
  /** In requests. */
  readonly cost: number;
  resolve(charge: Charge): void;
  reject(error: unknown): void;
}

/**
 * How many times in a row the store may refuse charges that fit by its own account. Other processes
 * may take the room between the two statements, but not for ever: then the store is at fault.
 */
const MAX_UNDECIDED = 100;

/** Pending charges in order of arrival, by row id of the account or of the key. */
type Queues = Map<number, PendingCharge[]>;

/**
 * Charges requests to the quota of their accounts (docs/glossary.md#quota), or to the limits of API
 * keys. Requests that are pending at the same moment share one SQL statement. Only one statement
 * runs at a time, so the charges of an account are decided in order of arrival.
 */
export class QuotaCharger {
  readonly #statements: ChargeStatements;
  readonly #clock: () => Millis;
  readonly #observe: ChargeObserver | undefined;
  /** By quota, because an account may have pending charges of its old and its new plan. */
  #pending = new Map<number, Queues>();
  #isRunning = false;

  /** `observe` is called with every charge. */
  constructor(statements: ChargeStatements, clock: () => Millis, observe?: ChargeObserver) {
    this.#statements = statements;
    this.#clock = clock;
    this.#observe = observe;
  }

  /**
   * Charges `cost` requests, at least one, to an account or a key if its usage of today (UTC) stays
   * within `quota`. Charges all of them or none.
   */
  charge(id: number, quota: number, cost: number): Promise<Charge> {
    return new Promise((resolve, reject) => {
      this.#queue(id, quota).push({ cost, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      setImmediate(() => this.#run());
    });
  }

  #queue(id: number, quota: number): PendingCharge[] {
    const queues = this.#pending.get(quota) ?? new Map<number, PendingCharge[]>();
    this.#pending.set(quota, queues);
    const queue = queues.get(id) ?? [];
    queues.set(id, queue);
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

  /** Resolves every charge in `queues`. If the store fails, rejects those not yet decided. */
  async #chargeAll(queues: Queues, quota: number, day: Day): Promise<void> {
    try {
      let costs = costsWithin(queues, () => quota);
      for (let undecided = 0; queues.size > 0; undecided += 1) {
        if (undecided === MAX_UNDECIDED) throw new DatabaseUnavailable('It refuses what fits.');
        const charged = await this.#chargeOnce(queues, costs, quota, day);
        if (charged > 0) undecided = 0;
        if (queues.size > 0) costs = await this.#remainingCosts(queues, quota, day);
      }
    } catch (error) {
      for (const queue of queues.values()) for (const charge of queue) charge.reject(error);
    }
  }

  /** Grants what one statement charges; returns the number of ids. */
  async #chargeOnce(
    queues: Queues,
    costs: ReadonlyMap<number, number>,
    quota: number,
    day: Day,
  ): Promise<number> {
    const charged = await this.#statements.charge(costs, day, quota);
    for (const { id, used } of charged) {
      const cost = costs.get(id) ?? 0;
      grant(queues, id, cost, { remaining: quota - used, day });
      this.#observe?.({ id, day, quota, used, cost });
    }
    return charged.length;
  }

  /**
   * Refuses what no longer fits the quota, and returns the costs of the next charges that may fit.
   * The next statement decides, because other processes charge in the meantime.
   */
  async #remainingCosts(queues: Queues, quota: number, day: Day): Promise<Map<number, number>> {
    const rows = await this.#statements.usage(queues.keys(), day);
    const used = new Map(rows.map(({ id, used }) => [id, used]));
    const room = (id: number) => Math.max(0, quota - (used.get(id) ?? 0));
    for (const id of [...queues.keys()]) refuse(queues, id, { remaining: room(id), day });
    return costsWithin(queues, room);
  }
}

/** Returns, by id, the cost of the first charges of its queue that fit its `room`, if any. */
function costsWithin(queues: Queues, room: (id: number) => number): Map<number, number> {
  const costs = new Map<number, number>();
  for (const [id, queue] of queues) {
    const fitting = firstWithin(queue, room(id));
    if (fitting.length > 0) costs.set(id, sumOf(fitting));
  }
  return costs;
}

/** Returns the first charges of a queue that together cost at most `room`. */
function firstWithin(queue: readonly PendingCharge[], room: number): readonly PendingCharge[] {
  let sum = 0;
  const end = queue.findIndex(({ cost }) => {
    sum += cost;
    return sum > room;
  });
  return end === -1 ? queue : queue.slice(0, end);
}

function sumOf(charges: readonly PendingCharge[]): number {
  return charges.reduce((sum, { cost }) => sum + cost, 0);
}

/** Grants the first charges of a queue, which cost `sum` and leave `left`. */
function grant(queues: Queues, id: number, sum: number, left: Remaining): void {
  let remaining = left.remaining + sum;
  const queue = queues.get(id) ?? [];
  for (const { cost, resolve } of take(queues, id, firstWithin(queue, sum).length)) {
    remaining -= cost;
    resolve({ granted: true, remaining, day: left.day });
  }
}

/** Refuses the first charges of a queue that each cost more than is left. Later ones wait. */
function refuse(queues: Queues, id: number, left: Remaining): void {
  const queue = queues.get(id) ?? [];
  const fitting = queue.findIndex(({ cost }) => cost <= left.remaining);
  const count = fitting === -1 ? queue.length : fitting;
  for (const charge of take(queues, id, count)) charge.resolve({ granted: false, ...left });
}

/** Removes and returns the first charges of a queue. Removes an empty queue. */
function take(queues: Queues, id: number, count: number): PendingCharge[] {
  const queue = queues.get(id) ?? [];
  const taken = queue.splice(0, count);
  if (queue.length === 0) queues.delete(id);
  return taken;
}

/** Returns the seconds until the quotas of a day reset: a whole number, at least 1. */
export function secondsToReset(day: Day, now: Millis): number {
  return Math.max(1, Math.ceil((endOfDay(day) - now) / 1000));
}
