import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { DayPrices, PriceQuad } from '../domain/price.ts';

/** What every source is turned into before the importer sees it. */

/** A set as its source describes it. */
export interface SourceSet {
  /** The source's own id of the set. */
  readonly key: string;
  readonly game: GameSlug;
  readonly code: string;
  readonly name: string;
  /** `YYYY-MM-DD`, or null where the source does not know. */
  readonly releaseDate: string | null;
}

/** A card as its source describes it. */
export interface SourceCard {
  /** The source's own id of the card. */
  readonly key: string;
  readonly name: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
}

/** What a source says that one printing of a card is worth. */
export interface Listing {
  readonly cardKey: string;
  readonly printing: string;
  readonly prices: PriceQuad;
  /** Earlier days, where the source gives them. */
  readonly past?: readonly DayPrices[];
}

/** One set with what was read of it; `unchanged` parts were the same at the last import. */
export interface Group {
  /** Whose ids the keys of the set and its cards are, for example `tcgcsv`. */
  readonly ids: string;
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
  readonly priceSource: string;
  /** The moment of its newest prices. */
  readonly observedAt: Millis;
  /** How many groups there are to read, once known. */
  readonly groupCount: number;
  /** Reads the groups one by one. A broken group is an outcome, never a throw. */
  groups(known: KnownFiles): AsyncIterable<GroupOutcome>;
}
