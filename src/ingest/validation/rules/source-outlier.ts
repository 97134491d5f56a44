import { dayOf, formatDay } from '../../../domain/day.ts';
import { formatCents } from '../../../domain/money.ts';
import { formatName } from '../amounts.ts';
import type { ValidationContext } from '../finding.ts';
import {
  amountsIn,
  type ComparedAmount,
  daysBetween,
  factorOver,
  isConfirmedElsewhere,
  isFar,
  type OtherAmount,
  type PriceMove,
} from './price-moves.ts';

/**
 * How many times as wide the allowed factor is between two marketplaces, whose prices never were
 * the same. Of 1,384 cards that TCGCSV and PriceCharting both price, two differ by more than 5 times.
 */
const BETWEEN_MARKETPLACES = 3;

/**
 * Catches the first price that a source reports of an amount when it is far from those of all other
 * sources, be they old: PriceCharting's $18.49 for a Flareon of $0.16, which was the price of
 * another foil pattern. It has no past to be compared with, so it waits for another source or for
 * the operator, however long its source reports it. Two sources of one marketplace report the same
 * prices, so between these the limit is that of a jump.
 */
export function sourceOutlier(
  amount: ComparedAmount,
  { limits }: ValidationContext,
): PriceMove | undefined {
  const { resolved, name, is, was } = amount;
  if (was) return undefined;
  const { observation } = resolved;
  const others = amountsIn(observation.currency, resolved.others, name);
  const limitOf = ({ observedAt, marketplace }: OtherAmount) => {
    const days = daysBetween(observation.observedAt, observedAt);
    const width = marketplace === observation.marketplace ? 1 : BETWEEN_MARKETPLACES;
    return factorOver(days, name, limits) * width;
  };
  const [other] = others;
  const isNear = others.some((one) => !isFar(is, one.cents, limitOf(one)));
  if (!other || isNear || isConfirmedElsewhere(amount)) return undefined;
  return {
    rule: 'source-outlier',
    detail: describeOutlier(amount, other, limitOf(other)),
    isBelieved: false,
  };
}

function describeOutlier(
  { resolved, name, is }: ComparedAmount,
  other: OtherAmount,
  limit: number,
): string {
  const { observation, source, cardName, printing } = resolved;
  const [own, theirs] = [is, other.cents].map((cents) => formatCents(cents, observation.currency));
  const amount = `the ${formatName(name)} of ${cardName} (${printing})`;
  const since = formatDay(dayOf(other.observedAt));
  const limits = `the limit is ${limit.toFixed(1)} times`;
  return `${source} puts ${amount} at ${own}, every other source near ${theirs} (${since}); ${limits}.`;
}
