import type { Judged } from './judge.ts';
import type { Narrowed } from './narrow.ts';
import type { Wanted } from './wanted.ts';

/** By what a card was identified, and how sure that is. */
const BASES = {
  'id and name': 1,
  'set, number and name': 0.99,
  id: 0.97,
  'number and name': 0.94,
  'set and name': 0.93,
  name: 0.9,
} as const;

/** What makes a match less sure, as a factor. */
const DOUBTS = {
  similarName: 0.85,
  partOfName: 0.92,
  partOfSetName: 0.92,
  homeSet: 0.95,
  plain: 0.9,
  unexplainedWord: 0.96,
} as const;

/** Returns how sure a match is, from 0 to 1, in hundredths: the basis, times each doubt. */
export function confidenceOf(
  wanted: Wanted,
  one: Judged,
  decidedBy: Narrowed['decidedBy'],
  unexplained: number,
): number {
  let confidence: number = BASES[basisOf(one)];
  if (one.name === 'similar') confidence *= DOUBTS.similarName;
  if (one.name === 'part') confidence *= DOUBTS.partOfName;
  if (wanted.sets?.isPartial) confidence *= DOUBTS.partOfSetName;
  if (decidedBy.includes('home set')) confidence *= DOUBTS.homeSet;
  if (decidedBy.includes('plain')) confidence *= DOUBTS.plain;
  confidence *= DOUBTS.unexplainedWord ** unexplained;
  return Math.round(100 * confidence) / 100;
}

function basisOf(one: Judged): keyof typeof BASES {
  if (one.isIdConfirmed) return one.name === 'none' ? 'id' : 'id and name';
  if (one.isNumberConfirmed) {
    return one.isSetConfirmed ? 'set, number and name' : 'number and name';
  }
  return one.isSetConfirmed ? 'set and name' : 'name';
}
