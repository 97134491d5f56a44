import type { PriceFigures } from '../../../domain/price.ts';
import type { ResolvedObservation } from '../../observation.ts';
import type { Move } from '../set-level.ts';

/** What the rules share that compare the prices of a set. */

/** Names the prices that one source reports of one set at one marketplace: they move together. */
export function seriesOfSet({ source, set, observation }: ResolvedObservation): string {
  return `${source} ${observation.marketplace} ${observation.currency} ${set.rowId}`;
}

/** Returns how a figure of a set has moved, of each printing that had it before. */
export function movesOf(
  ofSet: readonly ResolvedObservation[],
  figure: keyof PriceFigures,
): (Move & { readonly resolved: ResolvedObservation })[] {
  return ofSet.flatMap((resolved) => {
    const is = resolved.observation.prices[figure];
    const was = resolved.before?.prices[figure];
    const isAlike = resolved.before?.currency === resolved.observation.currency;
    return is && was && is > 0 && isAlike ? [{ resolved, is, was }] : [];
  });
}
