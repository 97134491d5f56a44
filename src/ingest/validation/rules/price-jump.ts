import { dayOf, formatDay } from '../../../domain/day.ts';
import { type Cents, formatCents } from '../../../domain/money.ts';
import { WITNESS_FACTOR } from '../../../domain/quarantined.ts';
import { capitalize, formatName, ratio } from '../amounts.ts';
import { daysToBelieve, isBelievable, isFar } from '../belief.ts';
import { haveListingsFollowed } from '../evidence.ts';
import { type Bound, boundsOf } from '../levels.ts';
import type { ValidationContext, ValidationLimits } from '../limits.ts';
import type { SetLevel } from '../set-level.ts';
import {
  amountsIn,
  amountsSince,
  type ComparedAmount,
  daysBetween,
  daysOfMove,
  factorOver,
  isConfirmedElsewhere,
  type OtherAmount,
  type PriceMove,
} from './price-moves.ts';

/**
 * Catches an amount that is too far from the same source's earlier report, unless another source
 * confirms it: a jumbo card priced as the regular card ($4.10 to $24.99), cents read as dollars, a
 * placeholder of a cent. TCGCSV's archive has $0.25 that became $55.09 in a day.
 *
 * Too far is twice as much, or half, from one day to the next (`jumpFactor`), and from the level of
 * the last week, which a price may leave in many small steps. The movement of the set is taken into
 * account: in its week of release a set fell by 23 % in two days, and its prices moved far apart. A
 * jump below ten times is accepted in time, sooner with evidence (`daysToBelieve`), if no other
 * source contradicts it. A larger one needs a witness.
 */
export function priceJump(
  amount: ComparedAmount,
  { limits }: ValidationContext,
): PriceMove | undefined {
  const { resolved, name, is, was } = amount;
  if (!resolved.before || !was) return undefined;
  const jump = farthest(boundsFor(amount, was, limits), is);
  if (!jump || isConfirmedElsewhere(amount, jump) || isUsualListing(amount)) return undefined;
  const since = amountsSince(amount);
  const factor = Math.max(jump.factor, ...since.map((cents) => ratio(cents, jump.from)));
  const isListed = name === 'market' && haveListingsFollowed(resolved, jump.from);
  const isContradicted = amount.others.length > 0;
  return {
    rule: 'price-jump',
    detail: `${describeJump(amount, jump)} ${describeBelief(amount, { factor, isListed, since })}`,
    isBelieved: !isContradicted && isBelievable(factor, since.length, isListed),
  };
}

/** Returns the amounts to compare with: the previous one, and the level of the last 30 days. */
function boundsFor(
  { resolved, name, is, trend }: ComparedAmount,
  was: Cents,
  limits: ValidationLimits,
): Bound[] {
  const wide = widening(trend);
  const from = name === 'market' ? expectedFrom(was, is, trend) : was;
  const limit = factorOver(daysOfMove(resolved, name), name, limits) * wide;
  const last = { from, what: LAST, limit };
  if (name !== 'market' || !resolved.level) return [last];
  return [last, ...boundsOf(resolved.level, limits.jumpFactor * wide, { is, was })];
}

/** The last reported and accepted price of the source. */
const LAST = 'its last price';

interface Jump extends Bound {
  readonly factor: number;
}

/** Returns the comparison with the largest distance, among those whose limit the amount exceeds. */
function farthest(bounds: readonly Bound[], is: Cents): Jump | undefined {
  const jumps = bounds.flatMap((one) => {
    const limit = Math.min(one.limit, WITNESS_FACTOR);
    return isFar(is, one.from, limit) ? [{ ...one, limit, factor: ratio(is, one.from) }] : [];
  });
  return jumps.reduce<Jump | undefined>((far, jump) => {
    return far && far.factor >= jump.factor ? far : jump;
  }, undefined);
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
 * Returns the previous amount moved along with its set; unchanged, if the amount moved against it.
 */
function expectedFrom(was: Cents, is: Cents, trend: SetLevel | undefined): Cents {
  if (!trend || Math.abs(trend.median) < LEAST_TREND || trend.median > 0 !== is > was) return was;
  const moved = Math.max(1, Math.round(was * Math.exp(trend.median)));
  const isPast = trend.median > 0 ? moved > is : moved < is;
  return isPast ? is : (moved as Cents);
}

/** The additional room for a move, in spreads of its set, as a logarithm. */
const SPREADS = 8;

/** Returns the factor by which the limit is wider in a set whose prices move far apart. */
function widening(trend: SetLevel | undefined): number {
  return trend ? Math.exp(SPREADS * trend.spread) : 1;
}

function describeJump(
  { resolved, name, is, was = is }: ComparedAmount,
  { from, what, limit, factor }: Jump,
): string {
  const { observation, before, cardName, printing } = resolved;
  const isFromLast = what === LAST;
  const [start, to] = [isFromLast ? was : from, is].map((cents) => {
    return formatCents(cents, observation.currency);
  });
  const since = before ? ` since ${formatDay(dayOf(before.observedAt))}` : '';
  const move = isFromLast
    ? `went from ${start} to ${to}${since}`
    : `is ${to}, and ${what} ${start}`;
  const subject = capitalize(`${formatName(name)} of ${cardName} (${printing})`);
  const isWithSet = isFromLast && factor.toFixed(1) !== ratio(is, was).toFixed(1);
  const times = `${factor.toFixed(1)} times${isWithSet ? ' the change of its set' : ''}`;
  return `${subject} ${move}: ${times}, the limit is ${limit.toFixed(1)} times.`;
}

interface Belief {
  readonly factor: number;
  readonly isListed: boolean;
  readonly since: readonly Cents[];
}

/** Describes the evidence for and against a jump, and when it will be accepted. */
function describeBelief({ others }: ComparedAmount, { factor, isListed, since }: Belief): string {
  const witness = 'Only another marketplace or the operator can confirm it';
  if (others.length > 0) return `Every other source contradicts it. ${witness}.`;
  const alone = 'No other source reports it';
  const evidence = isListed ? 'Its listings moved with it on other days' : alone;
  const days = daysToBelieve(factor, isListed);
  if (days === undefined) return `${evidence}. ${witness}.`;
  return `${evidence}; it was reported on ${since.length} of the ${days} days needed to accept it.`;
}

/**
 * The factor by which the limit is wider between two marketplaces, whose prices were never the
 * same. Of 1,384 cards that TCGCSV and PriceCharting both price, two differ by more than 5 times.
 */
const BETWEEN_MARKETPLACES = 3;

/**
 * Catches a source's first price of an amount if it is far from the prices of all other sources,
 * even old ones: PriceCharting's $18.49 for a Flareon of $0.16, which was the price of another foil
 * pattern. It has no past for comparison, so it waits for another source or for the operator,
 * however long its source reports it. Two sources of one marketplace report the same prices, so the
 * limit of a jump applies between them.
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
