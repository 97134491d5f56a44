import { foldText } from './text.ts';

/** How well a label matches what was typed: 0 for the whole, 1 for its beginning, 2 for a part. */
export type LabelMatch = 0 | 1 | 2;

/**
 * Matches labels, such as a name and a code, with the folded text `part`. Returns how well the best
 * label matches. Undefined if none contains it, or if the text had only signs.
 */
export function matchLabels(labels: readonly string[], part: string): LabelMatch | undefined {
  if (part === '') return undefined;
  const folded = labels.map(foldText);
  if (folded.includes(part)) return 0;
  if (folded.some((label) => label.startsWith(part))) return 1;
  return folded.some((label) => label.includes(part)) ? 2 : undefined;
}
