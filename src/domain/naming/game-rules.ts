/** What distinguishes the cards of a game, where that differs from game to game. */

/** Replaces one spelling by another, in folded words with a space between. */
export type Spelling = readonly [written: RegExp, meant: string];

export interface GameRules {
  /** What stands before the names of sets: `Pokemon Base Set`. In folded words. */
  readonly gameNames: readonly string[];
  /** What only sources put before the names of sets: `EX Deoxys`, which is Deoxys. */
  readonly seriesNames: readonly string[];
  /** Spellings of the names of sets, without `and` and without `the` in front. */
  readonly setNames: readonly Spelling[];
  /** Names that stand for several of our sets, and for which: `Promo`. */
  readonly setGroups: readonly (readonly [name: RegExp, members: RegExp])[];
  /** Names of parts that some sources count to the set itself and others do not. */
  readonly setParts: RegExp | null;
  /** Variants that are in a separate set. */
  readonly variantSets: readonly VariantSet[];
  /** The code of a set within a number, for sources that do not give the set. */
  readonly codeInNumber: RegExp | null;
  readonly cardNames: readonly Spelling[];
  /**
   * What follows the title in a name and belongs to it: `Director Krennic - Aspiring to Authority`,
   * `Pummel (Red)`. Sources that give the number may leave it out.
   */
  readonly subtitle: RegExp | null;
  readonly variants: readonly Spelling[];
  /**
   * Whether each art has its own number within a set, so that sources need not name the art.
   * Otherwise only a variant distinguishes two cards with the same number.
   */
  readonly isArtNumbered: boolean;
  /** Sets that gather cards of others under their numbers, which do not distinguish arts there. */
  readonly mixedSets: RegExp | null;
  /** Variants that follow from the number or the rarity, and that some sources leave out. */
  readonly arts: RegExp | null;
  /**
   * Foils that TCGplayer lists as separate cards, and other sources as finishes. A source that
   * names none of them where there are several may mean any.
   */
  readonly foilPatterns: RegExp | null;
  /** Two cards of one name and number are different cards when one of them has such a rarity. */
  readonly distinctRarities: RegExp | null;
  /** Variants that stand for rarities, for sources that write the rarity into the name. */
  readonly rarityVariants: RegExp | null;
  readonly rarities: readonly Spelling[];
}

/** A variant that is in a separate set. */
export interface VariantSet {
  readonly variant: RegExp;
  /** The set that sources count it to, as `setNames` spells it. */
  readonly within: string;
  /** The separate set, as `setNames` spells it. */
  readonly ownSet: string;
  /** Folded titles of cards that may be in either set, with the variant or without. */
  readonly inBoth: readonly string[];
}

/** Returns a pattern for one of these phrases, whole. Each may be a pattern itself. */
export function anyOf(...phrases: readonly string[]): RegExp {
  return new RegExp(`^(?:${phrases.join('|')})$`);
}

/** Returns a `subtitle` for one of these phrases in brackets behind a title. */
export function subtitleInBrackets(...phrases: readonly string[]): RegExp {
  return new RegExp(`^(.+?) [([](${phrases.join('|')})[)\\]](?=$| [([])`);
}

/** Returns a pattern for one of these words, anywhere. */
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

/** Variants that follow from no number, of any game: stamped, given away, oversized, foiled … */
export const SPECIAL_ISSUE = anyWord(
  'stamp(?:ed)?|staff|judge|serial(?:ized)?|error|misprint|unnumbered',
  'prerelease|promos?|exclusive|event|league|championships?|worlds?|participation|prize',
  'place|winner|champion|finalist|top',
  'holo|holofoil|foil|etched|metal|gold|pattern|parallel|reprint|display|art series',
  'jumbo|sealed|pack|deck|kit|tin|box|set of',
);

/** The variant of oversized cards, in the one spelling in which they are compared. */
export const OVERSIZED = /\bjumbo\b/;

/** The rules that hold for all games. */
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
    [/\b(?:jumbo|oversized?)(?: card)?\b/, 'jumbo'],
  ],
  isArtNumbered: false,
  mixedSets: null,
  arts: null,
  foilPatterns: null,
  distinctRarities: null,
  rarityVariants: null,
  rarities: [],
};

/** Returns folded words in the one spelling in which they are compared. */
export function spell(text: string, spellings: readonly Spelling[]): string {
  let spelled = text;
  for (const [written, meant] of spellings) spelled = spelled.replace(written, meant);
  return spelled;
}
