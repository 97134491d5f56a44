import { outranks } from '../../domain/choose.ts';
import type { CopyName } from '../../domain/copy.ts';
import { type Day, dayOf, startOfDay } from '../../domain/day.ts';
import type { Grade } from '../../domain/grade-names.ts';
import { dollarPrices, type Merged } from '../../domain/merge.ts';
import type { EarlierCopies, SourceObservation } from '../../domain/observation.ts';
import {
  CONDITIONS,
  type DayPrices,
  hasPrice,
  NO_PRICES,
  type PriceFigures,
  type Provenance,
} from '../../domain/price.ts';
import { type Rates, rateFor } from '../../domain/rates.ts';
import type { StoredObservation } from '../../store/catalogue/observations.ts';
import type { CopyDay, PrintingDay } from '../../store/history/index.ts';
import { isSameSeries, type ServedFigures } from './printings.ts';

/** Chooses the days for the history: for the figures, each condition and each grade. */

/*
 * The history of a printing has, for each day, the price that was served or would have been served.
 */

/** The days of a printing from one source. */
export interface ReportedDays {
  /** The observation that they come from. */
  readonly observation: SourceObservation;
  readonly days: readonly DayPrices[];
  /** The days of its conditions and grades; the amounts are their market prices. */
  readonly copies: EarlierCopies;
  /** The days on which the source only repeated its prices of the day before. */
  readonly repeated?: ReadonlySet<Day> | undefined;
}

/**
 * Returns a source's days for the history, in US cents. A source that ranks at least as high as the
 * served one replaces known days. Another source of the same marketplace only fills in unknown
 * days.
 */
function recordedDays(
  printing: number,
  { observation, days, repeated }: ReportedDays,
  served: ServedFigures,
  rates: Rates,
): PrintingDay[] {
  const { currency, marketplace } = observation;
  const replaces =
    !served ||
    isSameSeries(observation, served.observation) ||
    outranks(observation, served.observation);
  const isAlike =
    marketplace === served?.observation.marketplace && currency === served.observation.currency;
  if (!replaces && !isAlike) return [];
  const end = replaces ? Number.POSITIVE_INFINITY : dayOf(served.observation.observedAt);
  // While the usual source is silent, its days stay unchanged.
  const since = served?.rule === 'silence' ? dayOf(observation.observedAt) : 0;
  const observed = provenanceOf(observation);
  const seenBefore = { ...observed, repeated: true };
  return days.flatMap((prices) => {
    const rate = rateFor(rates, currency, startOfDay(prices.day));
    if (rate === undefined || prices.day >= end || !hasPrice(prices)) return [];
    const inDollars = rate ? { day: prices.day, ...dollarPrices(prices, rate) } : prices;
    const provenance = repeated?.has(prices.day) ? seenBefore : observed;
    const fills = !replaces || prices.day < since;
    return [{ printing, prices: inDollars, provenance, fills }];
  });
}

function provenanceOf({ source, marketplace }: SourceObservation): Provenance {
  return { source, marketplace, repeated: false };
}

/** Returns the served day, for a history that lacks it. */
export function servedDay(
  printing: number,
  { observation, rate }: NonNullable<ServedFigures>,
): PrintingDay {
  const prices = { day: dayOf(observation.observedAt), ...dollarPrices(observation.prices, rate) };
  return { printing, prices, provenance: provenanceOf(observation), fills: true };
}

/** Shared by all observations without conditions and grades, which are the majority. */
const NO_COPIES: EarlierCopies = {};

/**
 * Returns the days of an observation's conditions and grades.
 *
 * @param day The observation's own day; undefined if a later moment of that day is known.
 */
export function copyDays(
  { conditions, graded }: SourceObservation,
  day: Day | undefined,
  earlier = NO_COPIES,
): EarlierCopies {
  if (day === undefined || !(isFilled(conditions) || isFilled(graded))) return earlier;
  const copies: Partial<Record<CopyName, readonly DayPrices[]>> = { ...earlier };
  const amounts: Readonly<Partial<Record<CopyName, PriceFigures['market']>>> = {
    ...conditions,
    ...graded,
  };
  for (const name in amounts) {
    const copy = name as CopyName;
    const own = { ...NO_PRICES, day, market: amounts[copy] ?? null };
    copies[copy] = [...(earlier[copy] ?? []), own];
  }
  return copies;
}

interface MergedPrinting {
  readonly merged: Merged<StoredObservation>;
  /** Whether the served prices of the printing have changed. */
  readonly isNew: boolean;
  readonly rates: Rates;
}

/** Returns the days to record for a printing with new reports. */
export function daysToRecord(
  printing: number,
  reported: readonly ReportedDays[],
  { merged, isNew, rates }: MergedPrinting,
): CopyDay[] {
  const figures = merged.figures.choice;
  const days = seriesDays(printing, reported, { choice: figures, isNew, rates });
  const { conditionsAt, gradedAt } = merged.prices;
  const isPlain = conditionsAt === null && gradedAt === null;
  if (isPlain && reported.every(({ copies }) => copies === NO_COPIES)) return days;
  for (const copy of copiesIn(reported, isNew ? merged : undefined)) {
    const own = reported.flatMap((one) => {
      const ofCopy = one.copies[copy];
      return ofCopy ? [{ ...one, days: ofCopy }] : [];
    });
    const choice = asMarket(copy, choiceOf(copy, merged));
    for (const day of seriesDays(printing, own, { choice, isNew, rates })) {
      days.push({ ...day, copy });
    }
  }
  return days;
}

interface SeriesChoice {
  readonly choice: ServedFigures;
  readonly isNew: boolean;
  readonly rates: Rates;
}

function seriesDays(
  printing: number,
  reported: readonly ReportedDays[],
  { choice, isNew, rates }: SeriesChoice,
): CopyDay[] {
  const days: CopyDay[] = reported.flatMap((one) => recordedDays(printing, one, choice, rates));
  const isOwn = reported.some(
    ({ observation }) => choice && isSameSeries(observation, choice.observation),
  );
  if (choice && isNew && !isOwn && hasPrice(choice.observation.prices)) {
    days.push(servedDay(printing, choice));
  }
  return days;
}

/** Returns the reported conditions and grades, and the served ones. */
function copiesIn(
  reported: readonly ReportedDays[],
  merged: Merged<StoredObservation> | undefined,
): Iterable<CopyName> {
  const names = new Set<CopyName>();
  for (const { copies } of reported) for (const name in copies) names.add(name as CopyName);
  if (!merged) return names;
  for (const copy of servedCopies(merged)) names.add(copy);
  return names;
}

/** Returns the days of the served conditions and grades of a printing. */
export function servedCopyDays(printing: number, merged: Merged<StoredObservation>): CopyDay[] {
  return servedCopies(merged).flatMap((copy) => {
    const choice = asMarket(copy, choiceOf(copy, merged));
    return choice ? [{ ...servedDay(printing, choice), copy }] : [];
  });
}

function servedCopies({ prices }: Merged<StoredObservation>): CopyName[] {
  return [...Object.keys(prices.conditions), ...Object.keys(prices.graded)] as CopyName[];
}

function choiceOf(copy: CopyName, { conditions, graded }: Merged<StoredObservation>) {
  return isCondition(copy) ? conditions.choice : (graded[copy]?.choice ?? null);
}

/** Returns the chosen observation of a copy, with its amount as the market price. */
function asMarket(copy: CopyName, choice: ServedFigures): ServedFigures {
  if (!choice) return null;
  const { conditions, graded } = choice.observation;
  const market = (isCondition(copy) ? conditions[copy] : graded[copy]) ?? null;
  return { ...choice, observation: { ...choice.observation, prices: { ...NO_PRICES, market } } };
}

function isFilled(amounts: object): boolean {
  for (const _ in amounts) return true;
  return false;
}

function isCondition(copy: CopyName): copy is Exclude<CopyName, Grade> {
  return (CONDITIONS as readonly string[]).includes(copy);
}
