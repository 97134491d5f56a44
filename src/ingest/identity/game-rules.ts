/** How the cards of a game are told apart, where that differs from game to game. */

/** Replaces one way of writing something by another, in folded words with a space between. */
export type Spelling = readonly [written: RegExp, meant: string];

export interface GameRules {
  /** What stands before the names of sets: `Pokemon Base Set`. In folded words. */
  readonly gameNames: readonly string[];
  /** What only sources put before them: `EX Deoxys`, which is Deoxys. */
  readonly seriesNames: readonly string[];
  /** How the names of sets are written, without `and` and without `the` in front. */
  readonly setNames: readonly Spelling[];
  /** Names of sets that stand for several of ours, and which: `Promo`. */
  readonly setGroups: readonly (readonly [name: RegExp, members: RegExp])[];
  /** The part of a set that some sources count to the set itself and others do not. */
  readonly setParts: RegExp | null;
  /** Variants that have a set of their own: whose, and which one that is. */
  readonly variantSets: readonly VariantSet[];
  /** The code of a set within a printed number, for sources that do not tell the set. */
  readonly codeInNumber: RegExp | null;
  readonly cardNames: readonly Spelling[];
  /**
   * What follows the title in a name and belongs to it: `Director Krennic - Aspiring to Authority`,
   * `Pummel (Red)`. Sources that tell the number may leave it out.
   */
  readonly subtitle: RegExp | null;
  readonly variants: readonly Spelling[];
  /**
   * Whether each art has a number of its own within a set, so that sources need not say which art
   * it is; else a variant is all that tells two cards of one number apart.
   */
  readonly numberTellsArt: boolean;
  /** Sets that gather cards of others under their numbers, which do not tell arts there. */
  readonly mixedSets: RegExp | null;
  /** Variants that the number or the rarity tells as well, and that some sources leave out. */
  readonly arts: RegExp | null;
  /**
   * Foils that are cards of their own to TCGplayer, and that others take for finishes. A source
   * that tells none of them where there are several may mean any.
   */
  readonly patterns: RegExp | null;
  /** Cards of one name and number are different cards when their rarities are and one is such. */
  readonly tellingRarities: RegExp | null;
  /** Variants that are rarities, for sources that tell the rarity as such. */
  readonly rarityVariants: RegExp | null;
  readonly rarities: readonly Spelling[];
}

export interface VariantSet {
  readonly variant: RegExp;
  /** Names of sets as `setNames` leaves them; every set when it is null. */
  readonly within: string | null;
  readonly meant: string;
  /** Titles of cards, folded, that may be in either set whatever is told of them. */
  readonly either: readonly string[];
}

/** One of these phrases, whole. Each may be a pattern itself. */
export function anyOf(...phrases: readonly string[]): RegExp {
  return new RegExp(`^(?:${phrases.join('|')})$`);
}

/** A title with one of these behind it in brackets, as a `subtitle` of rules. */
export function subtitleInBrackets(...phrases: readonly string[]): RegExp {
  return new RegExp(`^(.+?) [([](${phrases.join('|')})[)\\]](?=$| [([])`);
}

/** One of these words, anywhere. */
function anyWord(...words: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${words.join('|')})\\b`);
}

/** Variants that are printings of a card in our sense, not cards. */
export const PRINTING = anyOf(
  'normal|regular|reverse|limited|unlimited',
  '(?:1st|first|limited|unlimited) edition',
  '(?:(?:1st edition|first edition|unlimited|reverse|cold|rainbow|non) )?(?:holo ?foil|foil)',
  '(?:(?:1st edition|first edition|unlimited|reverse) )?holo',
);

/** Variants of any game that no number tells: what is stamped, given away, oversized, foiled … */
export const SPECIAL_ISSUE = anyWord(
  'stamp(?:ed)?|staff|judge|serial(?:ized)?|error|misprint|unnumbered',
  'prerelease|promos?|exclusive|event|league|championships?|worlds?|participation|prize',
  'place|winner|champion|finalist|top',
  'holo|holofoil|foil|etched|metal|gold|pattern|parallel|reprint|display|art series',
  'jumbo|sealed|pack|deck|kit|tin|box|set of',
);

/** What holds for all games. */
export const NO_QUIRKS: GameRules = {
  gameNames: [],
  seriesNames: [],
  setNames: [],
  setGroups: [],
  setParts: null,
  variantSets: [],
  codeInNumber: null,
  cardNames: [],
  subtitle: null,
  variants: [
    [/^pre release\b/, 'prerelease'],
    [/\balt(?:ernative)? art\b/, 'alternate art'],
    [/\boversized?\b/, 'jumbo'],
  ],
  numberTellsArt: false,
  mixedSets: null,
  arts: null,
  patterns: null,
  tellingRarities: null,
  rarityVariants: null,
  rarities: [],
};

/** Folded words, written in the one way in which they are compared. */
export function spell(text: string, spellings: readonly Spelling[]): string {
  let spelled = text;
  for (const [written, meant] of spellings) spelled = spelled.replace(written, meant);
  return spelled;
}
