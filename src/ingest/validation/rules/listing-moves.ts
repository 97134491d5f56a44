import { type Cents, formatCents } from '../../../domain/money.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { ratio } from '../amounts.ts';

const LISTINGS = ['low', 'mid', 'high'] as const;
type Listing = (typeof LISTINGS)[number];

/** From this factor, listings have moved together. */
const LEAST_MOVE = 1.5;
/** How far apart the moves of listings may be to count as a common move. */
const TOGETHER = 1.1;
/** Below this factor, the market price has stood still. */
const STILL = 1.2;

/** From this factor, a median listing has moved on its own. */
const LEAST_MOVE_OF_MID = 2;
/** Below this factor, the market price and the lowest listing have stood still. */
const STILL_OF_MID = 1.1;

/**
 * Catches listings that moved away from a market price that stood still. Either all of them moved
 * by one factor, as if they belonged to another card or currency, or the median moved without the
 * lowest. Each new listing may look plausible. Of 2,408 Pokémon prices seven months apart, 4 and 1
 * moved like this.
 */
export function listingMoves(resolved: ResolvedObservation): Finding | undefined {
  const { observation, before } = resolved;
  if (!before || before.currency !== observation.currency) return undefined;
  const market = moveOf(resolved, 'market');
  if (market === undefined || market >= STILL || market <= 1 / STILL) return undefined;
  const caught = movedTogether(resolved) ?? movedAlone(resolved, market);
  return caught && describe(resolved, caught);
}

/** Returns the factor by which an amount has moved; undefined if it is new or missing. */
function moveOf({ observation, before }: ResolvedObservation, name: Listing | 'market') {
  const [is, was] = [observation.prices[name], before?.prices[name]];
  return is && was ? is / was : undefined;
}

function movedTogether(resolved: ResolvedObservation): readonly Listing[] | undefined {
  const names = LISTINGS.filter((name) => resolved.observation.prices[name] !== null);
  const moves = names.map((name) => moveOf(resolved, name) ?? 1);
  if (names.length < 2) return undefined;
  const [least, most] = [Math.min(...moves), Math.max(...moves)];
  const hasMoved = least >= LEAST_MOVE || most <= 1 / LEAST_MOVE;
  return hasMoved && most <= least * TOGETHER ? names : undefined;
}

function movedAlone(resolved: ResolvedObservation, market: number): readonly Listing[] | undefined {
  const [low, mid] = [moveOf(resolved, 'low'), moveOf(resolved, 'mid')];
  if (low === undefined || mid === undefined) return undefined;
  const isStill = Math.max(low, 1 / low, market, 1 / market) < STILL_OF_MID;
  return isStill && Math.max(mid, 1 / mid) >= LEAST_MOVE_OF_MID ? ['mid'] : undefined;
}

function describe(resolved: ResolvedObservation, amounts: readonly Listing[]): Finding {
  const { observation, before, cardName, printing } = resolved;
  const show = (cents: Cents | null | undefined) => {
    return cents ? formatCents(cents, observation.currency) : 'unknown';
  };
  const moves = amounts.map((name) => {
    return `${name} went from ${show(before?.prices[name])} to ${show(observation.prices[name])}`;
  });
  const [is, was] = [observation.prices.market, before?.prices.market];
  const step = is && was ? ratio(is, was).toFixed(2) : '1';
  const stood = `the market price, ${show(is)}, changed only by a factor of ${step}`;
  const detail = `${cardName} (${printing}): ${moves.join(', ')}, while ${stood}.`;
  return { rule: 'stray-listing', amounts, detail };
}
