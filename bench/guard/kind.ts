import type { Amounts, Report, Row } from './model.ts';
import type { Random } from './moves.ts';

/** How many prices a mistake is about. */
export type Scope = 'single' | 'set' | 'feed';

/** What a mistake makes a source report of a printing instead of the truth. */
export interface Wrong {
  readonly row: Report['row'];
  /** What it truly reports. A printing that does not exist has none. */
  readonly truth: Row['days'];
  /** What it reports on a day, by index, from the first day of the mistake on. */
  readonly amounts: (day: number) => Amounts | undefined;
}

/** Where a mistake is planted. */
export interface Target {
  /** The printing; or all of a set; or all of a feed. */
  readonly rows: readonly Row[];
  /** The index of the first day of the mistake. */
  readonly start: number;
  /** The other printings of a row's card. */
  siblings(row: Row): readonly Row[];
  /** Some row of another card and set, with a price on every day. */
  other(): Row | undefined;
  /** The rows of some other set of at least so many rows. */
  otherSet(size: number): readonly Row[];
  readonly random: Random;
}

/** A kind of mistake. */
export interface Kind {
  readonly name: string;
  readonly scope: Scope;
  /** The names of the worlds in which it is planted. */
  readonly worlds: readonly string[];
  /** Whether a figure, a printing or a grade beside it shows that it is wrong. */
  readonly isContradicted?: boolean;
  /** Whether the printing has no price of its source yet. */
  readonly isFirstPrice?: boolean;
  /** Whether it is planted in printings that the source has not listed before. */
  readonly isUnlisted?: boolean;
  /** Whether the amounts are right and only their day is wrong. */
  readonly isOldNews?: boolean;
  /** Returns what goes wrong, or undefined where this mistake cannot happen. */
  readonly plant: (target: Target) => readonly Wrong[] | undefined;
}
