import type { Printing } from '../../domain/card.ts';
import type { ConfidenceLevel, Dispute, Interval } from '../../domain/confidence.ts';
import { confidenceLevel } from '../../domain/confidence-level.ts';
import { type Day, formatDay } from '../../domain/day.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import { reasonOf } from '../../domain/quarantined.ts';

/** The confidence in a price for lists; null without a price. */
interface ConfidenceView {
  readonly level: ConfidenceLevel;
  readonly sources: number;
  readonly observations: number;
}

/** Returns the confidence in the price of a printing on a day (UTC), with any dispute. */
export function confidenceView(printing: Printing | undefined, today: Day) {
  const level = printing ? confidenceLevel(printing, today) : null;
  const { sources = 1, observations = 1 } = printing?.confidence ?? {};
  const confidence: ConfidenceView | null = level && { level, sources, observations };
  return { confidence, ...disputeView(printing?.dispute) };
}

/** Returns the same with the interval. */
export function detailedConfidence(printing: Printing | undefined, today: Day) {
  const { confidence, ...dispute } = confidenceView(printing, today);
  const interval = printing?.confidence?.interval;
  const range = interval ? rangeView(interval) : null;
  return { confidence: confidence && { ...confidence, interval: range }, ...dispute };
}

function rangeView({ low, high }: Interval) {
  return { low: dollarsFromCents(low), high: dollarsFromCents(high) };
}

function disputeView(dispute: Dispute | undefined) {
  if (!dispute) return {};
  const { reported, since, rule } = dispute;
  const reason = reasonOf(rule);
  return { disputed: { reported: dollarsFromCents(reported), since: formatDay(since), reason } };
}
