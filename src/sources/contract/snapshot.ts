import type { Day, Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Currency, Observation } from '../../domain/observation.ts';
import type { DayPrices, PriceFigures } from '../../domain/price.ts';

/** What every source is turned into before the importer sees it. */

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

/** A card as its source describes it. */
export interface SourceCard {
  /** The source's own id of the card. */
  readonly externalId: string;
  readonly name: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
}

/** What a source says that one printing of a card is worth. */
export interface Listing {
  readonly externalId: string;
  readonly printing: string;
  readonly prices: PriceFigures;
  /** Earlier days, where the source gives them. */
  readonly earlierDays?: readonly DayPrices[];
}

/** One set with what was read of it; `unchanged` parts were the same at the last import. */
export interface Group {
  /** Whose ids the keys of the set and its cards are, for example `tcgcsv`. */
  readonly idSpace: string;
  readonly set: SourceSet;
  /** The moment that the source itself gives for these prices. */
  readonly observedAt: Millis;
  readonly cards: readonly SourceCard[] | 'unchanged';
  readonly listings: readonly Listing[];
  /** What was left out, counted by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly files: readonly SourceFile[];
}

/** A file of the source, remembered so that the next import can tell whether it changed. */
export interface SourceFile {
  readonly path: string;
  /** SHA-256 of what was read, hexadecimal. */
  readonly digest: string;
  /** The upstream's own validator, for conditional requests. */
  readonly etag: string | null;
}

/** How one group went. */
export type GroupOutcome =
  | { readonly kind: 'read'; readonly group: Group }
  | { readonly kind: 'unchanged'; readonly name: string }
  | { readonly kind: 'broken'; readonly name: string; readonly reason: string };

/** What the store remembers of a source's file. */
export interface KnownFile extends SourceFile {
  readonly observedAt: Millis;
}

/** Looks up what the last import remembered of a file. */
export type KnownFiles = (path: string) => KnownFile | undefined;

/** One state of a source, as observed at one moment. */
export interface Snapshot {
  /** The source that is read, by its name in the registry. */
  readonly source: string;
  readonly games: readonly GameSlug[];
  /** Where its prices come from, as callers of the API are told, for example `tcgplayer`. */
  readonly marketplace: string;
  /** The moment of its newest prices. */
  readonly observedAt: Millis;
  /** How many groups there are to read, once known. */
  readonly groupCount: number;
  /** Reads the groups one by one. A broken group is an outcome, never a throw. */
  groups(known: KnownFiles): AsyncIterable<GroupOutcome>;
}

/** What a source says that one printing of a card was worth on one day. */
export interface BackfillListing {
  readonly externalId: string;
  /** Undefined is the default printing of the card. */
  readonly printing: string | undefined;
  readonly day: Day;
  readonly prices: PriceFigures;
  /** Whose price it is, where it is not the `priceSource` of the past. */
  readonly marketplace?: string;
  /** Of all its amounts; US dollars unless told. */
  readonly currency?: Currency;
  /** Prices by condition and grade, where the source tells such; what it leaves out is unknown. */
  readonly conditions?: Observation['conditions'];
  readonly graded?: Observation['graded'];
}

/** Some of the listings of a part, with what of them could not be read. */
export interface BackfillChunk {
  readonly listings: readonly BackfillListing[];
  /** What was left out, counted by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
}

/** A part of a past: a day of an archive, a stretch of a file. */
export interface BackfillPart {
  /** Read as they are asked for, once. */
  readonly chunks: Iterable<BackfillChunk>;
  /** Remembered once all of the part is written, so that the next import can pass over it. */
  readonly file?: SourceFile & { readonly observedAt: Millis };
}

/** How one part went. */
export type BackfillOutcome = { readonly name: string } & (
  | { readonly kind: 'read'; readonly part: BackfillPart }
  | { readonly kind: 'unchanged' }
  /** The source does not have it. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'broken'; readonly reason: string }
);

/** How far the reading of a past is. */
export interface BackfillStep {
  readonly outcome: BackfillOutcome;
  /** What is done with this outcome, of the past's total. */
  readonly done: number;
}

/** Days of the past, and perhaps of the present, of cards that are known already. */
export interface Backfill {
  /** The source that is read, by its name in the registry. */
  readonly source: string;
  /** Whose ids the keys of cards are, for example `tcgcsv`; null for the public ids of cards. */
  readonly idSpace: string | null;
  /** Where its prices come from, as callers of the API are told, for example `tcgplayer`. */
  readonly marketplace: string;
  /** The figures that it tells. Of the others, what is known of a day stays as it is. */
  readonly figures: readonly (keyof PriceFigures)[];
  /** How much there is to read, in the source's own unit. */
  readonly total: number;
  /** Reads the parts one by one. A broken part is an outcome, never a throw. */
  parts(known: KnownFiles): AsyncIterable<BackfillStep>;
}
