import type { Origins, ServedPrices } from '../../domain/card.ts';
import type { CopyName } from '../../domain/copy.ts';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { DayPrices, Provenance } from '../../domain/price.ts';
import type { ProductFacts } from '../../domain/products.ts';
import type { KnownFile, KnownFiles } from './files.ts';

/** The data that bulk files give to the importer: a catalogue as it was served. */

export interface BulkSet {
  /** The public id. */
  readonly id: string;
  readonly game: GameSlug;
  readonly code: string;
  readonly name: string;
  readonly releaseDate: string | null;
}

export interface BulkCard {
  /** The public id. */
  readonly id: string;
  /** The public id of its set. */
  readonly setId: string;
  readonly name: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
  /** Undefined for a card. */
  readonly product: ProductFacts | undefined;
  readonly externalIds: readonly { readonly idSpace: string; readonly externalId: string }[];
  readonly printings: readonly BulkPrinting[];
}

/** A printing with its served prices. */
export interface BulkPrinting {
  readonly name: string;
  readonly prices: ServedPrices;
  /** Undefined if all prices are from one marketplace. */
  readonly origins: Origins | undefined;
  /** The sources that report it. */
  readonly sources: readonly string[];
}

/** A day of a printing, or of one condition or grade of it. */
export interface BulkDay {
  /** The public id of the card. */
  readonly card: string;
  readonly printing: string;
  readonly copy: CopyName | undefined;
  readonly prices: DayPrices;
  /** One object for all days of one provenance. */
  readonly provenance: Provenance;
}

/** Rows of one file. A card's rows are never divided. */
export type BulkRows =
  | { readonly type: 'sets'; readonly sets: readonly BulkSet[] }
  | { readonly type: 'cards'; readonly cards: readonly BulkCard[] }
  | { readonly type: 'history'; readonly days: readonly BulkDay[] };

/** A file that was read to its end. */
export interface BulkFileEnd {
  readonly type: 'end';
  /** Whether the file is the one that was imported before. */
  readonly isUnchanged: boolean;
  readonly file: KnownFile;
}

/** The bulk files of one publication. */
export interface BulkSource {
  /** When it was published; null if unknown. */
  readonly observedAt: Millis | null;
  readonly fileCount: number;
  /**
   * Reads sets, then cards, then the history. Skips files that are already known.
   * @throws OperatorError for a row that does not belong in a bulk file.
   */
  read(known: KnownFiles): AsyncIterable<BulkRows | BulkFileEnd>;
}
