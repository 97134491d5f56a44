import type { Millis } from '../../domain/day.ts';

/**
 * Where a source publishes what is read of it, and how it wants to be asked. `cardprice sync`
 * does the asking; nothing in here does.
 */
export interface Remote {
  /** What all paths are below, such as `https://api.scryfall.com`, unless the operator has another. */
  readonly base: string;
  /** Milliseconds between two requests. */
  readonly pauseMs: number;
  /** Requests that the source allows a day, where it says so. */
  readonly requestsADay?: number;
  /** How the key travels, where the source has keys. */
  readonly key?: RemoteKey;
  /**
   * Hours from one pull to the next, for a source that cannot tell whether it has something new:
   * it is not asked at all before.
   */
  readonly everyHours?: number;
  readonly content: RemoteContent;
}

export interface RemoteKey {
  readonly in: 'header' | 'query';
  /** Of the header or of the parameter. */
  readonly name: string;
  /** Without one the source is not asked. */
  readonly required: boolean;
}

/** Either of the three ways in which sources publish. */
export type RemoteContent = RemoteFiles | RemoteListing | RemotePages;

/** A file at an address of its own, which says by itself whether it has changed. */
export interface RemoteFiles {
  readonly kind: 'files';
  readonly main: RemoteFile;
  /** Files that are read besides, by the names of `FeedOptions.files`; got when the main one is new. */
  readonly further?: Readonly<Record<string, RemoteFile>>;
}

export interface RemoteFile {
  /** Below the base; an address where it is elsewhere. */
  readonly path: string;
  /** What it is called on our disk, by which the reader may tell what it is: `AllPrices.json`. */
  readonly saveAs: string;
  /** More than this, unpacked, cannot be right. */
  readonly maxBytes: number;
  /** Whether the reader takes it packed too; it is then called `….gz`. */
  readonly gzip?: boolean;
}

/** A short file that says what there is: nothing more is asked unless that is new. */
export interface RemoteListing {
  readonly kind: 'listing';
  readonly path: string;
  /**
   * Reads the listing.
   *
   * @throws OperatorError when it is not what it should be.
   */
  parse(listing: Uint8Array): ListedFiles;
}

export interface ListedFiles {
  /** Changes when the content does: a date, a version. */
  readonly version: string;
  /** When the prices were observed, if the listing tells. */
  readonly observedAt: Millis | null;
  readonly main: RemoteFile;
  readonly further?: Readonly<Record<string, RemoteFile>>;
}

/** Many small answers. What they hold is gathered in one file, `{"data":[…]}`. */
export interface RemotePages {
  readonly kind: 'pages';
  readonly saveAs: string;
  /**
   * Goes through all answers: yields the path of the next request, is given its answer as parsed
   * JSON, and hands what is worth keeping to `keep`.
   *
   * @throws OperatorError when an answer is not what it should be.
   */
  crawl(keep: (item: unknown) => void): Generator<string, void, unknown>;
}
