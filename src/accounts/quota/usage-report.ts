import { addDays, type Day, dayOf, endOfDay, formatDay, type Millis } from '../../domain/day.ts';
import type { Plan } from '../../domain/plans.ts';
import type { Store } from '../../store/connect.ts';
import { prepareUsage, type UsageStatements } from '../account-sql.ts';
import { countByKey, readRecentRequests } from './request-log-sql.ts';
import { prepareRecord, type RecordStatements, type RequestCount } from './usage-sql.ts';

/** The requests of an account: the quota of today and the last days. */
export interface Usage {
  /** The daily quota (UTC), and how much of it is used and remains. */
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the quota begins anew. */
  readonly resetAt: Millis;
  readonly now: Millis;
  /** The last {@link REPORTED_DAYS} days, oldest first, also those without requests. */
  readonly days: readonly UsageDay[];
}

export interface UsageDay {
  /** `YYYY-MM-DD` (UTC). */
  readonly date: string;
  readonly requests: readonly Pick<RequestCount, 'endpoint' | 'statusClass' | 'count'>[];
}

export const REPORTED_DAYS = 30;

/** Reads what accounts have used: two lookups by primary key each, cheap enough to poll. */
export class UsageReport {
  readonly #charges: UsageStatements;
  readonly #counts: RecordStatements;
  readonly #db: Store['accounts']['db'];
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#db = store.accounts.db;
    this.#charges = prepareUsage(store.accounts.engine);
    this.#counts = prepareRecord(store.accounts.engine);
    this.#clock = clock;
  }

  /** The usage of an account. The charged requests are exact; the counts lag by up to a second. */
  async read(accountId: number, { dailyRequests: limit }: Plan): Promise<Usage> {
    const now = this.#clock();
    const today = dayOf(now);
    const from = addDays(today, 1 - REPORTED_DAYS);
    const used = await this.usedToday(accountId);
    const counts = Map.groupBy(await this.#counts.counts(accountId, from), ({ day }) => day);
    const days = Array.from({ length: REPORTED_DAYS }, (_, index) => {
      const day = addDays(from, index);
      return { date: formatDay(day), requests: (counts.get(day) ?? []).map(withoutDay) };
    });
    const remaining = Math.max(0, limit - used);
    return { limit, used, remaining, resetAt: endOfDay(today), now, days };
  }

  /** The last requests of an account, and how many each of its keys made of the reported days. */
  async requests(accountId: number) {
    const from = addDays(dayOf(this.#clock()), 1 - REPORTED_DAYS);
    return {
      counts: await countByKey(this.#db, accountId, from),
      recent: await readRecentRequests(this.#db, accountId),
    };
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
