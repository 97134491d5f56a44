import type { Finding } from '../../observation.ts';
import type { ValidationContext } from '../finding.ts';
import { isTooMany } from '../limits.ts';

/** The prices of one set that a source had and reports no more. */
export interface SetDelisting {
  readonly source: string;
  /** The name of the set. */
  readonly name: string;
  /** How many printings of the set it had a price for, those that are gone included. */
  readonly had: number;
  /** How many of them are gone. */
  readonly gone: number;
}

/**
 * Catches the end of too many prices of a set at once: a few are news, many are a file that its
 * source cut short. Too many is more than 30 % (`lossShare`), and at least five: the most that a
 * set really lost from one day to the next was 22 % (68 of 305, in the week in which it came out),
 * and all others lost 6 % or less.
 */
export function massDelisting(
  { source, name, had, gone }: SetDelisting,
  { limits }: ValidationContext,
): Finding | undefined {
  if (!isTooMany(gone, had, limits)) return undefined;
  const prices = `${source} has no price any more for ${gone} of ${had} printings`;
  return { rule: 'mass-delisting', detail: `${prices} of ${name}, which keep the last one.` };
}
