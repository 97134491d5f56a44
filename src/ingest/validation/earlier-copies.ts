import type { CopyName } from '../../domain/copy.ts';
import type { EarlierCopies, Observation, SourceObservation } from '../../domain/observation.ts';
import { type DayPrices, NO_PRICES } from '../../domain/price.ts';
import type { ResolvedObservation } from '../observation.ts';
import { amountOf } from './amounts.ts';
import { areNear, judgeEarlierDays } from './earlier-days.ts';
import type { ValidationLimits } from './limits.ts';
import type { Quarantine } from './quarantine.ts';

/** Judges the earlier days of conditions and grades like those of market prices. */

interface JudgedCopies {
  readonly accepted: EarlierCopies;
  readonly rejected: readonly (readonly [CopyName, DayPrices])[];
}

/**
 * Judges each condition and grade separately: against its own days and the source's earlier
 * reports.
 * @param passed The part of the observation that may be served.
 */
export function judgeEarlierCopies(
  resolved: ResolvedObservation,
  passed: Observation,
  quarantine: Pick<Quarantine, 'approvedDays'>,
  limits: ValidationLimits,
): JudgedCopies {
  const accepted: Partial<Record<CopyName, readonly DayPrices[]>> = {};
  const rejected: [CopyName, DayPrices][] = [];
  for (const [name, days = []] of Object.entries(passed.earlierCopies ?? {})) {
    const copy = name as CopyName;
    const judged = judgeEarlierDays(days, marketOf(resolved.before, copy), limits);
    const approved = quarantine.approvedDays(resolved, copy);
    const own = { ...NO_PRICES, market: amountOf(passed, copy) ?? null };
    const last = judged.undecided.at(-1);
    const isConfirmed = last !== undefined && areNear(last, own);
    const doubtful = isConfirmed ? judged.rejected : [...judged.rejected, ...judged.undecided];
    const isApproved = ({ day }: DayPrices) => approved.has(day);
    accepted[copy] = [
      ...judged.accepted,
      ...(isConfirmed ? judged.undecided : []),
      ...doubtful.filter(isApproved),
    ];
    for (const day of doubtful) if (!isApproved(day)) rejected.push([copy, day]);
  }
  return { accepted, rejected };
}

/** Returns an observation with the amount of a condition or grade as its market price. */
function marketOf(
  before: SourceObservation | undefined,
  copy: CopyName,
): SourceObservation | undefined {
  const market = before && amountOf(before, copy);
  return before && market ? { ...before, prices: { ...NO_PRICES, market } } : undefined;
}
