import type { SearchIndex } from '../search/index.ts';
import { undecided } from './decide.ts';
import type { KnownSets } from './sets.ts';
import type { Resolution, ResolveItem } from './types.ts';

/** Resolves free text, such as a listing's title. */
export function resolveTitle(
  _item: ResolveItem,
  _search: SearchIndex,
  _known: KnownSets,
): Resolution {
  return undecided('unknown', [], ['The line fits no format of a list.']);
}
