import type { Currency } from '../../domain/currencies.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { LanguageCode } from '../../domain/languages.ts';
import type { Condition } from '../../domain/price.ts';

/** A possible reading of words of a query. */
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

/** How adjacent words of a query were read for one card. */
export interface Reading {
  /** As typed, in lower case. */
  readonly words: string;
  readonly as: ReadAs;
  /** The part of the card that they mean: its name, set name, number or a printing. */
  readonly means: string;
  /** Whether any of the words was corrected. */
  readonly isCorrected: boolean;
}

/** How a query was read for its best match: the typed words for each field, null if none. */
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
  /** The words that do not describe the card, and unexplained words. */
  readonly ignored: readonly string[];
  /** The copy whose prices the query asks for; absent if it names none. */
  readonly copy?: AskedCopy;
  /** The parts of the query that filter or order cards; absent if there are none. */
  readonly filters?: readonly FilterPart[];
  /** The rates that converted amounts of the query; absent if none were converted. */
  readonly converted?: readonly ConvertedAmounts[];
  /**
   * Parts of the query that are malformed or ask for something unknown; absent if there are none.
   */
  readonly problems?: readonly Problem[];
}

/** A rate that converted amounts of a query into the currency in which prices are compared. */
export interface ConvertedAmounts {
  readonly from: Currency;
  readonly to: Currency;
  readonly rate: number;
  /** The day of the rate. */
  readonly date: string;
}

/** The copy of a card that a query asks for. */
export interface AskedCopy {
  readonly language: LanguageCode;
  /** The English name of the language. */
  readonly name: string;
  /** Whether a price of such a copy is known for any card on the page. */
  readonly priced: boolean;
}

/** Returns the reading of a query whose words, if there are any, all belong to a name. */
export function understoodAsName(name: string): Understood {
  const others = { set: null, number: null, rarity: null, printing: null, treatment: null };
  const more = { year: null, language: null, game: null, condition: null, grade: null };
  return { name: name === '' ? null : name, ...others, ...more, ignored: [] };
}

/** A part of a query, as typed. */
export interface Part {
  readonly typed: string;
  /** The index of its first character (UTF-16 unit). */
  readonly from: number;
  /** The index after its last character. */
  readonly to: number;
}

/** A part of a query that filters or orders cards. */
export interface FilterPart extends Part {
  /** The part in the terms of docs/search.md: `price<20.00`, `-set:promo`, `sort:newest`. */
  readonly means: string;
}

/** A part of a query that is malformed or asks for something unknown. */
export interface Problem extends Part {
  readonly message: string;
  /** The text to type instead. */
  readonly suggestion?: string;
}

/** A possible reading of a phrase in the tables. */
export type PhraseKind = Exclude<ReadAs, 'name' | 'number'>;

/** The facts about a card that phrases are compared with. */
export interface Facts {
  readonly game: GameSlug;
  /** Folded by `foldText`. */
  readonly rarity: string | null;
  /** The printings with their names, as displayed. */
  readonly printings: readonly { readonly name: string }[];
  /** The folded words of the name, including variants in brackets. */
  readonly nameTerms: readonly string[];
  /** The folded words of the set's name. */
  readonly setTerms: readonly string[];
  /** Folded by `foldText`. */
  readonly setCode: string;
  readonly releaseYear: number | null;
  /** As printed; empty if there is none. */
  readonly number: string;
}

/** A grade as written: `PSA 10` is company `PSA` and number 10. Missing parts are null. */
export interface GradeReading {
  readonly company: string | null;
  /** From 1 to 10 in steps of 0.5. */
  readonly number: number | null;
}

/** The meaning of a phrase, independent of its position. */
export interface Meaning {
  readonly as: PhraseKind;
  /** The display text: `Reverse Holofoil`, `PSA 10`, `Near Mint`, `2019` or a set's name. */
  readonly means: string;
  /** The games whose cards the phrase may describe; absent for all games. */
  readonly games?: readonly GameSlug[];
  /** Whether a card agrees. Absent if the phrase does not describe cards. */
  readonly fits?: (card: Facts) => boolean;
  /**
   * The evidence, any one part of which is enough. Absent if it depends on other facts, or on none.
   */
  readonly evidence?: CompiledEvidence;
  /**
   * Whether cards that do not agree are excluded instead of ranked lower. Only true for words that
   * name a game and nothing else: `mtg`, but not `magic` or `japanese`.
   */
  readonly isFilter: boolean;
  /** Whether the phrase means this printing. Absent if the phrase does not name printings. */
  readonly fitsPrinting?: (printing: string) => boolean;
  /** Absent if the words do not decide the condition (`played`). */
  readonly condition?: Condition;
  readonly grade?: GradeReading;
  readonly language?: LanguageCode;
}

/** Words that a text must contain, and words that it must not. */
export interface WordTest {
  readonly all: readonly string[];
  readonly none: readonly string[];
}

/** Evidence in a form that needs no regular expressions or allocations to compare. */
export interface CompiledEvidence {
  readonly rarities: ReadonlySet<string>;
  readonly fitsPrinting: ((name: string) => boolean) | undefined;
  readonly names: readonly WordTest[];
  readonly sets: readonly WordTest[];
  readonly setNames: readonly (readonly string[])[];
}

/** Adjacent words of a text. */
export interface Span {
  /** The index of the first word. */
  readonly from: number;
  /** The index after the last word. */
  readonly to: number;
}

/** Words of a text that describe a card other than by its name. */
export interface Phrase extends Meaning, Span {}

/** A row of a table: phrases with the same meaning, and the cards that agree with them. */
export interface Entry {
  readonly as: PhraseKind;
  readonly means: string;
  /** The phrases as people write them, separated by commas. Folded for comparison. */
  readonly words: string;
  /** The games whose cards may agree; absent for all games. */
  readonly games?: readonly GameSlug[];
  /** Further required evidence. If absent, every card of these games agrees. */
  readonly evidence?: Evidence;
  readonly isFilter?: true;
  readonly condition?: Condition;
  readonly grade?: GradeReading;
  readonly language?: LanguageCode;
}

/**
 * The evidence that agrees with a phrase. One of the fields is enough. Commas separate
 * alternatives. For printings, names and sets, all words of an alternative must occur, and words
 * after a minus must not: `holofoil -reverse`.
 */
export interface Evidence {
  /** Labels of rarities. */
  readonly rarity?: string;
  readonly printing?: string;
  readonly name?: string;
  readonly set?: string;
  /** The full names of sets, with or without the code in front. */
  readonly sets?: readonly string[];
}
