import type { Finding, ResolvedObservation } from '../../observation.ts';
import { haveSameAmounts } from '../amounts.ts';

/**
 * Catches what moved in a feed that is off as a whole: a Scryfall file with every price times four,
 * euros written as dollars, rows shifted by one. `FeedSurvey` finds that out before any of the feed
 * is written. What the source says as before is no mistake of this file and passes. The next file
 * that is right is accepted, and clears all of it.
 */
export function sourceShift(resolved: ResolvedObservation): Finding | undefined {
  const { shift, cardName, printing } = resolved;
  if (shift === undefined || isAsBefore(resolved)) return undefined;
  return { rule: 'source-shift', detail: `${cardName} (${printing}) is held because ${shift}.` };
}

function isAsBefore({ observation, before }: ResolvedObservation): boolean {
  return before?.currency === observation.currency && haveSameAmounts(observation, before);
}
