import { languageOfPrinting } from '../../../domain/languages.ts';
import { type Cents, formatCents } from '../../../domain/money.ts';
import type { SourceObservation } from '../../../domain/observation.ts';
import { FIGURES, samePrices } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { amountOf, isFreshAt, ratio, sharedFigure } from '../amounts.ts';
import type { BatchFinding, BatchRule } from '../limits.ts';
import { daysOfMove } from './price-moves.ts';

/** Shared by the rules that compare two printings of one card, source and marketplace. */

/** A printing with its current price and its expected one. */
export interface ComparedPrinting {
  readonly resolved: ResolvedObservation;
  /** The reported amount. */
  readonly is: Cents;
  /** The source's previous amount, otherwise another source's. */
  readonly was: Cents;
}

/** A rule that compares two printings of a card. */
export type PairRule = (a: ComparedPrinting, b: ComparedPrinting) => Iterable<BatchFinding>;

/** Applies rules to all pairs of printings. If a printing has several findings, the last counts. */
export function eachPairOfPrintings(rules: readonly PairRule[]): BatchRule {
  return function* findInPairs(batch) {
    for (const [one, other] of pairsOfPrintings(batch)) {
      const pair = comparePrintings(one, other);
      if (pair) for (const rule of rules) yield* rule(...pair);
    }
  };
}

function* pairsOfPrintings(
  batch: readonly ResolvedObservation[],
): Generator<[ResolvedObservation, ResolvedObservation]> {
  for (const printings of printingsByCard(batch)) {
    for (const [index, one] of printings.entries()) {
      for (const other of printings.slice(index + 1)) yield [one, other];
    }
  }
}

/**
 * Yields the printings of one card, language, source and marketplace, if there are several. Copies
 * in two languages may well cost the same.
 */
function* printingsByCard(
  batch: readonly ResolvedObservation[],
): Generator<readonly ResolvedObservation[]> {
  for (const [, ofCard] of Map.groupBy(batch, ({ card }) => card)) {
    if (ofCard.length < 2) continue;
    const byMarketplace = Map.groupBy(ofCard, ({ source, observation, printing }) => {
      return `${source} ${observation.marketplace} ${languageOfPrinting(printing)}`;
    });
    yield* byMarketplace.values();
  }
}

/** Compares two printings by a figure that both have, now and before. */
function comparePrintings(
  one: ResolvedObservation,
  other: ResolvedObservation,
): [ComparedPrinting, ComparedPrinting] | undefined {
  const [before, otherBefore] = [expectedOf(one), expectedOf(other)];
  if (!before || !otherBefore) return undefined;
  const all = [one.observation, before, other.observation, otherBefore];
  const figure = sharedFigure(all);
  if (!figure) return undefined;
  const [is, was, otherIs, otherWas] = all.map((observation) => amountOf(observation, figure));
  if (!is || !was || !otherIs || !otherWas) return undefined;
  return [
    { resolved: one, is, was },
    { resolved: other, is: otherIs, was: otherWas },
  ];
}

function expectedOf(resolved: ResolvedObservation): SourceObservation | undefined {
  return resolved.before ?? freshOf(resolved, resolved.others)[0];
}

/** Whether another source is nearer to the printing's current price than to its earlier one. */
export function isConfirmed({ resolved, is, was }: ComparedPrinting): boolean {
  const { observation, before, others, witnesses = [] } = resolved;
  if (!before) return false;
  return freshOf(resolved, [...others, ...witnesses]).some((other) => {
    const figure = sharedFigure([observation, before, other]);
    const amount = figure && amountOf(other, figure);
    return amount !== undefined && ratio(amount, is) < ratio(amount, was);
  });
}

function freshOf(
  { observation }: ResolvedObservation,
  others: readonly SourceObservation[],
): readonly SourceObservation[] {
  return others.filter((other) => {
    return other.currency === observation.currency && isFreshAt(other, observation.observedAt);
  });
}

/** Returns the start of a sentence: the printings and their price moves. */
export function describeMove({ resolved, is, was }: ComparedPrinting): string {
  const { cardName, printing, observation } = resolved;
  const [to, from] = [is, was].map((cents) => formatCents(cents, observation.currency));
  return `${cardName} (${printing}) went from ${from} to ${to}`;
}

/** From this factor, two printings have different prices. */
const DIFFERENT_FACTOR = 1.1;

/**
 * How far each printing may be from the other's old price, as a share of the distance between the
 * old prices. The share is larger if one of the two equals the other's old price to the cent. Among
 * 74,857 pairs of Normal and Foil that differed that much, three came this close naturally in a
 * day. Over more than a few days this happens often.
 */
const REST_OF_WAY = 0.2;
const REST_IF_EXACT = 0.5;
const MOST_DAYS = 7;
/** Over more days, the prices must have swapped nearly to the cent. */
const REST_LATER = 0.05;

/**
 * Catches two printings of a card that took each other's prices, unless another source confirms the
 * new ones: a Holofoil that went from $41 to $12 while the Reverse Holofoil went from $12 to $41.
 */
export function* swappedPrintings(
  a: ComparedPrinting,
  b: ComparedPrinting,
): Generator<BatchFinding> {
  if (!areSwapped(a, b) || isConfirmed(a) || isConfirmed(b)) return;
  yield [a.resolved, describeSwap(a, b)];
  yield [b.resolved, describeSwap(b, a)];
}

function areSwapped(a: ComparedPrinting, b: ComparedPrinting): boolean {
  if (ratio(a.was, b.was) < DIFFERENT_FACTOR) return false;
  const toOther = distance(a.is, b.was) + distance(b.is, a.was);
  const toOwn = distance(a.is, a.was) + distance(b.is, b.was);
  if (toOwn > 0 && toOther <= toOwn * mostRest(a, b)) return true;
  return isStillSwapped(a) && isStillSwapped(b);
}

/** Returns the share of the distance that may be left. */
function mostRest(a: ComparedPrinting, b: ComparedPrinting): number {
  if (Math.max(daysOfMove(a.resolved, 'market'), daysOfMove(b.resolved, 'market')) > MOST_DAYS)
    return REST_LATER;
  const isExact = a.is === b.was || b.is === a.was;
  return isExact ? REST_IF_EXACT : REST_OF_WAY;
}

/**
 * A swap is over once its way back to the printing's own price is shorter than this, as a
 * logarithm.
 */
const LEAST_WAY = 0.03;

/** Whether a printing is in quarantine for a swap, and has not yet returned half of the way. */
function isStillSwapped({ resolved: { quarantined }, is, was }: ComparedPrinting): boolean {
  const swapped = quarantined?.rule === 'swapped-printings' && quarantined.prices.market;
  if (!swapped) return false;
  const way = distance(swapped, was);
  return way >= LEAST_WAY && distance(is, swapped) < way / 2;
}

/** Returns how far apart two amounts are, as the logarithm of their ratio. */
export function distance(a: Cents, b: Cents): number {
  return Math.abs(Math.log(a / b));
}

function describeSwap(own: ComparedPrinting, { resolved: other }: ComparedPrinting): Finding {
  const move = describeMove(own);
  const detail = `${move}, the earlier price of ${other.printing}, which moved the other way.`;
  return { rule: 'swapped-printings', detail };
}

/** How clearly the prices must have differed before: by this factor, and by this many cents. */
const CLEAR_FACTOR = 1.5;
/** Below a dollar, the prices of two printings often become equal to the cent. */
const CLEAR_CENTS = 100;

/**
 * Catches a printing whose price became exactly another printing's current or previous price, when
 * the two used to differ clearly and no other source confirms it: a source that writes one price
 * for all finishes, $5.50 for the Reverse Holofoil and for the Normal that cost $2. The printing
 * that moved further is caught. If it also took the listings, it is caught at any difference, for
 * as long as it has them.
 */
export function* copiedPrice(a: ComparedPrinting, b: ComparedPrinting): Generator<BatchFinding> {
  const [copy, original] = ratio(a.is, a.was) > ratio(b.is, b.was) ? [a, b] : [b, a];
  if (copy.is === copy.was || !isCopy(copy, original) || isConfirmed(copy)) return;
  const { printing } = original.resolved;
  const detail = `${describeMove(copy)}, exactly the price of ${printing}.`;
  yield [copy.resolved, { rule: 'copied-price', detail }];
}

function isCopy(copy: ComparedPrinting, original: ComparedPrinting): boolean {
  const isTaken = copy.is === original.is || copy.is === original.was;
  if (!isTaken || copy.was === original.was) return false;
  const isKnown = copy.resolved.quarantined?.rule === 'copied-price';
  return isKnown || differedClearly(copy, original) || haveSameListings(copy, original);
}

/** Whether all figures of two printings are equal, and at least three of them are known. */
function haveSameListings({ resolved: a }: ComparedPrinting, { resolved: b }: ComparedPrinting) {
  const known = FIGURES.filter((name) => a.observation.prices[name] !== null);
  const isLast = known.every((name) => a.observation.prices[name] === b.before?.prices[name]);
  return known.length >= 3 && (isLast || samePrices(a.observation.prices, b.observation.prices));
}

function differedClearly(a: ComparedPrinting, b: ComparedPrinting): boolean {
  return ratio(a.was, b.was) >= CLEAR_FACTOR && Math.abs(a.was - b.was) >= CLEAR_CENTS;
}
