/** The rules for distinguishing a game's cards, as far as they differ between games. */

/** Replaces one spelling with another, in folded words separated by a space. */
export type Spelling = readonly [written: RegExp, meant: string];

export interface GameRules {
  /** Prefixes of set names, in folded words: `Pokemon Base Set`. */
  readonly gameNames: readonly string[];
  /** Prefixes of set names that only sources use: `EX Deoxys` is Deoxys. */
  readonly seriesNames: readonly string[];
  /** Spellings of the names of sets, without `and` and without `the` in front. */
  readonly setNames: readonly Spelling[];
  /** Names for several sets of the catalogue, with those sets: `Promo`. */
  readonly setGroups: readonly (readonly [name: RegExp, members: RegExp])[];
  /** Names of subsets that only some sources count as part of the set itself. */
  readonly setParts: RegExp | null;
  /** Variants that are in a separate set. */
  readonly variantSets: readonly VariantSet[];
  /** The code of a set within a number, for sources that do not give the set. */
  readonly codeInNumber: RegExp | null;
  readonly cardNames: readonly Spelling[];
  /**
   * The subtitle after the title of a name: `Director Krennic - Aspiring to Authority`, `Pummel
   * (Red)`. Sources that give the number may omit the subtitle.
   */
  readonly subtitle: RegExp | null;
  readonly variants: readonly Spelling[];
  /**
   * Whether each art has its own number within a set, so sources need not name the art. Otherwise
   * only a variant distinguishes two cards with the same number.
   */
  readonly isArtNumbered: boolean;
  /** Sets that reprint cards from other sets with their numbers, which do not distinguish arts. */
  readonly mixedSets: RegExp | null;
  /** Variants that the number or the rarity implies, and that some sources omit. */
  readonly arts: RegExp | null;
  /**
   * Foils that TCGplayer lists as separate cards and other sources list as finishes. If a source
   * names none of several, it may mean any.
   */
  readonly foilPatterns: RegExp | null;
  /** Cards with the same name and number are different cards if one of them has such a rarity. */
  readonly distinctRarities: RegExp | null;
  /** Variants that are rarities, for sources that write the rarity into the name. */
  readonly rarityVariants: RegExp | null;
  readonly rarities: readonly Spelling[];
}

/** A variant that is in a separate set. */
export interface VariantSet {
  readonly variant: RegExp;
  /** The set that sources assign it to, in the spelling of `setNames`. */
  readonly within: string;
  /** The separate set, in the spelling of `setNames`. */
  readonly ownSet: string;
  /** Folded titles of cards that may be in either set, with the variant or without. */
  readonly inBoth: readonly string[];
}

/** Returns a pattern for one of these phrases, whole. Each may be a pattern itself. */
export function anyOf(...phrases: readonly string[]): RegExp {
  return new RegExp(`^(?:${phrases.join('|')})$`);
}

/** Returns a `subtitle` pattern for one of these phrases in brackets after a title. */
export function subtitleInBrackets(...phrases: readonly string[]): RegExp {
  return new RegExp(`^(.+?) [([](${phrases.join('|')})[)\\]](?=$| [([])`);
}

/** Returns a pattern for one of these words, anywhere. */
function anyWord(...words: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${words.join('|')})\\b`);
}

/** Variants that are printings of a card (docs/glossary.md#printing), not separate cards. */
export const PRINTING = anyOf(
  'normal|regular|reverse|limited|unlimited',
  '(?:1st|first|limited|unlimited) edition',
  '(?:(?:1st edition|first edition|unlimited|reverse|cold|rainbow|non) )?(?:holo ?foil|foil)',
  '(?:(?:1st edition|first edition|unlimited|reverse) )?holo',
);

/** Variants of any game that a number never implies: stamped, given away, oversized, foiled … */
export const SPECIAL_ISSUE = anyWord(
  'stamp(?:ed)?|staff|judge|serial(?:ized)?|error|misprint|unnumbered',
  'prerelease|promos?|exclusive|event|league|championships?|worlds?|participation|prize',
  'place|winner|champion|finalist|top',
  'holo|holofoil|foil|etched|metal|gold|pattern|parallel|reprint|display|art series',
  'jumbo|sealed|pack|deck|kit|tin|box|set of',
);

/** The variant of oversized cards, in the spelling used for comparison. */
export const OVERSIZED = /\bjumbo\b/;

/** The rules that apply to all games. */
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

/** Returns folded words in the spelling used for comparison. */
export function spell(text: string, spellings: readonly Spelling[]): string {
  let spelled = text;
  for (const [written, meant] of spellings) spelled = spelled.replace(written, meant);
  return spelled;
}
