import { type Cents, formatCents } from '../../../domain/money.ts';
import type { SourceObservation } from '../../../domain/observation.ts';
import type { ResolvedObservation } from '../../observation.ts';
import { amountOf, isFreshAt, ratio, sharedFigure } from '../amounts.ts';
import type { BatchFinding, BatchRule } from '../finding.ts';

/** What the rules share that compare two printings of one card, source and marketplace. */

/** A printing with what it costs now and what it is expected to cost. */
export interface ComparedPrinting {
  readonly resolved: ResolvedObservation;
  /** The reported amount. */
  readonly is: Cents;
  /** What the source reported before, else what another source reports. */
  readonly was: Cents;
}

/** A rule that compares two printings of a card. */
export type PairRule = (a: ComparedPrinting, b: ComparedPrinting) => Iterable<BatchFinding>;

/** Applies rules to all pairs of printings. Of several findings for a printing the last counts. */
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

/** Yields the printings of one card, source and marketplace, where there are several. */
function* printingsByCard(
  batch: readonly ResolvedObservation[],
): Generator<readonly ResolvedObservation[]> {
  for (const [, ofCard] of Map.groupBy(batch, ({ card }) => card)) {
    if (ofCard.length < 2) continue;
    const byMarketplace = Map.groupBy(ofCard, ({ source, observation }) => {
      return `${source} ${observation.marketplace}`;
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

/** Whether another source is nearer to what the printing costs now than to what it cost before. */
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

/** Returns the beginning of a sentence: which printing went from which price to which. */
export function describeMove({ resolved, is, was }: ComparedPrinting): string {
  const { cardName, printing, observation } = resolved;
  const [to, from] = [is, was].map((cents) => formatCents(cents, observation.currency));
  return `${cardName} (${printing}) went from ${from} to ${to}`;
}
