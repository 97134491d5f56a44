import type { Cents } from '../../domain/money.ts';
import type { Finding, ResolvedObservation, StoredQuote } from './candidate.ts';
import { amountOf, formatAmount, isFreshAt, mainFigure, ratio } from './figures.ts';

/** Printings of one card that took each other's prices. */

/** Two printings can be told apart when the one costs this many times the other, and so many cents. */
const APART_FACTOR = 1.2;
const APART_CENTS = 25;

/** They differ clearly from here on: such siblings seldom change places by themselves. */
const CLEAR_FACTOR = 1.5;
/** Prices of siblings below often become equal to the cent. */
const CLEAR_CENTS = 100;

/**
 * How far a price may be from the one that it was mixed up with: those that differ clearly went on
 * from there, others are next to it.
 */
const WENT_ON = 1.2;
const NEXT_TO = 1.03;

/** A printing with what it should cost: by its own past, else by another source. */
interface Sibling {
  readonly candidate: ResolvedObservation;
  readonly is: Cents;
  readonly was: Cents;
}

/** The candidates of a batch that are mixed up with a sibling. */
export function* swappedPrintings(
  batch: readonly ResolvedObservation[],
): Generator<[candidate: ResolvedObservation, finding: Finding]> {
  for (const family of families(batch)) {
    for (const [index, one] of family.entries()) {
      for (const other of family.slice(index + 1)) yield* mixedUp(one, other);
    }
  }
}

/** The candidates of one card, source and market, where there are several. */
function* families(batch: readonly ResolvedObservation[]): Generator<ResolvedObservation[]> {
  const byCard = Map.groupBy(batch, ({ card }) => card);
  for (const [, ofCard] of byCard) {
    if (ofCard.length < 2) continue;
    const byMarket = Map.groupBy(
      ofCard,
      ({ source, observation }) => `${source} ${observation.marketplace}`,
    );
    yield* byMarket.values();
  }
}

function* mixedUp(
  one: ResolvedObservation,
  other: ResolvedObservation,
): Generator<[ResolvedObservation, Finding]> {
  const pair = compared(one, other);
  if (!pair) return;
  const [a, b] = pair;
  if (hasSwapped(a, b)) {
    if ([a, b].some(isConfirmed)) return;
    yield [one, swapped(a, b)];
    yield [other, swapped(b, a)];
  } else if (isCopied(a, b)) {
    const moved = ratio(a.is, a.was) > ratio(b.is, b.was) ? a : b;
    const model = moved === a ? b : a;
    if (!isConfirmed(moved)) yield [moved.candidate, copied(moved, model)];
  }
}

function hasSwapped(a: Sibling, b: Sibling): boolean {
  const factor = ratio(a.was, b.was);
  if (factor < APART_FACTOR || Math.abs(a.was - b.was) < APART_CENTS) return false;
  const near = factor < CLEAR_FACTOR ? NEXT_TO : Math.min(WENT_ON, Math.cbrt(factor));
  return ratio(a.is, b.was) <= near && ratio(b.is, a.was) <= near;
}

function isCopied(a: Sibling, b: Sibling): boolean {
  if (ratio(a.was, b.was) < CLEAR_FACTOR || Math.abs(a.was - b.was) < CLEAR_CENTS) return false;
  return a.is === b.is;
}

/** Two printings by one figure that all four quotes have. */
function compared(
  one: ResolvedObservation,
  other: ResolvedObservation,
): [Sibling, Sibling] | undefined {
  const [before, otherBefore] = [expectation(one), expectation(other)];
  if (!before || !otherBefore) return undefined;
  const figure = mainFigure([one.observation, other.observation, before, otherBefore]);
  if (!figure) return undefined;
  const amounts = [one.observation, before, other.observation, otherBefore].map((quote) => {
    return amountOf(quote, figure);
  });
  const [is, was, otherIs, otherWas] = amounts;
  if (!is || !was || !otherIs || !otherWas) return undefined;
  return [
    { candidate: one, is, was },
    { candidate: other, is: otherIs, was: otherWas },
  ];
}

function expectation({
  observation,
  before,
  others,
}: ResolvedObservation): StoredQuote | undefined {
  return before ?? freshOthers(observation, others)[0];
}

/** Whether another source is nearer to what the printing costs now than to what it did. */
function isConfirmed({ candidate, is, was }: Sibling): boolean {
  const { observation, before, others, witnesses = [] } = candidate;
  if (!before) return false;
  return freshOthers(observation, [...others, ...witnesses]).some((other) => {
    const figure = mainFigure([observation, before, other]);
    const amount = figure && amountOf(other, figure);
    return amount !== undefined && ratio(amount, is) < ratio(amount, was);
  });
}

function freshOthers(
  quote: ResolvedObservation['observation'],
  others: readonly StoredQuote[],
): StoredQuote[] {
  return others.filter((other) => {
    return other.currency === quote.currency && isFreshAt(other, quote.observedAt);
  });
}

function swapped(own: Sibling, other: Sibling): Finding {
  const detail = `${moved(own)}, which is what ${other.candidate.printing} cost, and that the other way round.`;
  return { reason: 'swapped-printings', detail };
}

function copied(own: Sibling, model: Sibling): Finding {
  const detail = `${moved(own)}, which is to the cent what ${model.candidate.printing} costs.`;
  return { reason: 'copied-price', detail };
}

function moved({ candidate, is, was }: Sibling): string {
  const { cardName, printing, observation } = candidate;
  const [to, from] = [is, was].map((cents) => formatAmount(cents, observation.currency));
  return `${cardName} (${printing}) went from ${from} to ${to}`;
}
