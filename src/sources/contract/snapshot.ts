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
  /** `YYYY-MM-DD`, or null if the source does not know. */
  readonly releaseDate: string | null;
}

/** A source's description of a card or product. */
export interface SourceCard {
  /** The source's own id of the card. */
  readonly externalId: string;
  readonly name: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
  /** Absent for a card. */
  readonly product?: ProductFacts;
  /** Only for cards, if the source has any. */
  readonly facts?: CardFacts;
}

/** A source's prices of one printing of a card. */
export interface Listing {
  readonly externalId: string;
  readonly printing: string;
  readonly prices: PriceFigures;
  /** Earlier days, if the source gives them. */
  readonly earlierDays?: readonly DayPrices[];
}

/** One set with its cards and prices. Parts that the last import read are `unchanged`. */
export interface Group {
  /** The id space of the external ids of the set and of its cards, for example `tcgcsv`. */
  readonly idSpace: string;
  readonly set: SourceSet;
  /** When the prices were observed, according to the source. */
  readonly observedAt: Millis;
  readonly cards: readonly SourceCard[] | 'unchanged';
  readonly listings: readonly Listing[];
  /** Counts of deliberate omissions, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The files to mark as imported, so the next import skips them, unless there are bad rows. */
  readonly files: readonly SourceFile[];
  /** Unreadable rows, which are omitted. */
  readonly badRows?: readonly BrokenPart[];
  /**
   * The external ids of cards with an unreadable price. Their unlisted printings keep their last
   * price. Null stands for a row whose card is unknown; all unlisted printings of the set then keep
   * theirs.
   */
  readonly unreadPrices?: ReadonlySet<string | null>;
}

/** The outcome of reading one group. */
export type GroupOutcome = {
  /** The group's permanent name within its source, such as `3/604`; its `name` by default. */
  readonly part?: string;
} & (
  | { readonly kind: 'read'; readonly group: Group }
  | { readonly kind: 'unchanged'; readonly name: string }
  /** `game` is the group's game, if known. */
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
  /** The number of groups to read. */
  readonly groupCount: number;
  /**
   * Whether a part that is not among the groups no longer exists, so its earlier fault no longer
   * matters.
   */
  covers?(part: string): boolean;
  /**
   * Reads the groups one by one, and the groups of a game in the order of `compareExternalIds`. If
   * one id fits two sets, the older set gets it, in any order of the source's list. A broken group
   * is an outcome and does not throw.
   */
  groups(known: KnownFiles): AsyncIterable<GroupOutcome>;
}
