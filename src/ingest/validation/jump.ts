import { dayOf, formatDay, type Millis } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Currency } from '../../domain/observation.ts';
import type { Finding, ResolvedObservation, StoredQuote } from './candidate.ts';
import {
  amountOf,
  daysBetween,
  formatAmount,
  formatFigure,
  isFreshAt,
  judgedFigures,
  looseness,
  ratio,
} from './figures.ts';
import { isSameLevel, levelDays } from './held.ts';
import {
  BETWEEN_SOURCES,
  DAYS_TO_BELIEVE,
  DAYS_TO_DOUBLE,
  isTooMany,
  LEAST_JUMP,
  SAME_LEVEL,
  type ValidationLimits,
} from './limits.ts';

/** Prices that are too far from what they were, or from what everybody else says. */

/** One amount of a candidate. */
interface Amount {
  readonly name: string;
  readonly is: Cents;
  /** What the same source said before. */
  readonly was: Cents | undefined;
  /** What other sources say now. */
  readonly others: readonly Cents[];
}

/** A move that is too far, and whether its source has been saying it long enough. */
interface Leap extends Finding {
  readonly isBelieved: boolean;
}

/** The candidates of a batch that leap, and are not believed to do so. */
export function* priceJumps(
  batch: readonly ResolvedObservation[],
  limits: ValidationLimits,
): Generator<[candidate: ResolvedObservation, finding: Finding]> {
  for (const [, ofSource] of Map.groupBy(batch, ({ source }) => source)) {
    const found = ofSource.flatMap((candidate) => {
      const leap = leapOf(candidate, limits);
      return leap ? [{ candidate, leap }] : [];
    });
    const known = ofSource.filter(({ before }) => before !== undefined);
    const jumps = found.filter(({ leap }) => leap.reason === 'price-jump');
    // Prices do not all move at once: that is a mistake, however long it lasts.
    const isOfAll = isTooMany(jumps.length, known.length, limits);
    for (const { candidate, leap } of found) {
      const { isBelieved: isTrue, ...finding } = leap;
      if (isOfAll || !isTrue) yield [candidate, finding];
    }
  }
}

/** What is wrong with the first amount of a candidate that leaps, or undefined when none does. */
function leapOf(candidate: ResolvedObservation, limits: ValidationLimits): Leap | undefined {
  const { observation, before } = candidate;
  let believed: Leap | undefined;
  for (const name of judgedFigures(observation, before)) {
    const is = amountOf(observation, name);
    if (!is) continue;
    const was = before && amountOf(before, name);
    const others = fresh(candidate, candidate.others, name);
    const amount = { name, is, was, others };
    const leap = was ? jump(candidate, amount, limits) : stranger(candidate, amount, limits);
    if (leap && !leap.isBelieved) return leap;
    believed ??= leap;
  }
  return believed;
}

function jump(
  candidate: ResolvedObservation,
  amount: Amount,
  limits: ValidationLimits,
): Leap | undefined {
  const { name, is, was, others } = amount;
  const { before, observation, cardName, printing } = candidate;
  if (!before || !was) return undefined;
  const days = daysBetween(observation.observedAt, before.observedAt);
  if (!isFar(is, was, factorOver(days, name, limits))) return undefined;
  if (isSeenElsewhere(candidate, amount, factorOver(0, name, limits))) return undefined;
  // Time alone proves nothing against others who keep saying something else.
  const isTrue = others.length === 0 && isBelieved(candidate, name, is);
  const [from, to] = [was, is].map((cents) => formatAmount(cents, observation.currency));
  const moved = `${formatFigure(name)} of ${cardName} (${printing}) went from ${from} to ${to}`;
  const since = formatDay(dayOf(before.observedAt));
  const alone = others.length > 0 ? 'every other source contradicts' : 'no other source tells';
  const detail = `${capital(moved)} since ${since}; ${alone}.`;
  return { reason: 'price-jump', detail, isBelieved: isTrue };
}

/** The first price of a source, which has only others to be compared with, be they old. */
function stranger(
  candidate: ResolvedObservation,
  amount: Amount,
  limits: ValidationLimits,
): Leap | undefined {
  const { name, is } = amount;
  const { observation, cardName, printing, source } = candidate;
  const others = amountsOf(candidate.others, observation.currency, name);
  const factor = (moment: Millis) => {
    return factorOver(daysBetween(observation.observedAt, moment), name, limits) * BETWEEN_SOURCES;
  };
  const [other] = others;
  if (!other || others.some((one) => !isFar(is, one.cents, factor(one.observedAt)))) {
    return undefined;
  }
  if (isSeenElsewhere(candidate, amount, factor(observation.observedAt))) return undefined;
  const [own, theirs] = [is, other.cents].map((cents) => formatAmount(cents, observation.currency));
  const figure = `the ${formatFigure(name)} of ${cardName} (${printing})`;
  const since = formatDay(dayOf(other.observedAt));
  const detail = `${source} puts ${figure} at ${own}, every other source near ${theirs} (${since}).`;
  return { reason: 'source-outlier', detail, isBelieved: false };
}

/** How many times as much or as little an amount may become in some days. */
export function factorOver(days: number, name: string, { jumpFactor }: ValidationLimits): number {
  return jumpFactor * looseness(name) * (1 + days / DAYS_TO_DOUBLE);
}

export function isFar(a: Cents, b: Cents, factor: number): boolean {
  return Math.abs(a - b) >= LEAST_JUMP && ratio(a, b) > factor;
}

/** Whether another source is there too, be it that its own leap is held back. */
function isSeenElsewhere(
  candidate: ResolvedObservation,
  { name, is, others }: Amount,
  factor: number,
) {
  const witnesses = fresh(candidate, candidate.witnesses ?? [], name);
  return (
    others.some((other) => !isFar(is, other, factor)) ||
    witnesses.some((witness) => ratio(is, witness) <= SAME_LEVEL)
  );
}

/** What other sources said of an amount about when the candidate was observed. */
function fresh(
  { observation }: ResolvedObservation,
  others: readonly StoredQuote[],
  name: string,
): Cents[] {
  const timely = others.filter((other) => isFreshAt(other, observation.observedAt));
  return amountsOf(timely, observation.currency, name).map(({ cents }) => cents);
}

/** What quotes in this currency say of an amount, with when it was observed. */
function amountsOf(quotes: readonly StoredQuote[], currency: Currency, name: string) {
  return quotes.flatMap((quote) => {
    const cents = quote.currency === currency ? amountOf(quote, name) : undefined;
    return cents ? [{ cents, observedAt: quote.observedAt }] : [];
  });
}

/** Whether the source has been saying this long enough, on earlier imports or in its own past. */
function isBelieved(
  { observation, before, held }: ResolvedObservation,
  name: string,
  is: Cents,
): boolean {
  if (held?.isRejected && isSameLevel(held, observation)) return false;
  const since = before ? dayOf(before.observedAt) : 0;
  const past = name === 'market' ? (observation.earlierDays ?? []) : [];
  const told = past.filter(({ day, market }) => {
    const isBetween = day > since && day < dayOf(observation.observedAt);
    return isBetween && market !== null && market > 0 && ratio(market, is) <= SAME_LEVEL;
  });
  return Math.max(levelDays(held, observation), told.length + 1) >= DAYS_TO_BELIEVE;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
