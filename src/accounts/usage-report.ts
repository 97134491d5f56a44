import { addDays, type Day, dayOf, formatDay, type Millis, startOfDay } from '../domain/day.ts';
import type { Plan } from '../domain/plans.ts';
import { prepareUsage, type UsageStatements } from '../store/accounts.ts';
import type { Store } from '../store/connect.ts';
import { prepareRecord, type RecordStatements, type RequestCount } from '../store/usage.ts';

/** What an account has asked for. */
export interface Usage {
  /** Requests of the quota of today (UTC). */
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the quota begins anew. */
  readonly resetAt: Millis;
  readonly now: Millis;
  /** The last {@link REPORTED_DAYS}, oldest first, also those without requests. */
  readonly days: readonly UsageDay[];
}

export interface UsageDay {
  /** `YYYY-MM-DD` (UTC). */
  readonly date: string;
  readonly requests: readonly Pick<RequestCount, 'endpoint' | 'statusClass' | 'count'>[];
}

export const REPORTED_DAYS = 30;

/** Tells accounts what they have asked for: two reads by key, so it may be asked often. */
export class UsageReport {
  readonly #charges: UsageStatements;
  readonly #record: RecordStatements;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#charges = prepareUsage(store.engine);
    this.#record = prepareRecord(store.engine);
    this.#clock = clock;
  }

  /** What is charged is exact; what was asked for is told up to a second later. */
  async read(accountId: number, { dailyRequests: limit }: Plan): Promise<Usage> {
    const now = this.#clock();
    const today = dayOf(now);
    const from = addDays(today, 1 - REPORTED_DAYS);
    const used = await this.usedToday(accountId);
    const counts = Map.groupBy(await this.#record.counts(accountId, from), ({ day }) => day);
    const days = Array.from({ length: REPORTED_DAYS }, (_, index) => {
      const day = addDays(from, index);
      return { date: formatDay(day), requests: (counts.get(day) ?? []).map(withoutDay) };
    });
    const resetAt = startOfDay(addDays(today, 1));
    return { limit, used, remaining: Math.max(0, limit - used), resetAt, now, days };
  }

  /** Requests charged to an account today (UTC). */
  async usedToday(accountId: number): Promise<number> {
    const [usage] = await this.#charges.usage([accountId], dayOf(this.#clock()));
    return usage?.used ?? 0;
  }
}

function withoutDay({ endpoint, statusClass, count }: { day: Day } & UsageDay['requests'][number]) {
  return { endpoint, statusClass, count };
}
