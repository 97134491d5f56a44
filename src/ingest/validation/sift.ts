import type { Kysely } from 'kysely';
import { dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import type { Observation } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import { addCounts } from '../../lib/counts.ts';
import type { Store } from '../../store/connect.ts';
import type { Database } from '../../store/schema.ts';
import type { Finding, Held, ResolvedObservation, StoredQuote } from './candidate.ts';
import { hasAmounts } from './figures.ts';
import { dayFinding, Quarantine } from './holds.ts';
import { judgeObservations, type ValidationLimits } from './index.ts';
import { unknownPrinting } from './printing.ts';
import { isNear, type JudgedDays, judgeDays } from './series.ts';

/** Lets through what may be served and puts the rest into quarantine. */

export interface SiftOptions {
  readonly limits: ValidationLimits;
  readonly now: Millis;
}

/** A candidate with its observation as it may be: without the days that are held back. */
export interface Accepted<C extends ResolvedObservation> {
  readonly candidate: C;
  readonly observation: Observation;
}

export interface Validated<C extends ResolvedObservation> {
  /** What may be served. */
  readonly passed: readonly Accepted<C>[];
  /** What had a price of its source and has none any more: for `settleLosses`. */
  readonly lost: readonly Accepted<C>[];
  /** What is held back because its source says two things of it, and how that reads. */
  readonly twice: readonly { readonly candidate: C; readonly finding: Finding }[];
  /** How many prices are held back, by reason. */
  readonly heldBack: Readonly<Record<string, number>>;
}

/**
 * Judges what sources say of printings, inside of `transaction`. What is held back is listed for
 * the operator, and what was and is sound now is struck off. All printings of a card that a source
 * tells must be in one batch.
 */
export async function validate<C extends ResolvedObservation>(
  store: Store,
  transaction: Kysely<Database>,
  batch: readonly C[],
  { limits, now }: SiftOptions,
): Promise<Validated<C>> {
  const book = await Quarantine.open(transaction, batch, now);
  const judged = batch.map((candidate) => judge(candidate, book, limits));
  const candidates = judged.map(({ candidate }) => candidate);
  const held = judgeObservations(candidates, limits, now);
  const sifted = { passed: [], lost: [], twice: [], heldBack: {} } as Sifting<C>;
  for (const one of judged) place(one, held.get(one.candidate), book, sifted);
  await book.save(store, transaction);
  return sifted;
}

/** What becomes `Validated`, on its way. */
interface Sifting<C extends ResolvedObservation> {
  readonly passed: Accepted<C>[];
  readonly lost: Accepted<C>[];
  readonly twice: { candidate: C; finding: Finding }[];
  readonly heldBack: Record<string, number>;
}

function place<C extends ResolvedObservation>(
  one: Judged<C>,
  finding: Held | undefined,
  book: Quarantine,
  { passed, lost, twice, heldBack }: Sifting<C>,
): void {
  const { original, candidate } = one;
  const { observation, dropped } = soundQuote(one, finding !== undefined);
  if (finding) {
    book.hold(candidate, finding);
    addCounts(heldBack, { [finding.reason]: 1 });
    if (finding.reason === 'conflicting-prices') twice.push({ candidate: original, finding });
  } else if (hasAmounts(candidate.observation)) book.pass(candidate);
  for (const day of dropped) {
    const wrong = dayFinding(candidate, day);
    book.holdDay(candidate, wrong, day);
    addCounts(heldBack, { [wrong.reason]: 1 });
  }
  if (observation && isLost(original)) lost.push({ candidate: original, observation });
  else if (observation && isOfUse(original)) passed.push({ candidate: original, observation });
}

function isLost({ before, observation }: ResolvedObservation): boolean {
  return before !== undefined && hasAmounts(before) && !hasAmounts(observation);
}

/** Whether a candidate tells a price, or at least a printing that is one. */
function isOfUse(candidate: ResolvedObservation): boolean {
  return hasAmounts(candidate.observation) || unknownPrinting(candidate) === undefined;
}

interface Judged<C extends ResolvedObservation> {
  readonly original: C;
  /** With what is held back of it, and with the newest sound day of its past as what was before. */
  readonly candidate: C;
  readonly past: JudgedDays | undefined;
}

function judge<C extends ResolvedObservation>(
  original: C,
  book: Quarantine,
  limits: ValidationLimits,
): Judged<C> {
  const candidate = book.complete(original);
  const { observation, before } = candidate;
  if (!observation.earlierDays || observation.earlierDays.length === 0)
    return { original, candidate, past: undefined };
  const accepted = book.acceptedDays(candidate);
  const judged = judgeDays(observation.earlierDays, before, limits);
  const isAccepted = ({ day }: DayPrices) => accepted.has(day);
  const past = {
    sound: [...judged.sound, ...judged.held.filter(isAccepted)],
    held: judged.held.filter((day) => !isAccepted(day)),
    tail: judged.tail,
    good: judged.good,
  };
  const latest = laterOf(before, past.good, candidate);
  const known = {
    ...candidate,
    before: latest,
    observation: { ...observation, earlierDays: past.tail },
  };
  return { original, candidate: known, past };
}

/** What the source said last before the candidate: what is stored, or a day of its own past. */
function laterOf(
  before: StoredQuote | undefined,
  good: DayPrices | undefined,
  { source, observation }: ResolvedObservation,
): StoredQuote | undefined {
  const isOutdated = before && before.observedAt > observation.observedAt;
  if (!good || (before && !isOutdated && dayOf(before.observedAt) >= good.day)) return before;
  const { conditions = {}, graded = {} } = before ?? {};
  const { marketplace, currency } = observation;
  const observedAt = startOfDay(good.day);
  return { source, marketplace, currency, observedAt, prices: good, conditions, graded };
}

/** What of a observation may be taken, and the days of its past that are held back for good. */
function soundQuote<C extends ResolvedObservation>(
  { original: { observation }, past }: Judged<C>,
  isHeld: boolean,
): { observation: Observation | undefined; dropped: readonly DayPrices[] } {
  if (!past) return { observation: isHeld ? undefined : observation, dropped: [] };
  const { sound, tail, held } = past;
  if (!isHeld) {
    const last = tail.at(-1);
    const goesOn = last !== undefined && isNear(last, observation.prices);
    return goesOn
      ? { observation: { ...observation, earlierDays: [...sound, ...tail] }, dropped: held }
      : { observation: { ...observation, earlierDays: sound }, dropped: [...held, ...tail] };
  }
  return { observation: newestOf(observation, sound), dropped: held };
}

/** What a source said last that is sound, when what it says now is not. */
function newestOf(observation: Observation, sound: readonly DayPrices[]): Observation | undefined {
  const newest = sound.reduce<DayPrices | undefined>((last, day) => {
    return last && last.day > day.day ? last : day;
  }, undefined);
  const isWhole =
    Object.keys(observation.conditions).length + Object.keys(observation.graded).length === 0;
  if (!newest || !isWhole) return undefined;
  const { day, ...prices } = newest;
  const past = sound.filter((one) => one !== newest);
  return { ...observation, observedAt: startOfDay(day), prices, earlierDays: past };
}
