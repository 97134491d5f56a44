import { dayOf, formatDay } from '../../../domain/day.ts';
import { type Cents, formatCents } from '../../../domain/money.ts';
import { capitalize, formatName, ratio } from '../amounts.ts';
import { isBelievable } from '../belief.ts';
import type { ValidationContext } from '../limits.ts';
import { WITNESS_FACTOR } from '../limits.ts';
import type { SetLevel } from '../set-level.ts';
import {
  amountsIn,
  amountsSince,
  type ComparedAmount,
  daysBetween,
  daysOfMove,
  factorOver,
  isConfirmedElsewhere,
  isFar,
  type OtherAmount,
  type PriceMove,
} from './price-moves.ts';

/**
 * Catches an amount that is too far from what the same source reported before, unless another
 * source confirms it: a jumbo card priced as the card ($4.10 to $24.99), cents read as dollars, a
 * placeholder of a cent. TCGCSV's archive has $0.25 that became $55.09 in a day.
 *
 * Too far is twice as much, or half, from one day to the next (`jumpFactor`). A price is compared
 * with where its set has gone: in the week of its release a set fell by 23 % in two days, and its
 * prices moved far apart. A jump below ten times is believed when it behaves like a live price
 * (`isBelievable`) and no other source contradicts; a larger one needs a second witness.
 */
export function priceJump(
  amount: ComparedAmount,
  { limits }: ValidationContext,
): PriceMove | undefined {
  const { resolved, name, is, was, others, trend } = amount;
  if (!resolved.before || !was) return undefined;
  const expected = name === 'market' ? expectedFrom(was, is, trend) : was;
  const allowed = factorOver(daysOfMove(resolved, name), name, limits) * widening(trend);
  const limit = Math.min(allowed, WITNESS_FACTOR);
  if (!isFar(is, expected, limit)) return undefined;
  if (isConfirmedElsewhere(amount) || isUsualListing(amount)) return undefined;
  const factor = ratio(is, expected);
  const since = amountsSince(amount);
  const furthest = Math.max(factor, ...since.map((cents) => ratio(cents, expected)));
  const isBelieved = others.length === 0 && isBelievable(furthest, since);
  return { rule: 'price-jump', detail: describeJump(amount, was, factor, limit), isBelieved };
}

/**
 * The usual range of a listing, as a multiple of the market price. Half of all listings of Pokémon
 * are in it. A listing that jumps into it has come back, for example because the highest listing
 * was sold or withdrawn.
 */
const USUAL_LISTINGS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  low: [1 / 3, 1.1],
  mid: [0.7, 2],
  high: [1, 20],
};

function isUsualListing({ resolved, name, is }: ComparedAmount): boolean {
  const { market } = resolved.observation.prices;
  const usual = USUAL_LISTINGS[name];
  return !!market && !!usual && is >= market * usual[0] && is <= market * usual[1];
}

/** Below this move, as a logarithm, a set has no trend. */
const LEAST_TREND = 0.03;

/**
 * Returns what an amount would be, had it moved with its set; what it was, if it moved against it.
 */
function expectedFrom(was: Cents, is: Cents, trend: SetLevel | undefined): Cents {
  if (!trend || Math.abs(trend.median) < LEAST_TREND || trend.median > 0 !== is > was) return was;
  const moved = Math.max(1, Math.round(was * Math.exp(trend.median)));
  const isPast = trend.median > 0 ? moved > is : moved < is;
  return isPast ? is : (moved as Cents);
}

/** How many spreads of its set a move may be wider, as a logarithm. */
const SPREADS = 8;

/** Returns how many times as wide the limit is in a set whose prices move far apart. */
function widening(trend: SetLevel | undefined): number {
  return trend ? Math.exp(SPREADS * trend.spread) : 1;
}

function describeJump(
  { resolved, name, is, others }: ComparedAmount,
  was: Cents,
  factor: number,
  limit: number,
): string {
  const { observation, before, cardName, printing } = resolved;
  const [from, to] = [was, is].map((cents) => formatCents(cents, observation.currency));
  const since = before ? ` since ${formatDay(dayOf(before.observedAt))}` : '';
  const move = `${formatName(name)} of ${cardName} (${printing}) went from ${from} to ${to}${since}`;
  const whoElse =
    others.length > 0 ? 'every other source contradicts' : 'no other source reports it';
  const isAlone = factor.toFixed(1) === ratio(is, was).toFixed(1);
  const times = `${factor.toFixed(1)} times${isAlone ? '' : ' as far as its set went'}`;
  const limits = `${times}, the limit is ${limit.toFixed(1)} times`;
  return `${capitalize(move)}: ${limits}; ${whoElse}.`;
}

/**
 * How many times as wide the allowed factor is between two marketplaces, whose prices were never
 * the same. Of 1,384 cards that TCGCSV and PriceCharting both price, two differ by more than 5
 * times.
 */
const BETWEEN_MARKETPLACES = 3;

/**
 * Catches the first price that a source reports of an amount when it is far from the prices of all
 * other sources, even old ones: PriceCharting's $18.49 for a Flareon of $0.16, which was the price
 * of another foil pattern. It has no past to be compared with, so it waits for another source or
 * for the operator, however long its source reports it. Two sources of one marketplace report the
 * same prices, so the limit of a jump applies between them.
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
