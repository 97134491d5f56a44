import { type Day, dayOf, startOfDay } from '../../domain/day.ts';
import type { Observation, SourceObservation } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import type { Rates } from '../../domain/rates.ts';
import { addCounts } from '../../lib/counts.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import type { AcceptedObservation, Finding, ResolvedObservation } from '../observation.ts';
import {
  formatName,
  hasAmounts,
  haveSameAmounts,
  withoutAmounts,
  withoutFigures,
} from './amounts.ts';
import { judgeEarlierCopies } from './earlier-copies.ts';
import { areNear, describeDay, type JudgedDays, judgeEarlierDays } from './earlier-days.ts';
import { judgeBatch } from './judge.ts';
import { withLevels } from './levels.ts';
import type { QuarantineFinding, ValidationContext, ValidationLimits } from './limits.ts';
import { comparePast, confirmedDays, findRepeatedDays, findRepeats, lastReported } from './past.ts';
import { Quarantine } from './quarantine.ts';
import { hasStrayListing, strayListingsOf } from './rules/listings.ts';
import { unknownPrinting } from './rules/unknown-printing.ts';
import { findShiftedDays, type ShiftedDays } from './set-days.ts';

/** The result of validating a batch. */
export interface Validated {
  /** The data that may be served. */
  readonly accepted: readonly AcceptedObservation[];
  /** Observations that no longer have a price from their source, for `settleDelistings`. */
  readonly delisted: readonly AcceptedObservation[];
  /** Quarantined prices, by reason. */
  readonly quarantined: Readonly<Record<string, number>>;
}

/**
 * Judges a batch of observations inside `transaction`: quarantines implausible data, clears entries
 * that are right again, and returns the data that may be served. One batch must contain all
 * printings of a card that a source reports.
 */
export async function validate(
  store: Store,
  transaction: Transaction,
  batch: readonly ResolvedObservation[],
  { rates, ...context }: ValidationContext & { readonly rates: Rates },
): Promise<Validated> {
  const quarantine = await Quarantine.open(transaction, batch, context.now);
  const past = await comparePast(store, transaction, batch);
  const compared = await withLevels(store, transaction, past.batch, rates);
  const annotated = compared.map((resolved, at) => ({
    original: batch[at] ?? resolved,
    resolved: quarantine.annotate(resolved),
    isRecorded: past.recorded.has(past.batch[at] ?? resolved),
  }));
  const all = annotated.map(({ resolved }) => resolved);
  const repeats = findRepeats(all);
  const repeatedDays = findRepeatedDays(all);
  const shifted = findShiftedDays(all, (resolved) => quarantine.approvedDays(resolved));
  const prepared = annotated.map((one) => {
    const found = { repeatedOn: repeats.get(one.resolved), shifted: shifted.get(one.resolved) };
    const repeated = { repeatedDays: repeatedDays.get(one.resolved) };
    return prepare({ ...one, ...found, ...repeated }, quarantine, context.limits);
  });
  const found = judgeBatch(
    prepared.map(({ resolved }) => resolved),
    context,
  );
  const validated: Writable = { accepted: [], delisted: [], quarantined: {} };
  for (const one of prepared) {
    const { resolved } = one;
    const finding = findingAgain(resolved) ?? found.get(resolved) ?? claimWithoutPrice(resolved);
    decide(one, finding, { quarantine, limits: context.limits }, validated);
  }
  await quarantine.save(store, transaction);
  return validated;
}

/** A `Validated` that is being filled. */
interface Writable {
  readonly accepted: AcceptedObservation[];
  readonly delisted: AcceptedObservation[];
  readonly quarantined: Record<string, number>;
}

/** An observation ready for judgement. */
interface Prepared {
  readonly original: ResolvedObservation;
  /** With its quarantined entry, and compared with its newest accepted earlier day. */
  readonly resolved: ResolvedObservation;
  /** Whether the history already contains it, so it adds nothing new. */
  readonly isRecorded: boolean;
  /** Undefined if it has no earlier days. */
  readonly days: JudgedDays | undefined;
  /** The day of the observation, if it repeats its source's earlier report. */
  readonly repeatedOn: Day | undefined;
  /** Its earlier days that repeat the previous day. */
  readonly repeatedDays: ReadonlySet<Day> | undefined;
  /** Its earlier days on which its whole set is off. */
  readonly shifted: ShiftedDays | undefined;
}

/** Judges the earlier days of an observation, so it can be compared with the last correct one. */
function prepare(
  annotated: Omit<Prepared, 'days'>,
  quarantine: Quarantine,
  limits: ValidationLimits,
): Prepared {
  const { repeatedOn, shifted } = annotated;
  const resolved = repeatedOn === undefined ? annotated.resolved : asOfLast(annotated.resolved);
  const { observation, before } = resolved;
  if (!observation.earlierDays?.length) return { ...annotated, resolved, days: undefined };
  const isShifted = ({ day }: DayPrices) => shifted?.has(day) ?? false;
  const off = observation.earlierDays.filter(isShifted);
  const others = observation.earlierDays.filter((day) => !isShifted(day));
  const judged = judgeEarlierDays(others, before, limits);
  const approved = quarantine.approvedDays(resolved);
  const isApproved = ({ day }: DayPrices) => approved.has(day);
  const days: JudgedDays = {
    accepted: [...judged.accepted, ...judged.rejected.filter(isApproved)],
    rejected: [...off, ...judged.rejected.filter((day) => !isApproved(day))],
    undecided: judged.undecided,
    newest: judged.newest,
  };
  const compared = {
    ...resolved,
    before: laterOf(before, days.newest, resolved),
    observation: { ...observation, earlierDays: days.undecided },
  };
  return { ...annotated, resolved: compared, days };
}

/** Returns a repeated observation with the moment at which its source last observed it. */
function asOfLast(resolved: ResolvedObservation): ResolvedObservation {
  const { observedAt } = lastReported(resolved) ?? resolved.observation;
  return { ...resolved, observation: { ...resolved.observation, observedAt } };
}

/** Returns the observation to compare with: the stored one, or a later day of its own past. */
function laterOf(
  before: SourceObservation | undefined,
  newest: DayPrices | undefined,
  { source, observation }: ResolvedObservation,
): SourceObservation | undefined {
  const isNewer = before && dayOf(before.observedAt) > dayOf(observation.observedAt);
  if (!newest || (before && !isNewer && dayOf(before.observedAt) >= newest.day)) return before;
  const { conditions = {}, graded = {} } = before ?? {};
  const { marketplace, currency } = observation;
  const observedAt = startOfDay(newest.day);
  return { source, marketplace, currency, observedAt, prices: newest, conditions, graded };
}

/**
 * Returns the earlier finding on an observation that is already in quarantine unchanged: the same
 * day must not be judged again by the changes it has caused since.
 */
function findingAgain({
  quarantined,
  observation,
}: ResolvedObservation): QuarantineFinding | undefined {
  if (!quarantined?.rule || quarantined.isRejected) return undefined;
  // A source that has corrected its names may report the same price.
  if (quarantined.rule === 'reassigned-id') return undefined;
  const isSameDay = dayOf(quarantined.observedAt) === dayOf(observation.observedAt);
  if (!isSameDay || !haveSameAmounts(quarantined, observation)) return undefined;
  const { rule, detail, days, amounts } = quarantined;
  return { rule, detail, days, amounts };
}

/** Returns why a card that its source takes for another one keeps its price and its name. */
function claimWithoutPrice(resolved: ResolvedObservation): QuarantineFinding | undefined {
  const { conflict, observation } = resolved;
  return conflict?.claim && !hasAmounts(observation) ? { ...conflict, days: 1 } : undefined;
}

interface Deciding {
  readonly quarantine: Quarantine;
  readonly limits: ValidationLimits;
}

/** Accepts or quarantines an observation and each of its earlier days. */
function decide(
  prepared: Prepared,
  finding: QuarantineFinding | undefined,
  { quarantine, limits }: Deciding,
  { accepted, delisted, quarantined }: Writable,
): void {
  const { original, resolved, isRecorded, repeatedOn, repeatedDays, shifted } = prepared;
  if (finding && !isRecorded) {
    quarantine.add(resolved, finding);
    addCounts(quarantined, { [finding.rule]: 1 });
  } else if (!finding && hasAmounts(resolved.observation)) quarantine.clear(resolved);
  const { observation: passed, rejectedDays } = withoutRejected(prepared, finding);
  const note = (day: DayPrices, found: Finding) => {
    quarantine.addDay(resolved, day, found);
    addCounts(quarantined, { [found.rule]: 1 });
  };
  for (const day of rejectedDays) note(day, shifted?.get(day.day) ?? describeDay(resolved, day));
  if (!passed) return;
  const sound = withoutStrayDays(resolved, passed, quarantine, note);
  const observation = withSoundCopies(resolved, sound, { quarantine, limits }, quarantined);
  if (isDelisted(original)) {
    // If the prices belong to other cards, so do missing prices.
    if (original.shift === undefined) delisted.push({ resolved: original, observation });
  } else if (isOfUse(original)) {
    accepted.push({ resolved: original, observation, repeatedOn, repeatedDays });
  }
}

/** Removes stray listings from the earlier days of an observation, and notes each. */
function withoutStrayDays(
  resolved: ResolvedObservation,
  observation: Observation,
  quarantine: Quarantine,
  note: (day: DayPrices, found: Finding) => void,
): Observation {
  // Nearly all observations have no stray day. Their days are not copied.
  if (!observation.earlierDays?.some(hasStrayListing)) return observation;
  const approved = quarantine.approvedDays(resolved);
  const earlierDays = observation.earlierDays.map((day) => {
    const found = approved.has(day.day) ? undefined : strayListingsOf(resolved, day);
    if (!found) return day;
    note(day, found);
    return { ...day, ...withoutFigures(day, found.amounts ?? []) };
  });
  return { ...observation, earlierDays };
}

/** Removes and quarantines the wrong earlier days of conditions and grades. */
function withSoundCopies(
  resolved: ResolvedObservation,
  observation: Observation,
  { quarantine, limits }: Deciding,
  quarantined: Record<string, number>,
): Observation {
  if (!observation.earlierCopies) return observation;
  const judged = judgeEarlierCopies(resolved, observation, quarantine, limits);
  for (const [copy, day] of judged.rejected) {
    const finding = describeDay(resolved, day, formatName(copy));
    quarantine.addCopyDay(resolved, copy, day, finding);
    addCounts(quarantined, { [finding.rule]: 1 });
  }
  return { ...observation, earlierCopies: judged.accepted };
}

function isDelisted({ before, observation }: ResolvedObservation): boolean {
  return before !== undefined && hasAmounts(before) && !hasAmounts(observation);
}

/** Whether an observation has a price, or at least a possible printing of the card. */
function isOfUse(resolved: ResolvedObservation): boolean {
  return hasAmounts(resolved.observation) || unknownPrinting(resolved) === undefined;
}

/** Returns the part of an observation that may be served, and the earlier days that may not. */
function withoutRejected(
  { original, resolved, days }: Prepared,
  finding: QuarantineFinding | undefined,
): { observation: Observation | undefined; rejectedDays: readonly DayPrices[] } {
  const isWhole = finding !== undefined && finding.amounts === undefined;
  const passed = withoutAmounts(original.observation, finding?.amounts ?? []);
  const confirmed = finding ? [] : confirmedDays(resolved.quarantined, resolved.before, original);
  if (!days) {
    const observation = confirmed.length > 0 ? { ...passed, earlierDays: confirmed } : passed;
    return { observation: isWhole ? undefined : observation, rejectedDays: [] };
  }
  const { undecided, rejected } = days;
  const accepted = [...confirmed, ...days.accepted];
  if (isWhole) return { observation: newestOf(passed, accepted), rejectedDays: rejected };
  const last = undecided.at(-1);
  // An accepted price confirms the similar days before it.
  const isConfirmed = last !== undefined && areNear(last, passed.prices);
  return isConfirmed
    ? {
        observation: { ...passed, earlierDays: [...accepted, ...undecided] },
        rejectedDays: rejected,
      }
    : {
        observation: { ...passed, earlierDays: accepted },
        rejectedDays: [...rejected, ...undecided],
      };
}

/**
 * Returns the newest accepted day as an observation, if the observation's own price is in
 * quarantine.
 */
function newestOf(
  observation: Observation,
  accepted: readonly DayPrices[],
): Observation | undefined {
  const newest = accepted.reduce<DayPrices | undefined>((last, day) => {
    return last && last.day > day.day ? last : day;
  }, undefined);
  const { conditions, graded } = observation;
  const hasFiguresOnly = Object.keys(conditions).length + Object.keys(graded).length === 0;
  if (!newest || !hasFiguresOnly) return undefined;
  const { day, ...prices } = newest;
  const earlierDays = accepted.filter((one) => one !== newest);
  return { ...observation, observedAt: startOfDay(day), prices, earlierDays };
}
