import { safeText } from '../../domain/text.ts';
import type { BrokenPart } from '../contract/broken.ts';

/**
 * The rule for bad rows of all sources (docs/sources.md#bad-rows): a bad row is left out and named,
 * and the others are imported. A file with too many of them is refused whole, because then its
 * format has changed, and what still looks right in it may mean something else.
 */

/** The share of bad rows above which a file is refused. */
const MAX_BAD_SHARE = 0.2;

/** With fewer bad rows no file is refused: in a file of three rows one is a third. */
const MIN_BAD_ROWS = 5;

/** Returns why a file is refused for its bad rows; undefined as long as they are few. */
export function refusalFor(bad: number, rows: number, first?: BrokenPart): string | undefined {
  if (bad < MIN_BAD_ROWS || bad <= rows * MAX_BAD_SHARE) return undefined;
  const share = `${bad} of ${rows} rows are bad, more than ${MAX_BAD_SHARE * 100} %`;
  return first
    ? `${share}; the first is ${safeText(`${first.name}: ${first.reason}`, 200)}`
    : share;
}
