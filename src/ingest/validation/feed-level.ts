import { medianOf } from './set-level.ts';

/**
 * Judges a feed as a whole by ratios of its prices to others: to those of other sources of the same
 * marketplace, or to what the feed said itself before. Single prices move; the median of many hardly
 * does, and a file whose prices are euros taken for dollars, or of the next row, shows in it.
 *
 * Measured: 26,764 prices of Scryfall and of TCGCSV on one day are equal to the cent, but for a few,
 * on both days that there are. Of 26,510 prices of Scryfall nine days apart the median is 1.000, and
 * half are within 1.5 % of it. Of Lorcana's 1,400 printings the median moved by 1.1 % in a day at
 * most, 2.6 % in a week, 5.4 % in 30 days and 19 % in 120. Shifted by a row, half of Scryfall's prices
 * are 3.2 times off.
 */

/** A feed that cannot be right as a whole. */
export interface FeedShift {
  /** All prices are off alike, or each by a factor of its own: they belong to other cards. */
  readonly reason: 'scale' | 'other cards';
  /** The median of the ratios; for other cards, by how many times half of the prices are off. */
  readonly median: number;
  /** The median must not be above this, nor below its inverse. */
  readonly bound: number;
  readonly compared: number;
}

/** What is to be said of a feed: `unknown` means that too little can be compared. */
export type FeedLevel = 'unknown' | 'sound' | FeedShift;

/** The logarithm of how far off a median may be on the same day, and by how much more each day. */
const SCALE_BOUND = 0.05;
/** The same of how far off half of the prices may be, in either direction. */
const OTHER_CARDS_BOUND = 0.6;
const GROWTH_A_DAY = 0.0025;

/** From so many prices on a median tells something; of fewer, nearly all must be off alike. */
const MANY = 100;
const FEW = 20;
/** The share of the prices that must be about as far off as their median: of many, of few. */
const SHARE_OF_MANY = 0.5;
const SHARE_OF_FEW = 0.9;

/** Judges the ratios of prices to others that are so many days older or newer. */
export function judgeRatios(ratios: readonly number[], days: number): FeedLevel {
  if (ratios.length < FEW) return 'unknown';
  const logs = ratios.map(Math.log);
  const median = medianOf(logs) ?? 0;
  const compared = ratios.length;
  const growth = GROWTH_A_DAY * days;
  const near = logs.filter((log) => Math.abs(log - median) <= Math.abs(median) / 2).length;
  const isAlike = near >= compared * (compared < MANY ? SHARE_OF_FEW : SHARE_OF_MANY);
  if (Math.abs(median) > SCALE_BOUND + growth && isAlike) {
    const bound = Math.exp(SCALE_BOUND + growth);
    return { reason: 'scale', median: Math.exp(median), bound, compared };
  }
  if (compared < MANY) return Math.abs(median) <= SCALE_BOUND + growth ? 'sound' : 'unknown';
  const off = medianOf(logs.map(Math.abs)) ?? 0;
  if (off <= OTHER_CARDS_BOUND + growth) return 'sound';
  const bound = Math.exp(OTHER_CARDS_BOUND + growth);
  return { reason: 'other cards', median: Math.exp(off), bound, compared };
}

/** What a feed was compared with, and how that went. */
export interface ComparedLevel {
  readonly level: FeedLevel;
  readonly compared: number;
}

/**
 * Decides between what a feed is compared with. The one that finds it sound is right, if it compares
 * at least half as many prices as any other: a feed that agrees with others has mended itself, and
 * one that stays as it was is as the operator approved it.
 */
export function decideLevel<Compared extends ComparedLevel>(
  all: readonly Compared[],
): Compared | undefined {
  const known = all.filter(({ level }) => level !== 'unknown');
  const most = Math.max(...known.map(({ compared }) => compared));
  const sound = known.find(({ level, compared }) => level === 'sound' && compared * 2 >= most);
  return sound ?? known.find(({ compared }) => compared === most);
}
