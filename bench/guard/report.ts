import { wrongNames } from './mistakes.ts';
import type { Amounts } from './model.ts';
import type { Mistake } from './plan.ts';
import type { TrueDay, Verdict } from './replay.ts';

/** A group of mistakes, the goal for it, and the share that the goal bounds. */
interface Group {
  readonly name: string;
  readonly goal: string;
  readonly isMet: (summary: Summary) => boolean;
}

const GROUPS = {
  large: {
    name: 'beyond 10×',
    goal: 'none served on any day',
    isMet: ({ anyDay }) => anyDay === 0,
  },
  medium: {
    name: '3× to 10×',
    goal: 'at most 2 % served on any of ten days',
    isMet: ({ anyDay }) => anyDay <= 0.02,
  },
  double: {
    name: '2× to 3×',
    goal: 'at most 5 % served on day 5',
    isMet: ({ day5 }) => day5 <= 0.05,
  },
  part: {
    name: 'a part of a set, moved by 15 %',
    goal: 'at most 3 % served',
    isMet: ({ day1, day10 }) => Math.max(day1, day10) <= 0.03,
  },
  contradicted: {
    name: 'contradicted by another figure',
    goal: 'at least 95 % quarantined at once',
    isMet: ({ held }) => held >= 0.95,
  },
  mass: {
    name: 'a whole set or feed',
    goal: 'at most 1 % served',
    isMet: ({ anyDay }) => anyDay <= 0.01,
  },
  first: { name: 'first price, nothing to compare', goal: '', isMet: () => true },
  small: { name: 'under 2×, nothing contradicts', goal: '', isMet: () => true },
} as const satisfies Readonly<Record<string, Group>>;

/** Prices beyond this multiple of the true one, or its inverse; ×10 in whole cents is not. */
const BEYOND_TEN = 10.05;

/** Shares of some mistakes. */
interface Summary {
  readonly planted: number;
  /** Neither served nor accepted on the first day. */
  readonly held: number;
  /** Served at the end of the first, third, fifth and tenth day, and on any of the ten. */
  readonly day1: number;
  readonly day3: number;
  readonly day5: number;
  readonly day10: number;
  readonly anyDay: number;
  /** The rules that quarantined them on the first day, the most frequent first. */
  readonly rules: readonly string[];
}

/**
 * Prints the share of mistakes that were served, by kind and by group. Returns the missed goals.
 */
export function report(verdicts: readonly Verdict[]): string[] {
  printTable(Map.groupBy(verdicts, ({ mistake }) => mistake.kind.name));
  const groups = Map.groupBy(verdicts, ({ mistake }) => groupOf(mistake));
  printTable(new Map([...groups].map(([{ name }, own]) => [name, own])));
  const missed = [...groups].filter(([{ isMet }, own]) => !isMet(summarise(own)));
  return missed.map(([{ name, goal }]) => `${name}: ${goal}`);
}

/** Prints the true prices that were held, by day and rule. Returns their share. */
export function reportTruth(days: readonly TrueDay[]): number {
  const compared = days.reduce((sum, day) => sum + day.compared, 0);
  const held = days.flatMap((day) => day.held);
  const rules = [...Map.groupBy(held, (rule) => rule)].map(
    ([rule, own]) => `${own.length} ${rule}`,
  );
  const share = held.length / compared;
  console.log(`\nTrue prices held: ${held.length} of ${compared}, ${(share * 100).toFixed(3)} %`);
  console.log(`by day: ${days.map((day) => day.held.length).join(' ')}; ${rules.join(', ')}`);
  return share;
}

function groupOf(mistake: Mistake): Group {
  const { kind } = mistake;
  if (kind.group) return GROUPS[kind.group];
  if (kind.scope !== 'single') return GROUPS.mass;
  if (kind.isContradicted) return GROUPS.contradicted;
  if (kind.isFirstPrice) return GROUPS.first;
  const factor = factorOf(mistake);
  if (factor > BEYOND_TEN) return GROUPS.large;
  if (factor >= 3) return GROUPS.medium;
  return factor >= 2 ? GROUPS.double : GROUPS.small;
}

/** How far a wrong amount is from the true one: the largest ratio of all amounts. */
function factorOf({ wrongs, start }: Mistake): number {
  const ratios = wrongs.flatMap(({ amounts, truth }) => ratiosOf(amounts(start), truth[start]));
  return Math.max(1, ...ratios);
}

function ratiosOf(planted: Amounts = {}, truth: Amounts = {}): number[] {
  return wrongNames(planted, truth).map((name) => {
    const [wrong, right] = [planted[name], truth[name]];
    return wrong && right ? Math.max(wrong / right, right / wrong) : 1;
  });
}

/** Sums up verdicts. */
export function summarise(verdicts: readonly Verdict[]): Summary {
  const share = (has: (verdict: Verdict) => boolean | undefined) => {
    return verdicts.filter(has).length / Math.max(1, verdicts.length);
  };
  const rules = Map.groupBy(
    verdicts.flatMap(({ rule }) => rule ?? []),
    (rule) => rule,
  );
  const counted = [...rules].sort(([, a], [, b]) => b.length - a.length);
  return {
    planted: verdicts.length,
    held: share(({ isHeld }) => isHeld),
    day1: share(({ served }) => served[0]),
    day3: share(({ served }) => served[2]),
    day5: share(({ served }) => served[4]),
    day10: share(({ served }) => served[9]),
    anyDay: share(({ served }) => served.some(Boolean)),
    rules: counted.map(([rule, own]) => `${rule} ${own.length}`),
  };
}

function printTable(table: ReadonlyMap<string, readonly Verdict[]>): void {
  print(['', 'planted', 'held', 'day 1', 'day 3', 'day 5', 'day 10', 'any day', 'held by']);
  for (const [name, verdicts] of table) {
    const { planted, held, day1, day3, day5, day10, anyDay, rules } = summarise(verdicts);
    const shares = [held, day1, day3, day5, day10, anyDay].map(percent);
    print([name, String(planted), ...shares, rules.slice(0, 3).join(', ')]);
  }
}

function print([name = '', ...cells]: readonly string[]): void {
  console.log([name.padEnd(44), ...cells.map((cell) => cell.padStart(8))].join('  '));
}

/** A share with one decimal; a share above 0 is never shown as 0. */
export function percent(share: number): string {
  const shown = (share * 100).toFixed(1);
  return share > 0 && shown === '0.0' ? '<0.1 %' : `${shown} %`;
}
