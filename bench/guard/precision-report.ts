import { describeHold, type Hold, type Precision, releasedWithin } from './precision.ts';
import { type Goal, percent } from './report.ts';

/** Prints what was held of true prices, and each of them if asked to. */
export function printPrecision(worlds: readonly Precision[], isListed: boolean): void {
  console.log('\nTrue prices held back (market prices, conditions and grades; listings beside)');
  for (const world of worlds) {
    const { about, compared, held, heldListings, rules, holds } = world;
    const share = percent3(held / Math.max(1, compared));
    console.log(`${about}`);
    console.log(`  compared ${compared}, held ${held} = ${share} ${JSON.stringify(rules)}`);
    console.log(`  with a listing held only: ${heldListings}`);
    if (holds.length > 0) console.log(`  ${describeReleases(holds)}`);
    const { historyDays, historyLost, historyWrong } = world;
    const lost = `${historyLost} lost, ${historyWrong} otherwise`;
    if (historyDays > 0) console.log(`  history: ${historyDays} days, of which ${lost}`);
    if (isListed) for (const hold of holds) console.log(`    ${describeHold(hold)}`);
  }
}

function describeReleases(holds: readonly Hold[]): string {
  const shares = [1, 3, 7].map((days) => `${days}: ${percent(releasedWithin(holds, days))}`);
  const open = holds.filter(({ releasedAfter }) => releasedAfter === null).length;
  const printings = `${holds.length} times a printing was held, ${open} to the end`;
  return `${printings}; released within days ${shares.join(', ')} (of those with as many to follow)`;
}

const MOST_HELD = 0.0005;
const LEAST_RELEASED = 0.9;

/** The goals of the archive's days, day by day. */
export function precisionGoals(worlds: readonly Precision[]): Goal[] {
  const archive = worlds[0];
  if (!archive) return [];
  const { held, compared, holds } = archive;
  const share = held / Math.max(1, compared);
  const released = releasedWithin(holds, 7);
  return [
    {
      goal: 'true prices held on all archive days: at most 0.05 %',
      measured: `${percent3(share)} of ${compared}`,
      isMet: share <= MOST_HELD,
    },
    {
      goal: 'true prices that are held: 90 % released within 7 days',
      measured: `${percent(released)} of ${holds.length}`,
      isMet: holds.length === 0 || released >= LEAST_RELEASED,
    },
  ];
}

function percent3(share: number): string {
  return `${(share * 100).toFixed(3)} %`;
}
