import type { Resolution, ResolveItem } from '../../resolve/types.ts';
import type { Asked } from './rows.ts';

type Resolve = (items: readonly ResolveItem[]) => Promise<readonly Resolution[]>;

const REASON =
  "The set and the number are this card's, and its program names cards by these alone.";

/**
 * Resolves items. Without a name the resolver abstains, because people mistype numbers; programs
 * that name cards by set and number do not, so that the only card of both is taken.
 */
export async function resolveAsked(
  asked: readonly Asked[],
  resolve: Resolve,
): Promise<readonly Resolution[]> {
  if (asked.length === 0) return [];
  const resolutions = await resolve(asked.map(({ item }) => item));
  const named = new Map<number, ResolveItem>();
  for (const [place, { item, isNameless }] of asked.entries()) {
    const name = isNameless ? nameOfOnly(resolutions[place]) : undefined;
    if (name !== undefined) named.set(place, { ...item, name });
  }
  if (named.size === 0) return resolutions;
  const again = await resolve([...named.values()]);
  const matched = new Map([...named.keys()].map((place, index) => [place, again[index]]));
  return resolutions.map((resolution, place) => {
    const second = matched.get(place);
    return second?.status === 'matched' ? { ...second, reasons: [REASON] } : resolution;
  });
}

/** The name of the only card that a resolution left. */
function nameOfOnly(resolution: Resolution | undefined): string | undefined {
  if (resolution?.status !== 'ambiguous') return undefined;
  const [only, ...others] = resolution.candidates;
  return others.length === 0 ? only?.card.name : undefined;
}
