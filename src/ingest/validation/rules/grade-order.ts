import { type Cents, formatCents } from '../../../domain/money.ts';
import type { SourceObservation } from '../../../domain/observation.ts';
import { GRADE_NAMES, GRADES, type Grade } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { amountOf, isFreshAt } from '../amounts.ts';
import { hasMovedBy } from './price-moves.ts';

/** A grade, or the ungraded card. */
type Name = Grade | 'market';

/** What a copy may cost at most, as a multiple of another one. */
interface Bound {
  readonly dear: Name;
  readonly cheap: Name;
  readonly most: number;
  /** Cheaper copies are not compared: grading alone costs many times a cheap card. */
  readonly from?: Cents;
}

/** $500, from which the fee for grading no longer matters. */
const ABOVE_FEES = 50_000 as Cents;

/**
 * The order of the prices of one card. Of 419 Pokémon cards at PriceCharting, each bound holds for
 * all, with some room: a grade of 9 costs 0.85 to 12.8 times the raw card and at most 0.91 times a
 * PSA 10; a PSA 10 1.06 to 45 times the raw card and at most 13.7 times a 9. No file has prices of
 * 9.5, so its bounds are those of a CGC 10, which is at most 1.84 times a PSA 10, in 99 of 100
 * cards 1.12 times, and at least 0.33 times a 9, in 99 of 100 cards 0.53 times.
 */
const BOUNDS: readonly Bound[] = [
  { dear: 'psa_9', cheap: 'psa_10', most: 1 },
  { dear: 'market', cheap: 'psa_10', most: 1 },
  { dear: 'market', cheap: 'psa_9', most: 1.25 },
  { dear: 'market', cheap: 'bgs_9_5', most: 1.3 },
  { dear: 'market', cheap: 'cgc_9_5', most: 1.3 },
  { dear: 'bgs_9_5', cheap: 'psa_10', most: 1.5 },
  { dear: 'cgc_9_5', cheap: 'psa_10', most: 1.5 },
  { dear: 'psa_9', cheap: 'bgs_9_5', most: 2.5 },
  { dear: 'psa_9', cheap: 'cgc_9_5', most: 2.5 },
  { dear: 'cgc_9_5', cheap: 'bgs_9_5', most: 3 },
  { dear: 'psa_10', cheap: 'psa_9', most: 20 },
  { dear: 'bgs_9_5', cheap: 'psa_9', most: 8 },
  { dear: 'cgc_9_5', cheap: 'psa_9', most: 8 },
  { dear: 'bgs_9_5', cheap: 'cgc_9_5', most: 8 },
  { dear: 'psa_9', cheap: 'market', most: 30, from: ABOVE_FEES },
  { dear: 'bgs_9_5', cheap: 'market', most: 60, from: ABOVE_FEES },
  { dear: 'cgc_9_5', cheap: 'market', most: 60, from: ABOVE_FEES },
  { dear: 'psa_10', cheap: 'market', most: 100, from: ABOVE_FEES },
];

/** How many times as far the price of another source may be. */
const OTHER_SOURCE = 1.5;
/** A grade that cost more than the raw card may not fall below it by more than this factor. */
const FALLEN_BELOW_RAW = 1.05;
/** Above another source's raw price, a grade must have been by this factor. */
const CLEARLY_ABOVE_RAW = 1.2;
/** From this factor, an amount has moved. */
const LEAST_MOVE = 1.05;

/**
 * Catches grades whose prices are out of order with the raw card, with each other, or with what
 * other sources report: one column was read as another, or a price has drifted away. The amount
 * that moved or is new is caught; otherwise the one that contradicts most others; otherwise both.
 */
export function gradeOrder(resolved: ResolvedObservation): Finding | undefined {
  if (!GRADES.some((grade) => resolved.observation.graded[grade])) return undefined;
  const broken = BOUNDS.flatMap((bound) => breachOf(resolved, bound) ?? []);
  const [first] = broken;
  if (!first) return undefined;
  const caught = [...new Set(broken.flatMap((breach) => blamedFor(resolved, breach, broken)))];
  const detail = describe(resolved, first);
  // Without its market price the observation as a whole is of no use.
  if (caught.includes('market')) return { rule: 'grade-order', detail };
  return { rule: 'grade-order', detail, amounts: caught };
}

/** A bound that two prices break. */
interface Breach extends Bound {
  readonly is: { readonly dear: Cents; readonly cheap: Cents };
  /** The names of those that this source reports, the cheap one first. */
  readonly own: readonly Name[];
}

function breachOf(resolved: ResolvedObservation, bound: Bound): Breach | undefined {
  const { graded, prices } = resolved.observation;
  const { dear, cheap, from = 0 } = bound;
  const own = [cheap, dear].filter((name) => (name === 'market' ? prices.market : graded[name]));
  // Two prices of other sources are not for this observation to decide.
  if (own.length === 0 || !own.some((name) => name !== 'market')) return undefined;
  const is = { dear: amountIn(resolved, dear), cheap: amountIn(resolved, cheap) };
  if (!is.dear || !is.cheap || is.dear < from) return undefined;
  const usual = bound.most * (own.length === 2 ? 1 : OTHER_SOURCE);
  const most = hasFallen(resolved, bound, is.dear) ? Math.min(usual, FALLEN_BELOW_RAW) : usual;
  return is.dear > is.cheap * most
    ? { ...bound, most, own, is: { dear: is.dear, cheap: is.cheap } }
    : undefined;
}

/** Whether a grade cost clearly more than the raw card, and has fallen since. */
function hasFallen(resolved: ResolvedObservation, { dear, cheap }: Bound, raw: Cents): boolean {
  const { before, observation } = resolved;
  if (dear !== 'market' || cheap === 'market' || !before) return false;
  const [was, is] = [before.graded[cheap], observation.graded[cheap]];
  const floor = before.prices.market ?? raw * CLEARLY_ABOVE_RAW;
  return !!was && !!is && was >= floor && is * LEAST_MOVE <= was;
}

/** Returns what the source reports, otherwise what a fresh other source does. */
function amountIn(resolved: ResolvedObservation, name: Name): Cents | undefined {
  const { observation, others } = resolved;
  const own = priceOf(observation, name);
  if (own) return own;
  const fresh = others.find((other) => {
    const isAlike = other.currency === observation.currency;
    return isAlike && priceOf(other, name) && isFreshAt(other, observation.observedAt);
  });
  return fresh && priceOf(fresh, name);
}

function priceOf(
  { prices, graded }: Pick<SourceObservation, 'prices' | 'graded'>,
  name: Name,
): Cents | undefined {
  return name === 'market' ? (prices.market ?? undefined) : graded[name];
}

/** Returns the amounts that a breach is due to; both if nothing tells which. */
function blamedFor(
  resolved: ResolvedObservation,
  { own }: Breach,
  all: readonly Breach[],
): readonly Name[] {
  const changed = own.filter((name) => hasChanged(resolved, name));
  if (changed.length === 1) return changed;
  const conflicts = own.map((name) => all.filter((breach) => breach.own.includes(name)).length);
  const worst = own.filter((_, at) => conflicts[at] === Math.max(...conflicts));
  const grades = worst.filter((name) => name !== 'market');
  return grades.length > 0 ? grades : own.filter((name) => name !== 'market');
}

/** Whether an amount has moved, or is new at a source that has reported the printing before. */
function hasChanged(resolved: ResolvedObservation, name: Name): boolean {
  const { before } = resolved;
  if (!before) return false;
  return amountOf(before, name) === undefined || hasMovedBy(LEAST_MOVE, resolved, name);
}

function describe(
  { observation, cardName, printing }: ResolvedObservation,
  { dear, cheap, most, is }: Breach,
): string {
  const [one, other] = [is.cheap, is.dear].map((cents) => formatCents(cents, observation.currency));
  const names = `The ${nameOf(dear)} price of ${cardName} (${printing}), ${other}`;
  const limit = most === 1 ? 'above' : `more than ${Number(most.toFixed(2))} times`;
  return `${names}, is ${limit} the ${nameOf(cheap)} price, ${one}.`;
}

function nameOf(name: Name): string {
  return name === 'market' ? 'raw' : GRADE_NAMES[name];
}
