import type { Millis } from '../../domain/day.ts';
import type { CardFacts } from '../../domain/facts.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { DayPrices, PriceFigures } from '../../domain/price.ts';
import type { ProductFacts } from '../../domain/products.ts';
import type { BrokenPart, KnownFiles, SourceFile } from './files.ts';

/**
 * Snapshots: the whole catalogue of a source, set by set, with its current prices. They create
 * cards, unlike feeds (`feed.ts`), which describe cards that are already in the catalogue.
 */

/** A set as its source describes it. */
export interface SourceSet {
  /** The source's own id of the set. */
  readonly externalId: string;
  readonly game: GameSlug;
  readonly code: string;
  readonly name: string;
  /** `YYYY-MM-DD`, or null where the source does not know. */
  readonly releaseDate: string | null;
}

/** A card or product as its source describes it. */
export interface SourceCard {
  /** The source's own id of the card. */
  readonly externalId: string;
  readonly name: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
  /** Absent for a card. */
  readonly product?: ProductFacts;
  /** Only of cards, where the source has any. */
  readonly facts?: CardFacts;
}

/** The prices that a source reports of one printing of a card. */
export interface Listing {
  readonly externalId: string;
  readonly printing: string;
  readonly prices: PriceFigures;
  /** Earlier days, where the source gives them. */
  readonly earlierDays?: readonly DayPrices[];
}

/** One set with its cards and prices; parts that the last import has read are `unchanged`. */
export interface Group {
  /** The id space of the external ids of the set and of its cards, for example `tcgcsv`. */
  readonly idSpace: string;
  readonly set: SourceSet;
  /** When the prices were observed, according to the source. */
  readonly observedAt: Millis;
  readonly cards: readonly SourceCard[] | 'unchanged';
  readonly listings: readonly Listing[];
  /** Counts of what was left out on purpose, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The files to remember, so that the next import skips them, unless there are bad rows. */
  readonly files: readonly SourceFile[];
  /** Rows that could not be read and are left out. */
  readonly badRows?: readonly BrokenPart[];
  /**
   * The external ids of cards with a price that could not be read. Their unlisted printings keep
   * their last price. Null stands for a row whose card is unknown; then all unlisted printings of
   * the set keep theirs.
   */
  readonly unreadPrices?: ReadonlySet<string | null>;
}

/** The outcome of reading one group. */
export type GroupOutcome = {
  /** The group's permanent name within its source, such as `3/604`; its `name` unless given. */
  readonly part?: string;
} & (
  | { readonly kind: 'read'; readonly group: Group }
  | { readonly kind: 'unchanged'; readonly name: string }
  /** `game` is the group's, where it is known. */
  | ({ readonly kind: 'broken'; readonly game?: GameSlug } & BrokenPart)
);

/** One state of a source, as observed at one moment. */
export interface Snapshot {
  /** The name of the source in the registry. */
  readonly source: string;
  readonly games: readonly GameSlug[];
  /** The marketplace of all prices, for example `tcgplayer`. */
  readonly marketplace: string;
  /** When the newest prices were observed. */
  readonly observedAt: Millis;
  /** How many groups there are to read. */
  readonly groupCount: number;
  /**
   * Whether a part that is not among the groups has gone, so its earlier fault no longer matters.
   */
  covers?(part: string): boolean;
  /**
   * Reads the groups one by one, and the groups of a game in the order of `compareExternalIds`. If
   * one id fits two sets, the older set gets it, in any order of the source's list. A broken group
   * is an outcome and does not throw.
   */
  groups(known: KnownFiles): AsyncIterable<GroupOutcome>;
}
