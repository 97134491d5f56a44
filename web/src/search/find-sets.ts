import { foldText, matchLabels } from '../../../src/domain/text.ts';
import type { SetBody } from '../api/responses.ts';

/**
 * Returns the sets whose name or code contains `text`, ignoring case and accents: exact matches
 * first, then those that begin with the text.
 */
export function findSets<Item extends Pick<SetBody, 'setId' | 'name' | 'code'>>(
  sets: readonly Item[],
  text: string,
): Item[] {
  if (text.trim() === '') return [...sets];
  const part = foldText(text);
  const ranked = sets.flatMap((set) => {
    const rank = matchLabels([set.name, set.code], part);
    return rank === undefined ? [] : [{ set, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ set }) => set);
}
