import { GROUPS, type Group, groupsOf, isUnderADollar } from './groups.ts';
import type { Verdict } from './replay.ts';

/** What became of some mistakes, as shares of them. */
export interface Summary {
  readonly planted: number;
  /** Neither served nor accepted on the first day. */
  readonly held: number;
  /** Served at the end of the first, third and tenth day, and on any of the ten. */
  readonly day1: number;
  readonly day3: number;
  readonly day10: number;
  readonly anyDay: number;
  /** In the history in the end. */
  readonly inHistory: number;
  /** The rules that held them on the first day, the most frequent first. */
  readonly rules: Readonly<Record<string, number>>;
}

/** Sums up verdicts. */
export function summarise(verdicts: readonly Verdict[]): Summary {
  const share = (has: (verdict: Verdict) => boolean | undefined) => {
    return verdicts.filter(has).length / Math.max(1, verdicts.length);
  };
  const rules = Map.groupBy(
    verdicts.filter(({ rule }) => rule !== undefined),
    ({ rule }) => rule ?? '',
  );
  const counted = [...rules].map(([rule, own]) => [rule, own.length] as const);
  return {
    planted: verdicts.length,
    held: share(({ isHeld }) => isHeld),
    day1: share(({ served }) => served[0]),
    day3: share(({ served }) => served[2]),
    day10: share(({ served }) => served[9]),
    anyDay: share(({ served }) => served.some(Boolean)),
    inHistory: share(({ isInHistory }) => isInHistory),
    rules: Object.fromEntries(counted.sort(([, a], [, b]) => b - a)),
  };
}

/** A mistake's fate in its world. */
export interface Result {
  readonly world: string;
  readonly verdict: Verdict;
}

/** A line of the table, with its name. */
export type Line = readonly [string, Summary];

/** Lines of the results by kind, in the order in which kinds first occur. */
export function byKind(results: readonly Result[]): Line[] {
  return lines(results, ({ verdict }) => [verdict.mistake.kind.name]);
}

/** Lines by kind and world. */
export function byKindAndWorld(results: readonly Result[]): Line[] {
  return lines(results, ({ world, verdict }) => [`${verdict.mistake.kind.name} · ${world}`]);
}

/** Lines by group, each also for the mistakes that move prices by less than a dollar. */
export function byGroup(results: readonly Result[]): Line[] {
  const named = lines(results, ({ verdict: { mistake } }) => {
    const groups = groupsOf(mistake);
    return isUnderADollar(mistake)
      ? [...groups, ...groups.map((group) => `${group}${CENTS}`)]
      : groups;
  });
  const order = GROUPS.flatMap((group) => [group, `${group}${CENTS}`]);
  return named.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

const CENTS = ' – of these by less than a dollar';

function lines(results: readonly Result[], namesOf: (result: Result) => string[]): Line[] {
  const groups = new Map<string, Verdict[]>();
  for (const result of results) {
    for (const name of namesOf(result)) {
      const own = groups.get(name);
      if (own) own.push(result.verdict);
      else groups.set(name, [result.verdict]);
    }
  }
  return [...groups].map(([name, own]) => [name, summarise(own)]);
}

/** A goal with what was measured. */
export interface Goal {
  readonly goal: string;
  readonly measured: string;
  readonly isMet: boolean;
}

interface GoalOfGroup {
  readonly group: Group;
  readonly goal: string;
  readonly measure: keyof Summary & ('held' | 'day3' | 'day10' | 'anyDay');
  readonly fits: (share: number) => boolean;
}

const GOALS: readonly GoalOfGroup[] = [
  goal('beyond 10×', 'none served on any day', 'anyDay', (share) => share === 0),
  goal('2× to 10×', 'none served on day 3', 'day3', (share) => share === 0),
  goal('2× to 10×', 'at most 10 % served on day 10', 'day10', (share) => share <= 0.1),
  goal(
    'contradicted by a figure beside it',
    'at least 95 % held',
    'held',
    (share) => share >= 0.95,
  ),
  goal('set- or feed-wide, 15 % or more', 'at most 1 % served', 'anyDay', (share) => share <= 0.01),
  goal('set- or feed-wide, euros', 'at most 1 % served', 'anyDay', (share) => share <= 0.01),
];

function goal(
  group: Group,
  text: string,
  measure: GoalOfGroup['measure'],
  fits: GoalOfGroup['fits'],
): GoalOfGroup {
  return { group, goal: text, measure, fits };
}

/** Compares the groups with their goals; groups without a mistake are left out. */
export function goalsOf(groups: readonly Line[]): Goal[] {
  const summaries = new Map(groups);
  return GOALS.flatMap(({ group, goal: text, measure, fits }) => {
    const summary = summaries.get(group);
    if (!summary) return [];
    const share = summary[measure];
    const measured = `${percent(share)} of ${summary.planted}`;
    return [{ goal: `${group}: ${text}`, measured, isMet: fits(share) }];
  });
}

/** Prints a table of summaries. */
export function printTable(title: string, table: readonly Line[]): void {
  console.log(`\n${title}`);
  print(['', 'planted', 'held', 'day 1', 'day 3', 'day 10', 'any day', 'history'], 'held by');
  for (const [name, summary] of table) {
    const { planted, held, day1, day3, day10, anyDay, inHistory, rules } = summary;
    const shares = [held, day1, day3, day10, anyDay, inHistory].map(percent);
    const by = Object.entries(rules).map(([rule, count]) => `${rule} ${count}`);
    print([name, String(planted), ...shares], by.slice(0, 3).join(', '));
  }
}

export function printGoals(goals: readonly Goal[]): void {
  console.log('\nGoals');
  for (const { goal: text, measured, isMet } of goals) {
    console.log(`${isMet ? 'met    ' : 'NOT MET'}  ${text.padEnd(78)} ${measured}`);
  }
}

function print([name = '', ...cells]: readonly string[], last: string): void {
  console.log([name.padEnd(62), ...cells.map((cell) => cell.padStart(8)), ' ', last].join(' '));
}

/** A share with a decimal; a share above 0 is never shown as 0. */
export function percent(share: number): string {
  const shown = (share * 100).toFixed(1);
  return share > 0 && shown === '0.0' ? '<0.1 %' : `${shown} %`;
}
