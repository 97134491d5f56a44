import type { GameSlug } from '../../domain/games.ts';
import type { Condition } from '../../domain/price.ts';

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

/** What a phrase of the tables may be read as. */
export type PhraseKind = Exclude<ReadAs, 'name' | 'number'>;

/** What phrases are compared with. */
export interface Facts {
  readonly game: GameSlug;
  /** Folded by `foldText`. */
  readonly rarity: string | null;
  /** Their names as shown. */
  readonly printings: readonly string[];
  /** The folded words of the name, those of its variants in brackets too. */
  readonly nameTerms: readonly string[];
  /** The folded words of the set's name. */
  readonly setTerms: readonly string[];
  /** Folded by `foldText`. */
  readonly setCode: string;
  readonly releaseYear: number | null;
  /** As printed; empty without one. */
  readonly number: string;
}

/** A grade as written: `PSA 10` is company `PSA` and number 10. Null is what was not written. */
export interface GradeReading {
  readonly company: string | null;
  /** From 1 to 10, with halves. */
  readonly number: number | null;
}

/** What a phrase means, wherever it stands. */
export interface Meaning {
  readonly as: PhraseKind;
  /** For people: `Reverse Holofoil`, `PSA 10`, `Near Mint`, `2019`; a set's name. */
  readonly means: string;
  /** The games of which the phrase may be said; absent where it may be of any. */
  readonly games?: readonly GameSlug[];
  /** Whether a card agrees. Absent where the phrase says nothing of a card. */
  readonly fits?: (card: Facts) => boolean;
  /**
   * Whether a card that does not agree is excluded instead of ranked lower. Only words that name a
   * game and nothing else do that: `mtg` does, `magic` and `japanese` do not.
   */
  readonly isFilter: boolean;
  /** Whether a printing of this name is one of those meant. Absent where it names no printing. */
  readonly fitsPrinting?: (printing: string) => boolean;
  /** The condition; absent where the words leave it open (`played`). */
  readonly condition?: Condition;
  readonly grade?: GradeReading;
}

/** Words of a query that mean something about a card that is not its name. */
export interface Phrase extends Meaning {
  /** The tokens of the query that it covers: from this one, */
  readonly from: number;
  /** up to and without this one. */
  readonly to: number;
}

/** A row of a table: phrases that mean the same, and what of a card agrees with them. */
export interface Entry {
  readonly as: PhraseKind;
  readonly means: string;
  /** As people write them, separated by commas; compared as `foldWords` folds them. */
  readonly words: string;
  /** The games whose cards may agree; absent for all games. */
  readonly games?: readonly GameSlug[];
  /** What else must agree; without it, every card of these games agrees. */
  readonly evidence?: Evidence;
  readonly isFilter?: true;
  readonly condition?: Condition;
  readonly grade?: GradeReading;
}

/**
 * What agrees with a phrase; one of these is enough. Commas separate alternatives. For printings,
 * names and sets, an alternative is words that must all occur, or, after a minus, must not occur:
 * `holofoil -reverse`.
 */
export interface Evidence {
  /** Labels of rarities. */
  readonly rarity?: string;
  readonly printing?: string;
  readonly name?: string;
  readonly set?: string;
  /** The sets that are meant, by their whole names, with or without the code in front. */
  readonly sets?: readonly string[];
}
