/** How the words of a query are read: what callers are told of it. */

/** What words of a query may be read as. */
export type ReadAs =
  | 'name'
  | 'set'
  | 'number'
  | 'rarity'
  | 'printing'
  | 'treatment'
  | 'year'
  | 'language'
  | 'game'
  | 'condition'
  | 'grade'
  | 'noise';

/** Words of a query that were read together, for one card. */
export interface Reading {
  /** As typed, in lower case. */
  readonly words: string;
  readonly as: ReadAs;
  /** What of the card they mean: its name, its set's name, its number, a printing. */
  readonly means: string;
  /** Whether a word of them was read as another spelling. */
  readonly isCorrected: boolean;
}

/** How a query was read, by its best match: for each field the words as typed, null without any. */
export interface Understood {
  readonly name: string | null;
  readonly set: string | null;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly printing: string | null;
  readonly treatment: string | null;
  readonly year: string | null;
  readonly language: string | null;
  readonly game: string | null;
  readonly condition: string | null;
  readonly grade: string | null;
  /** The words that say nothing about the card, and those that nothing explains. */
  readonly ignored: readonly string[];
}
