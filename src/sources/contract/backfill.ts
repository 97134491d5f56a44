import type { Day, Millis } from '../../domain/day.ts';
import type { Currency, Observation } from '../../domain/observation.ts';
import type { PriceFigures } from '../../domain/price.ts';
import type { BrokenPart, KnownFiles, SourceFile } from './files.ts';

/** Backfills: prices of past days, and possibly of today, for cards in the catalogue. */

/** A source's prices of one printing on one day. */
export interface BackfillListing {
  readonly externalId: string;
  /** Undefined for the card's default printing. */
  readonly printing: string | undefined;
  readonly day: Day;
  readonly prices: PriceFigures;
  /** The marketplace, if it differs from the {@link Backfill}'s. */
  readonly marketplace?: string;
  /** The currency of all amounts; US dollars by default. */
  readonly currency?: Currency;
  /** Prices by condition and by grade, if the source has any; missing ones are unknown. */
  readonly conditions?: Observation['conditions'];
  readonly graded?: Observation['graded'];
  /** Buy price and sales, if the source has any. */
  readonly trade?: Observation['trade'];
}

/** Some listings of a part, and its unreadable ones. */
export interface BackfillChunk {
  readonly listings: readonly BackfillListing[];
  /** Counts of deliberate omissions, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly broken: readonly BrokenPart[];
}

/** A part of a backfill: a day of an archive, or some thousand rows of a file. */
export interface BackfillPart {
  /** Reads the listings; may be iterated once. */
  readonly chunks: Iterable<BackfillChunk>;
  /** Marked as imported once the whole part is written, so the next import skips it. */
  readonly file?: SourceFile & { readonly observedAt: Millis };
}

/** The outcome of reading one part. */
export type BackfillOutcome = { readonly name: string } & (
  | { readonly kind: 'read'; readonly part: BackfillPart }
  | { readonly kind: 'unchanged' }
  /** The source does not have the part. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'broken'; readonly reason: string }
);

/** An outcome with the progress of the backfill. */
export interface BackfillStep {
  readonly outcome: BackfillOutcome;
  /** The finished share of the backfill's total after this outcome. */
  readonly done: number;
}

/** Prices of many days from one source. */
export interface Backfill {
  /** The name of the source in the registry. */
  readonly source: string;
  /** The id space of the listings' external ids, such as `tcgcsv`; null for our public card ids. */
  readonly idSpace: string | null;
  /** The marketplace of listings that name none, for example `tcgplayer`. */
  readonly marketplace: string;
  /** The figures that the source reports. Stored values of the others stay unchanged. */
  readonly figures: readonly (keyof PriceFigures)[];
  /** The amount to read, in the source's own unit. */
  readonly total: number;
  /** Reads the parts one by one. A broken part is an outcome and does not throw. */
  parts(known: KnownFiles): AsyncIterable<BackfillStep>;
}
