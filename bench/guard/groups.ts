import { wrongNames } from './mistakes.ts';
import type { Amounts } from './model.ts';
import type { Mistake } from './plan.ts';

/** Kinds of mistakes are joined to groups that have goals. A mistake may be in several. */

export const GROUPS = [
  'beyond 10×',
  '2× to 10×',
  'under 2×, nothing contradicts',
  'contradicted by a figure beside it',
  'set- or feed-wide, 15 % or more',
  'set- or feed-wide, euros',
  'set- or feed-wide, a day repeated',
  'first price, nothing beside it',
] as const;

export type Group = (typeof GROUPS)[number];

/** Prices beyond this multiple of the true one, or its inverse; ×10 in whole cents is not. */
const BEYOND_TEN = 10.05;

export function groupsOf(mistake: Mistake): Group[] {
  const { kind, start } = mistake;
  if (kind.isOldNews) return ['set- or feed-wide, a day repeated'];
  if (kind.scope !== 'single') {
    const isEuros = kind.name.includes('euros');
    return [isEuros ? 'set- or feed-wide, euros' : 'set- or feed-wide, 15 % or more'];
  }
  const isContradicted = kind.isContradicted || isOutsideListings(mistake);
  const told: Group[] = isContradicted ? ['contradicted by a figure beside it'] : [];
  if (kind.isFirstPrice && !isContradicted) return ['first price, nothing beside it'];
  const factor = Math.max(
    ...mistake.wrongs.map(({ amounts, truth }) => {
      return factorOf(amounts(start), truth[start]);
    }),
  );
  if (factor > BEYOND_TEN) return ['beyond 10×', ...told];
  if (factor >= 2) return ['2× to 10×', ...told];
  return isContradicted ? told : ['under 2×, nothing contradicts'];
}

/** How many times the true amount a wrong one is, or the reverse: the most of all amounts. */
function factorOf(planted: Amounts | undefined, truth: Amounts | undefined): number {
  if (!planted || !truth) return 1;
  const factors = wrongNames(planted, truth).map((name) => {
    const [wrong, right] = [planted[name], truth[name]];
    return wrong && right ? Math.max(wrong / right, right / wrong) : 1;
  });
  return Math.max(1, ...factors);
}

/** Whether the market price leaves its own listings, where the true one does not. */
function isOutsideListings({ wrongs, start }: Mistake): boolean {
  return wrongs.some(({ amounts, truth }) => {
    const [planted, right] = [amounts(start), truth[start]];
    return planted !== undefined && isOutside(planted) && right !== undefined && !isOutside(right);
  });
}

function isOutside({ market, low, high }: Amounts): boolean {
  if (market === undefined) return false;
  return (low !== undefined && market < low / 2) || (high !== undefined && market > high);
}

/** Whether a mistake moves every wrong amount by less than a dollar. */
export function isUnderADollar({ wrongs, start }: Mistake): boolean {
  return wrongs.every(({ amounts, truth }) => {
    const [planted, right] = [amounts(start), truth[start]];
    if (!planted || !right) return false;
    const names = wrongNames(planted, right);
    return names.every((name) => Math.abs((planted[name] ?? 0) - (right[name] ?? 0)) < 100);
  });
}
