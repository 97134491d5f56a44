import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Observation } from '../../domain/observation.ts';
import type { BrokenPart } from './broken.ts';
import type { GradeMap } from './grades.ts';
import type { SourceFile } from './source-file.ts';

/**
 * Feeds: what a source reports of cards that the catalogue has already. An item describes a card
 * well enough to find it, and gives its prices.
 */

/** Numberings of cards that several sources share (docs/glossary.md#id-space). */
export type IdSpace = 'tcgplayer' | 'scryfall' | 'cardmarket';

/** How a source describes a card. Null stands for what the source does not give. */
export interface CardReference {
  /** The source's own id of the card, the same in all of its publications. */
  readonly externalId: string;
  readonly game: GameSlug;
  /** The name as the source writes it, without a number or a variant repeated in it. */
  readonly name: string;
  /** The collector number as the source writes it: `004/102`, `OP01-025`, `4`. */
  readonly number: string | null;
  readonly setCode: string | null;
  readonly setName: string | null;
  readonly rarity: string | null;
  /**
   * What distinguishes the card from others of its name and number, such as `Shadowless` or
   * `Alternate Art`; several are separated by commas. `Normal` is the plain card; null leaves it
   * open. An edition (`1st Edition`) stands here and in the printing of the observations, since
   * the first edition of Pokémon's Base Set is a card of another set in the catalogue. Other
   * printings do not stand here.
   */
  readonly variant: string | null;
  readonly externalIds: Readonly<Partial<Record<IdSpace, string>>>;
  /** All printings of the card, where the source knows that there are no others. */
  readonly printings: readonly string[] | null;
  /** The address of a picture. Like the release date, it fills a gap in the catalogue. */
  readonly image: string | null;
  /** When the set was released, `YYYY-MM-DD`. */
  readonly releaseDate: string | null;
}

/** A card with what a source observed of its prices; sources of catalogues observe none. */
export interface FeedItem {
  readonly card: CardReference;
  readonly observations: readonly Observation[];
}

/** Some items of a feed, with what could not be read among them. */
export interface FeedBatch {
  readonly items: readonly FeedItem[];
  /** Counts of what was left out on purpose, by reason, for example `digital card`. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Records that could not be read, by name. They do not stop the feed. */
  readonly broken: readonly BrokenPart[];
  /** How much of the feed's total is read, in its unit. */
  readonly done: number;
}

/** One state of a source of prices, as observed at one moment. */
export interface Feed {
  /** The name of the source in the registry. */
  readonly source: string;
  /** When the prices were observed, according to the operator, the source or the file. */
  readonly observedAt: Millis;
  /** How much there is to read, in `unit`. */
  readonly total: number;
  readonly unit: 'KB' | 'cards';
  /** Remembered when the whole feed is written, so that the same file is not imported twice. */
  readonly file: SourceFile | null;
  /**
   * Reads the items, some hundred at a time, in constant memory.
   *
   * @throws OperatorError when the file as a whole is not what it should be. Then nothing of it is
   * written, batches before that included.
   */
  batches(): AsyncIterable<FeedBatch>;
}

/** How a feed is to be read. */
export interface FeedOptions {
  readonly now: Millis;
  /** The games to read; null reads all that the source has. */
  readonly games: readonly GameSlug[] | null;
  /** When the prices were observed, if the operator gives it. */
  readonly observedAt: Millis | null;
  /** Further files that some sources need, by their name: MTGJSON's `identifiers`. */
  readonly files: Readonly<Record<string, string>>;
  /** Which company's grades the operator takes generic grades for; none unless given. */
  readonly grades?: GradeMap;
}

/**
 * Opens a file or a folder of a source.
 *
 * @throws OperatorError when it cannot be read or belongs to something else.
 */
export type OpenFeed = (location: string, options: FeedOptions) => Promise<Feed>;
