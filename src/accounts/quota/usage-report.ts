import { type CsvCell, type CsvOptions, csvLine } from '../../domain/csv.ts';
import {
  addDays,
  type Day,
  dayOf,
  endOfDay,
  formatDay,
  type Millis,
  type Month,
  startOfDay,
} from '../../domain/day.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import { type AccountLimits, type Plan, UNLIMITED } from '../../domain/plans.ts';
import type { Store } from '../../store/connect.ts';
import { countAudit } from '../audit/audit-sql.ts';
import { type ChargeStatements, prepareCharges } from './charge-sql.ts';
import { Plans } from './plans.ts';
import {
  type ChargedAccount,
  countByKey,
  findHighestDays,
  pageMonthUsage,
  prepareRecord,
  type RecordStatements,
  type RequestCount,
  readRecentRequests,
} from './usage-sql.ts';

/** The requests of an account: the quota of today and the last days. */
export interface Usage {
  /** The daily quota (UTC), with its used and remaining requests. */
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the quota resets. */
  readonly resetAt: Millis;
  readonly now: Millis;
  /** The last {@link REPORTED_DAYS} days, oldest first, including days without requests. */
  readonly days: readonly UsageDay[];
}

export interface UsageDay {
  /** `YYYY-MM-DD` (UTC). */
  readonly date: string;
  readonly requests: readonly Pick<RequestCount, 'endpoint' | 'statusClass' | 'count'>[];
}

export const REPORTED_DAYS = 30;

/** Reads the usage of accounts: two lookups by primary key, cheap enough to poll. */
export class UsageReport {
  readonly #charges: ChargeStatements;
  readonly #counts: RecordStatements;
  readonly #db: Store['accounts']['db'];
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#db = store.accounts.db;
    this.#charges = prepareCharges(store.accounts.engine, 'account');
    this.#counts = prepareRecord(store.accounts.engine);
    this.#clock = clock;
  }

  /** Returns the usage of an account. Charged requests are exact; counts lag by up to a second. */
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

  /** Returns an account's last requests, and the counts of its keys in the reported days. */
  async requests(accountId: number) {
    const from = addDays(dayOf(this.#clock()), 1 - REPORTED_DAYS);
    return {
      counts: await countByKey(this.#db, accountId, from),
      recent: await readRecentRequests(this.#db, accountId),
    };
  }

  /** Returns the requests charged to an account today (UTC). */
  async usedToday(accountId: number): Promise<number> {
    const [usage] = await this.#charges.usage([accountId], dayOf(this.#clock()));
    return usage?.used ?? 0;
  }
}

function withoutDay({ endpoint, statusClass, count }: { day: Day } & UsageDay['requests'][number]) {
  return { endpoint, statusClass, count };
}

/** The usage of an account in a month, for its invoice. */
export interface MonthUsage {
  /** The account's id, which never changes, even if its address does. */
  readonly account: number;
  readonly email: string;
  /** Its current plan, without its own limits. */
  readonly plan: Plan;
  /** Requests charged in the month. */
  readonly requests: number;
  /** Days of the month (UTC) with requests. */
  readonly days: number;
  /** The first day with the most requests, and their number; null without requests. */
  readonly highest: { readonly day: Day; readonly requests: number } | null;
  /** Its differences from its plan; null for none. */
  readonly limits: AccountLimits | null;
  readonly isDisabled: boolean;
}

/** Accounts read at once. */
const PAGE = 500;

/**
 * Yields the month's usage of every account created before its end, in the order of ids. It omits
 * deleted accounts: see {@link countDeleted}.
 */
export async function* readMonthUsage(store: Store, month: Month): AsyncGenerator<MonthUsage> {
  const { db } = store.accounts;
  const table = await new Plans(store).read();
  const before = endOfDay(month.last);
  let above = 0;
  for (;;) {
    const accounts = await pageMonthUsage(db, month, { above, limit: PAGE, before });
    const days = await findHighestDays(db, month, accounts);
    for (const account of accounts) {
      const plan = table.find(account.plan);
      if (plan) yield monthUsageOf(account, plan, days.get(account.id));
    }
    above = accounts.at(-1)?.id ?? above;
    if (accounts.length < PAGE) return;
  }
}

/** Returns the number of accounts deleted in a month, according to the audit log. */
export function countDeleted(store: Store, { first, last }: Month): Promise<number> {
  const until = endOfDay(last);
  const filter = { action: 'account-deleted', since: startOfDay(first), until };
  return countAudit(store.accounts.db, filter);
}

function monthUsageOf(
  { id: account, most, plan: _, ...charged }: ChargedAccount,
  plan: Plan,
  day: Day | undefined,
): MonthUsage {
  const highest = day === undefined ? null : { day, requests: most };
  return { account, ...charged, plan, highest };
}

/** Returns a month's usage for programs. Null stands for no limit, and for no day. */
export function monthUsageView({ plan, highest, limits, isDisabled, ...usage }: MonthUsage) {
  return {
    ...usage,
    plan: plan.name,
    price: dollarsFromCents(plan.price),
    highestDay: highest && formatDay(highest.day),
    highestRequests: highest?.requests ?? 0,
    limits: limits && limitsView(limits),
    isDisabled,
  };
}

/** Returns limits for programs. Null stands for no limit. */
export function limitsView({ dailyRequests, ...limits }: AccountLimits) {
  const daily = dailyRequests === UNLIMITED ? null : dailyRequests;
  return { ...(dailyRequests !== undefined && { dailyRequests: daily }), ...limits };
}

const COLUMNS = [
  'account',
  'email',
  'plan',
  'price',
  'requests',
  'days',
  'highest_day',
  'highest_requests',
  'limits',
  'disabled',
];

/** Yields a month's usage as lines of CSV, the header first. */
export async function* monthUsageCsv(
  usages: AsyncIterable<MonthUsage>,
  options?: CsvOptions,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const usage of usages) yield csvLine(cellsOf(usage), options);
}

function cellsOf(usage: MonthUsage): CsvCell[] {
  const view = monthUsageView(usage);
  return [
    view.account,
    view.email,
    view.plan,
    view.price.toFixed(2),
    view.requests,
    view.days,
    view.highestDay,
    view.highestRequests,
    view.limits && JSON.stringify(view.limits),
    view.isDisabled ? 'yes' : 'no',
  ];
}
