import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Observation } from '../../domain/observation.ts';
import type { GradeMap } from './grades.ts';
import type { KnownFiles, SourceFile } from './source-file.ts';

/** What sources say about cards that the catalogue has already: whom they mean, and its prices. */

/** Ids of cards that several sources share. */
export type IdSpace = 'tcgplayer' | 'scryfall' | 'cardmarket';

/** How a source describes a card. Whatever it does not tell is null. */
export interface CardReference {
  /** The source's own id of the card, the same in all of its publications. */
  readonly externalId: string;
  readonly game: GameSlug;
  /** As the source writes it, without a number or a variant that it repeats in the name. */
  readonly name: string;
  /** As printed, as far as the source tells: `004/102`, `OP01-025`, `4`. */
  readonly number: string | null;
  readonly setCode: string | null;
  readonly setName: string | null;
  readonly rarity: string | null;
  /**
   * What tells it from others of its name and number, such as `Shadowless` or `Alternate Art`;
   * several with a comma between. `Normal` says that it is the plain one, null says nothing. An
   * edition (`1st Edition`) belongs here as well as in the printing of its quotes: the first
   * edition of Pokémon's Base Set is a card of another set of ours. Other printings do not.
   */
  readonly variant: string | null;
  readonly externalIds: Readonly<Partial<Record<IdSpace, string>>>;
  /** Every printing that the card has, where the source knows that there are no others. */
  readonly printings: readonly string[] | null;
  /** Facts that fill in what the catalogue does not know. */
  readonly image: string | null;
  /** `YYYY-MM-DD`, of the set. */
  readonly releaseDate: string | null;
}

/** A card with all that a source says that it is worth; a catalogue source says nothing. */
export interface FeedItem {
  readonly card: CardReference;
  readonly observations: readonly Observation[];
}

/** Some of the offers of a feed, with what of them could not be read. */
export interface FeedBatch {
  readonly items: readonly FeedItem[];
  /** What was left out on purpose, counted by reason, for example `digital card`. */
  readonly skipped: Readonly<Record<string, number>>;
  /** What could not be read, by name: the rest goes on. */
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
  /** How much of the feed's total is read. */
  readonly done: number;
}

/** One state of a source of prices, as observed at one moment. */
export interface Feed {
  /** The source that is read, by its name in the table of sources. */
  readonly source: string;
  /** The moment that the source gives for it, or of the file that it came in. */
  readonly observedAt: Millis;
  /** How much there is to read, in `unit`. */
  readonly total: number;
  readonly unit: 'KB' | 'cards';
  /** Remembered when all is written, so that the same file is not read twice. */
  readonly file: SourceFile | null;
  /**
   * Reads the offers, some hundred at a time, in constant memory.
   *
   * @throws OperatorError when the file as a whole is not what it should be; what came before
   * stays as it is in the store, and nothing of it is published.
   */
  batches(): AsyncIterable<FeedBatch>;
}

/** What the reader of a feed is told. */
export interface FeedOptions {
  readonly now: Millis;
  /** Only these games; all that the source has unless told. */
  readonly games: readonly GameSlug[] | null;
  /** When the prices were observed, if the operator says so. */
  readonly observedAt: Millis | null;
  /** Further files that some sources need, by their name: MTGJSON's `identifiers`. */
  readonly files: Readonly<Record<string, string>>;
  /** What the operator takes grades of no particular company for; nothing unless told. */
  readonly grades?: GradeMap;
  readonly known: KnownFiles;
}

/** Opens a file of a source. */
export type OpenFeed = (location: string, options: FeedOptions) => Promise<Feed>;
