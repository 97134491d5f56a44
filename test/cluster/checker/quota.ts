import { dayOf, endOfDay, MS_PER_DAY } from '../../../src/domain/day.ts';
import type { Answer, RunRecord } from '../record.ts';
import { eachAfter } from './order.ts';

/** What the quotas of a run promise. */

/** The charged answers of one account and day, and the answers that may have been charged. */
interface Count {
  charged: number;
  unknown: number;
}

/** The database counts each charged answer, and at most the uncertain ones in addition. */
export function usageIsExact(record: RunRecord): string[] {
  const counts = countCharges(record.answers);
  const usage = new Map(record.endUsage.map((row) => [`${row.account} ${row.reset}`, row.used]));
  return [...new Set([...counts.keys(), ...usage.keys()])].flatMap((of) => {
    const { charged = 0, unknown = 0 } = counts.get(of) ?? {};
    const used = usage.get(of) ?? 0;
    if (charged <= used && used <= charged + unknown) return [];
    const [account] = of.split(' ');
    return [
      `${account} got ${charged} charged answers and ${unknown} of unknown fate, and ` +
        `the database counts ${used}`,
    ];
  });
}

/** No account gets, or is charged, more than its plan has. */
export function quotasHold(record: RunRecord): string[] {
  const counts = [...countCharges(record.answers)].map(([of, { charged }]) => {
    return { account: of.split(' ')[0] ?? '', count: charged, what: 'got' };
  });
  const used = record.endUsage.map((row) => ({ ...row, count: row.used, what: 'was charged' }));
  return [...counts, ...used].flatMap(({ account, count, what }) => {
    const quota = record.quotas.get(account) ?? 0;
    return count <= quota ? [] : [`${account} ${what} ${count} requests of ${quota}`];
  });
}

/** Within a day, a request sent after an answer arrived never has more quota left. */
export function remainingNeverRises(record: RunRecord): string[] {
  const hasLess = (one: Answer, than: Answer) => leftOf(one) < leftOf(than);
  return eachQuota(record.answers).flatMap((answers) => {
    return eachAfter(answers, answers, hasLess, (after, least) => {
      if (leftOf(after) <= leftOf(least)) return undefined;
      return (
        `${after.id} of ${after.account} says that ${leftOf(after)} are left, ` +
        `after ${least.id} said ${leftOf(least)}`
      );
    });
  });
}

/** Each charged answer of a day names another number: none was charged twice, or not at all. */
export function eachChargeCounts(record: RunRecord): string[] {
  return eachQuota(record.answers.filter(isCharged)).flatMap((answers) => {
    const byLeft = Map.groupBy(answers, leftOf);
    return [...byLeft].flatMap(([left, [one, other]]) => {
      if (!one || !other) return [];
      return [`${one.id} and ${other.id} of ${one.account} both say that ${left} are left`];
    });
  });
}

/** Who is refused for the quota has none left. */
export function refusedOnlyWhenUsedUp(record: RunRecord): string[] {
  return record.answers
    .filter(({ kind, status, remaining }) => kind === 'read' && status === 429 && remaining !== 0)
    .map(({ id, account, remaining }) => `${id} of ${account} is a 429 with ${remaining} left`);
}

/** A charge belongs to the day of its request or answer, not to the day by its node's clock. */
export function chargesAreOfTheirDay({ answers }: RunRecord): string[] {
  return answers
    .filter((answer) => isCharged(answer) && !daysOf(answer).includes(answer.reset ?? Number.NaN))
    .map(({ id, account, reset }) => {
      const end =
        reset === null ? 'of no day' : `of the day until ${new Date(reset * 1000).toJSON()}`;
      return `${id} of ${account} was charged ${end}`;
    });
}

/** Returns the answers of each account and day that give the remaining quota. */
function eachQuota(answers: readonly Answer[]): Answer[][] {
  const told = answers.filter(({ kind, limit }) => kind === 'read' && (limit ?? 0) > 0);
  return [...Map.groupBy(told, ({ account, reset }) => `${account} ${reset}`).values()];
}

function leftOf({ remaining }: Answer): number {
  return remaining ?? Number.NaN;
}

/** Everything that is neither refused nor a failure of the service is charged. */
function isCharged({ kind, status }: Answer): boolean {
  return kind === 'read' && (status === 200 || status === 400 || status === 404);
}

function isUnknown({ kind, status }: Answer): boolean {
  return kind === 'read' && (status === null || status >= 500);
}

/** By account and the end of the day; an unknown one counts on each day that it may be of. */
function countCharges(answers: readonly Answer[]): Map<string, Count> {
  const counts = new Map<string, Count>();
  const add = (what: keyof Count, account: string, reset: number) => {
    const count = counts.get(`${account} ${reset}`) ?? { charged: 0, unknown: 0 };
    count[what] += 1;
    counts.set(`${account} ${reset}`, count);
  };
  for (const answer of answers) {
    const { account, reset } = answer;
    if (isCharged(answer) && reset !== null) add('charged', account, reset);
    if (isUnknown(answer)) for (const day of daysOf(answer)) add('unknown', account, day);
  }
  return counts;
}

/** The ends of the days between the sending of a request and the end of its answer. */
function daysOf({ sent, received }: Answer): number[] {
  const first = endOfDay(dayOf(sent));
  const last = endOfDay(dayOf(received));
  return first === last ? [first / 1000] : [first / 1000, (first + MS_PER_DAY) / 1000];
}
