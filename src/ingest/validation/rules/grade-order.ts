import { formatGrade, type Grade } from '../../../domain/grade-names.ts';
import { partsOfGrade } from '../../../domain/grades.ts';
import { type Cents, formatCents } from '../../../domain/money.ts';
import type { SourceObservation } from '../../../domain/observation.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { amountOf, isFreshAt } from '../amounts.ts';
import { hasMovedBy } from './price-moves.ts';

/** A grade, or the ungraded card. */
type Name = Grade | 'market';

/**
 * Groups of grades with the same bounds. `low` is below 9, `half` is 9.5, `ten` is the 10 of any
 * company except PSA and BGS, `best` is a BGS 10 or a pristine 10, and `label` is a BGS Black
 * Label.
 */
type Kind = 'market' | 'low' | 'nine' | 'half' | 'ten' | 'psa_10' | 'best' | 'label';

/** The most that a copy may cost, as a multiple of another one. */
interface Bound {
  readonly dear: Name;
  readonly cheap: Name;
  readonly most: number;
  /** Cheaper copies are not compared, because grading alone costs many times a cheap card. */
  readonly from?: Cents;
}

/** $500, from which the grading fee no longer matters. */
const ABOVE_FEES = 50_000 as Cents;

/**
 * How many times the price of the second kind a copy of the first kind may cost. Each bound holds
 * for all of 419 Pokémon cards at PriceCharting, with some room: a grade of 9 costs 0.85 to 12.8
 * times the raw card and at most 0.91 times a PSA 10; a PSA 10 1.06 to 45 times the raw card and at
 * most 13.7 times a 9; a BGS 10 at most 12.8 times a PSA 10 and 48.8 times a 9; a CGC or SGC 10
 * 0.42 to 23.5 times the raw card, at least 0.33 times and at most 8.5 times a 9, and at most 2.3
 * times a PSA 10. No file has prices of 9.5, so its bounds are those of a CGC 10, which for 99 of
 * 100 cards is at most 1.12 times a PSA 10 and at least 0.53 times a 9. No file has prices of
 * grades below 9 either, which are only compared with better ones.
 */
const MOST: Readonly<Partial<Record<Kind, Readonly<Partial<Record<Kind, number>>>>>> = {
  market: { psa_10: 1, nine: 1.25, half: 1.3, ten: 3, best: 1, label: 1 },
  low: { psa_10: 1, nine: 3, best: 1, label: 1 },
  nine: { psa_10: 1, half: 2.5, ten: 4, best: 1, label: 1 },
  half: { psa_10: 1.5, nine: 8, half: 8, best: 2 },
  ten: { psa_10: 3, nine: 15, best: 3 },
  psa_10: { nine: 20, ten: 20, best: 2 },
  best: { psa_10: 15, nine: 60 },
};

/** The same above the raw card, for copies of $500 or more. */
const MOST_ABOVE_RAW: Readonly<Partial<Record<Kind, number>>> = {
  low: 30,
  nine: 30,
  half: 60,
  ten: 60,
  psa_10: 100,
  best: 150,
};

/** A grade may cost this many times a better grade of the same company, because few copies sell. */
const OVER_BETTER = 3;

/** Returns the bound between two copies; undefined if any two prices are possible. */
function boundOf(dear: Name, cheap: Name): Bound | undefined {
  if (cheap === 'market') {
    const most = MOST_ABOVE_RAW[kindOf(dear)];
    return most === undefined ? undefined : { dear, cheap, most, from: ABOVE_FEES };
  }
  const usual = MOST[kindOf(dear)]?.[kindOf(cheap)];
  const most = isWorseOfCompany(dear, cheap) ? Math.min(usual ?? OVER_BETTER, OVER_BETTER) : usual;
  return most === undefined ? undefined : { dear, cheap, most };
}

function isWorseOfCompany(dear: Name, cheap: Name): boolean {
  const [one, other] = [partsOfGrade(dear), partsOfGrade(cheap)];
  return one !== undefined && one.grader === other?.grader && one.number < other.number;
}

function kindOf(name: Name): Kind {
  const parts = partsOfGrade(name);
  if (!parts) return 'market';
  const { grader, number, label } = parts;
  if (number < 9) return 'low';
  if (number < 10) return number === 9 ? 'nine' : 'half';
  if (grader.slug === 'psa') return 'psa_10';
  if (grader.slug === 'bgs') return label === undefined ? 'best' : 'label';
  return label === undefined ? 'ten' : 'best';
}

/** The factor by which the bound is wider for prices of another source. */
const OTHER_SOURCE = 1.5;
/** A grade that cost more than the raw card may fall below it by at most this factor. */
const FALLEN_BELOW_RAW = 1.05;
/** The factor by which a grade must have been above another source's raw price. */
const CLEARLY_ABOVE_RAW = 1.2;
/** From this factor, an amount has moved. */
const LEAST_MOVE = 1.05;

/**
 * Catches grades whose prices are out of order with the raw card, with each other, or with other
 * sources: one column was read as another, or a price has drifted away. The amount that moved or is
 * new is caught; otherwise the one that contradicts most others; otherwise both.
 */
export function gradeOrder(resolved: ResolvedObservation): Finding | undefined {
  const broken = boundsOn(resolved).flatMap((bound) => breachOf(resolved, bound) ?? []);
  const [first] = broken;
  if (!first) return undefined;
  const caught = [...new Set(broken.flatMap((breach) => blamedFor(resolved, breach, broken)))];
  const detail = describe(resolved, first);
  // Without its market price, the observation as a whole is useless.
  if (caught.includes('market')) return { rule: 'grade-order', detail };
  return { rule: 'grade-order', detail, amounts: caught };
}

/** Returns the bounds on the grades of an observation, within it and against other sources. */
function boundsOn({ observation, others }: ResolvedObservation): Bound[] {
  const own = namesIn(observation);
  if (own.length === 0) return [];
  const all = new Set<Name>(['market', ...own, ...others.flatMap(namesIn)]);
  return [...all].flatMap((dear) => {
    return [...all].flatMap((cheap) => (dear === cheap ? [] : (boundOf(dear, cheap) ?? [])));
  });
}

function namesIn({ graded }: Pick<SourceObservation, 'graded'>): Grade[] {
  return Object.keys(graded) as Grade[];
}

/** A bound that two prices violate. */
interface Breach extends Bound {
  readonly is: { readonly dear: Cents; readonly cheap: Cents };
  /** The names of the amounts that this source reports, the cheap one first. */
  readonly own: readonly Name[];
}

function breachOf(resolved: ResolvedObservation, bound: Bound): Breach | undefined {
  const { graded, prices } = resolved.observation;
  const { dear, cheap, from = 0 } = bound;
  const own = [cheap, dear].filter((name) => (name === 'market' ? prices.market : graded[name]));
  // This observation does not decide between two prices of other sources.
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

/** Returns the source's own amount, otherwise that of a fresh other source. */
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

/** Returns the amounts that caused a breach; both if nothing shows which. */
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

/** Whether an amount has moved, or is new at a source that has already reported the printing. */
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
  return name === 'market' ? 'raw' : formatGrade(name);
}
