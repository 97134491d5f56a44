import { type Day, dayOf, endOfDay, type Millis } from '../../domain/day.ts';
import { Pace } from '../../lib/event-loop.ts';
import { DatabaseUnavailable } from '../../store/engine/unavailable.ts';
import type { AccountCharge, ChargeStatements } from './charge-sql.ts';

/** The requests left of the quota of a day. */
export interface Remaining {
  readonly remaining: number;
  /** The day (UTC) of the charge. The next day may begin before the request is answered. */
  readonly day: Day;
}

/** Whether a charge was granted in full, and the remaining quota. */
export interface Charge extends Remaining {
  readonly granted: boolean;
}

/** The charge of one statement to an account. */
export interface Charged {
  /** The row id of the account. */
  readonly id: number;
  readonly day: Day;
  readonly quota: number;
  /** The requests charged that day, including these. */
  readonly used: number;
  /** The requests charged by this statement. */
  readonly cost: number;
}

/** Called with every charge. Must not throw. */
export type ChargeObserver = (charged: Charged) => void;

interface PendingCharge {
  /** In requests. */
  readonly cost: number;
  readonly quota: number;
  resolve(charge: Charge): void;
  reject(error: unknown): void;
}

/**
 * How many times in a row the store may refuse charges that should fit by its own figures. Other
 * processes may use up the room between the two statements, but not forever: then the store is at
 * fault.
 */
const MAX_UNDECIDED = 100;

/** A row that charges nothing, with an id that no account has. */
const PROBE: AccountCharge = { id: 0, cost: 0, quota: 0 };

/** Pending charges in order of arrival, by row id of the account or of the key. */
type Queues = Map<number, PendingCharge[]>;

/** The first charges of a queue, as one row of the statement. */
interface FirstCharges extends AccountCharge {
  /** The number of these charges. */
  readonly count: number;
}

/** The rows of a statement, by id. */
type Rows = ReadonlyMap<number, FirstCharges>;

/**
 * Charges requests to the quota of their accounts (docs/glossary.md#quota), or to the limits of API
 * keys. Requests that are pending at the same moment share one SQL statement. Only one statement
 * runs at a time, so the charges of an account are decided in order of arrival. While charges are
 * frequent, statements begin an interval apart, so more charges share each.
 */
export class QuotaCharger {
  readonly #statements: ChargeStatements;
  readonly #clock: () => Millis;
  readonly #observe: ChargeObserver | undefined;
  readonly #pace: Pace;
  #pending: Queues = new Map();
  #isRunning = false;
  /** Whether the last charges failed. */
  #isFailing = false;

  /** `observe` is called with every charge. */
  constructor(statements: ChargeStatements, clock: () => Millis, observe?: ChargeObserver) {
    this.#statements = statements;
    this.#clock = clock;
    this.#observe = observe;
    // Runs after all requests admitted by the same event have asked for their charges.
    this.#pace = new Pace(statements.interval ?? 0, process.nextTick);
  }

  /**
   * Charges `cost` requests, at least one, to an account or a key if its usage of today (UTC) stays
   * within `quota`. Charges all of them or none.
   */
  charge(id: number, quota: number, cost: number): Promise<Charge> {
    return new Promise((resolve, reject) => {
      this.#queue(id).push({ cost, quota, resolve, reject });
      this.#pace.note();
      if (this.#isRunning) return;
      this.#isRunning = true;
      this.#pace.start(() => this.#run());
    });
  }

  /**
   * Rejects as long as charges fail. After a failure it makes an empty charge, so an idle process
   * notices when charges work again.
   */
  async check(): Promise<void> {
    if (!this.#isFailing) return;
    await this.#statements.charge([PROBE], dayOf(this.#clock()));
    this.#isFailing = false;
  }

  #queue(id: number): PendingCharge[] {
    const queue = this.#pending.get(id) ?? [];
    this.#pending.set(id, queue);
    return queue;
  }

  async #run(): Promise<void> {
    const queues = this.#pending;
    this.#pending = new Map();
    await this.#chargeAll(queues, dayOf(this.#clock()));
    if (this.#pending.size > 0) this.#pace.start(() => this.#run());
    else this.#isRunning = false;
  }

  /** Resolves every charge in `queues`. If the store fails, rejects those not yet decided. */
  async #chargeAll(queues: Queues, day: Day): Promise<void> {
    try {
      let rows = rowsWithin(queues);
      for (let undecided = 0; queues.size > 0; undecided += 1) {
        if (undecided === MAX_UNDECIDED) throw new DatabaseUnavailable('It refuses what fits.');
        const charged = await this.#chargeOnce(queues, rows, day);
        if (charged > 0) undecided = 0;
        if (queues.size > 0) rows = await this.#remainingRows(queues, day);
      }
    } catch (error) {
      this.#isFailing = true;
      for (const queue of queues.values()) for (const charge of queue) charge.reject(error);
    }
  }

  /** Grants the charges of one statement; returns the number of ids. */
  async #chargeOnce(queues: Queues, rows: Rows, day: Day): Promise<number> {
    const charged = await this.#statements.charge([...rows.values()], day);
    // A statement that charges nothing writes nothing.
    if (charged.length > 0) this.#isFailing = false;
    for (const { id, used } of charged) {
      const row = rows.get(id);
      if (!row) continue;
      const { quota, cost } = row;
      grant(queues, row, { remaining: quota - used, day });
      this.#observe?.({ id, day, quota, used, cost });
    }
    return charged.length;
  }

  /**
   * Refuses charges that no longer fit their quota, and returns the next charges that may fit. The
   * next statement decides, because other processes also charge.
   */
  async #remainingRows(queues: Queues, day: Day): Promise<Rows> {
    const usages = await this.#statements.usage(queues.keys(), day);
    const used = new Map(usages.map((usage) => [usage.id, usage.used]));
    for (const id of [...queues.keys()]) refuse(queues, id, used.get(id) ?? 0, day);
    return rowsWithin(queues, used);
  }
}

/** Returns, by id, the first charges of its queue that fit their quota, if any. */
function rowsWithin(queues: Queues, used?: ReadonlyMap<number, number>): Rows {
  const rows = new Map<number, FirstCharges>();
  for (const [id, queue] of queues) {
    const row = firstWithin(id, queue, used?.get(id) ?? 0);
    if (row.count > 0) rows.set(id, row);
  }
  return rows;
}

/**
 * Returns the first charges of a queue that have one quota and together fit it. Later ones may have
 * another quota, because the plan or the limits were changed in the meantime.
 */
function firstWithin(id: number, queue: readonly PendingCharge[], used: number): FirstCharges {
  const quota = queue[0]?.quota ?? 0;
  let cost = 0;
  let count = 0;
  for (const charge of queue) {
    if (charge.quota !== quota || used + cost + charge.cost > quota) break;
    cost += charge.cost;
    count += 1;
  }
  return { id, quota, cost, count };
}

/** Grants the charges of a row, after which `left` requests remain. */
function grant(queues: Queues, { id, cost: sum, count }: FirstCharges, left: Remaining): void {
  let remaining = left.remaining + sum;
  for (const { cost, resolve } of take(queues, id, count)) {
    remaining -= cost;
    resolve({ granted: true, remaining, day: left.day });
  }
}

/** Refuses the first charges of a queue that each exceed their quota. Later ones wait. */
function refuse(queues: Queues, id: number, used: number, day: Day): void {
  const queue = queues.get(id) ?? [];
  const fitting = queue.findIndex(({ cost, quota }) => used + cost <= quota);
  const count = fitting === -1 ? queue.length : fitting;
  for (const { quota, resolve } of take(queues, id, count)) {
    resolve({ granted: false, remaining: Math.max(0, quota - used), day });
  }
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
