import type { GameSlug } from './games.ts';

/** Bulk files: the whole catalogue and its history as files that other programs read. */

export const BULK_TYPES = ['sets', 'cards', 'prices', 'history'] as const;
export type BulkType = (typeof BULK_TYPES)[number];

/** The formats, with the endings of their files. */
export const BULK_FORMATS = { ndjson: 'ndjson.gz', csv: 'csv.gz', parquet: 'parquet' } as const;
export type BulkFormat = keyof typeof BULK_FORMATS;

/** A bulk file as the list describes it. */
export interface BulkFile {
  readonly type: BulkType;
  /** Null for a file of all games. */
  readonly game: GameSlug | null;
  /** `YYYY-MM`; only for `history`. */
  readonly month?: string;
  readonly format: BulkFormat;
  readonly rows: number;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** A digest of its rows, hexadecimal; only for `history`. */
  readonly rowsSha256?: string;
  /** The number of the publication that first had these rows. */
  readonly publication: number;
  /** When it was published; null if that was not recorded. */
  readonly updatedAt: string | null;
  /** Relative to the list. The file at this path never changes. */
  readonly url: string;
  /** The sources of the prices in it, in alphabetical order. */
  readonly sources: readonly string[];
}

/** The name of the list, next to the folders of the files. */
export const BULK_LIST = 'bulk.json';
export const BULK_SIGNATURE = `${BULK_LIST}.sig`;

/** The content of the list. */
export interface BulkList {
  /**
   * Together with the changes in `/v1/changes` after this cursor, the files equal those of a later
   * publication.
   */
  readonly cursor: string;
  readonly data: readonly BulkFile[];
}
