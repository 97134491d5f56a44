import { type Day, endOfDay, formatDay, type Month, startOfDay } from '../../domain/day.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import { type AccountLimits, type Plan, UNLIMITED } from '../../domain/plans.ts';
import { csvLine, plainCell } from '../../lib/csv.ts';
import type { Store } from '../../store/connect.ts';
import { countAudit } from '../audit/audit-sql.ts';
import { findHighestDays, type MonthUsageRow, pageMonthUsage } from './month-usage-sql.ts';
import { Plans } from './plans.ts';

/** What an account is invoiced for: a month of its usage. */
export interface MonthUsage {
  /** The account's id, which stays the same when its address changes. */
  readonly account: number;
  readonly email: string;
  /** The plan that it has now, without its own limits. */
  readonly plan: Plan;
  /** Requests charged in the month. */
  readonly requests: number;
  /** Days of the month (UTC) with requests. */
  readonly days: number;
  /** The first of the days with the most requests, and how many; null for none. */
  readonly highest: { readonly day: Day; readonly requests: number } | null;
  /** What it has otherwise than its plan; null for nothing. */
  readonly limits: AccountLimits | null;
  readonly isDisabled: boolean;
}

/** How many accounts are read at once. */
const PAGE = 500;

/**
 * Yields the usage of a month of every account that was made before its end, in the order of ids.
 * Nothing is left of accounts that were deleted: see {@link countDeleted}.
 */
export async function* readMonthUsage(store: Store, month: Month): AsyncGenerator<MonthUsage> {
  const { db } = store.accounts;
  const table = await new Plans(store).read();
  const before = endOfDay(month.last);
  let above = 0;
  for (;;) {
    const rows = await pageMonthUsage(db, month, { above, limit: PAGE, before });
    const days = await findHighestDays(db, month, rows);
    for (const row of rows) {
      const plan = table.find(row.plan);
      if (plan) yield monthUsageOf(row, plan, days.get(row.id));
    }
    above = rows.at(-1)?.id ?? above;
    if (rows.length < PAGE) return;
  }
}

/** How many accounts were deleted in a month, by the audit log: their usage went with them. */
export function countDeleted(store: Store, { first, last }: Month): Promise<number> {
  const until = endOfDay(last);
  const filter = { action: 'account-deleted', since: startOfDay(first), until };
  return countAudit(store.accounts.db, filter);
}

function monthUsageOf(row: MonthUsageRow, plan: Plan, day: number | undefined): MonthUsage {
  const { id, email, requests, days, most, limits } = row;
  return {
    ...{ account: id, email, plan, requests, days },
    highest: day === undefined ? null : { day: day as Day, requests: most },
    limits: limits === null ? null : (JSON.parse(limits) as AccountLimits),
    isDisabled: row.disabled_at !== null,
  };
}

/** A month's usage of an account for programs. Null stands for no limit, and for no day. */
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

/** Limits for programs: null stands for no limit. */
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

/** Yields a month's usage as lines of CSV, beginning with their header. */
export async function* monthUsageCsv(usages: AsyncIterable<MonthUsage>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const usage of usages) yield csvLine(cellsOf(usage));
}

function cellsOf(usage: MonthUsage): string[] {
  const view = monthUsageView(usage);
  return [
    String(view.account),
    plainCell(view.email),
    view.plan,
    view.price.toFixed(2),
    String(view.requests),
    String(view.days),
    view.highestDay ?? '',
    String(view.highestRequests),
    view.limits ? JSON.stringify(view.limits) : '',
    view.isDisabled ? 'yes' : 'no',
  ];
}
