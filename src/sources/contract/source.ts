import type { Millis } from '../../domain/day.ts';
import type { OpenFeed } from './feed.ts';

/** A source's description of itself in the registry. */
export interface SourceEntry {
  /** The name in commands, in settings and in the table of `src/domain/sources.ts`. */
  readonly name: string;
  /** A sentence about the content of the source. */
  readonly summary: string;
  /** The arguments after the name in `cardprice import`, such as `cardinfo.json`. */
  readonly example: string;
}

/** A source that `cardprice import <name>` reads as a feed. */
export interface FeedSource extends SourceEntry {
  readonly open: OpenFeed;
  /** A sentence about the files that can be opened. */
  readonly takes: string;
  /** Further files: their descriptions, by the names of their flags. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the source has grades without a particular company, which `--grade` maps. */
  readonly hasGenericGrades?: boolean;
  /** The source's files for `cardprice sync`, if it can download them. */
  readonly remote?: Remote;
}

/**
 * Where a source publishes its files, and its rules for requests. This is only a description:
 * `cardprice sync` makes the requests.
 */
export interface Remote {
  /** The base address of all paths, such as `https://api.scryfall.com`. */
  readonly base: string;
  /** Milliseconds between two requests. */
  readonly pauseMs: number;
  /** Requests per day that the source allows, if it sets a limit. */
  readonly requestsADay?: number;
  /** How an API key is sent, if the source uses API keys. */
  readonly key?: RemoteKey;
  /** Hours between two pulls of a source that cannot report whether anything has changed. */
  readonly everyHours?: number;
  readonly content: RemoteContent;
}

/** How an API key is sent. */
export interface RemoteKey {
  readonly in: 'header' | 'query';
  /** The name of the header or of the query parameter. */
  readonly name: string;
  /** Whether the source requires an API key. Without one, no requests are sent. */
  readonly required: boolean;
}

/** One of the three ways in which sources publish. */
export type RemoteContent = RemoteFiles | RemoteListing | RemotePages;

/** A file at a fixed address, whose own headers show whether it has changed. */
export interface RemoteFiles {
  readonly kind: 'files';
  readonly main: RemoteFile;
  /** Further files, by the names of `FeedOptions.files`; downloaded when the main file is new. */
  readonly further?: Readonly<Record<string, RemoteFile>>;
}

export interface RemoteFile {
  /** A path below the base, or the whole address of a file on another host. */
  readonly path: string;
  /** The file's name on our disk. Readers may recognise a file by its name: `AllPrices.json`. */
  readonly saveAs: string;
  /** The largest plausible size in bytes, unpacked; anything larger is refused. */
  readonly maxBytes: number;
  /** Whether the reader accepts a packed file, which is then saved as `….gz`. */
  readonly gzip?: boolean;
}

/**
 * A short file that lists the available files. Other files are requested only if its version is
 * new.
 */
export interface RemoteListing {
  readonly kind: 'listing';
  readonly path: string;
  /**
   * Reads the listing.
   *
   * @throws OperatorError if the listing is malformed.
   */
  parse(listing: Uint8Array): ListedFiles;
}

/** The files in a listing. */
export interface ListedFiles {
  /** A date or a version that changes whenever the content does. */
  readonly version: string;
  /** When the prices were observed, or null if the listing does not give it. */
  readonly observedAt: Millis | null;
  readonly main: RemoteFile;
  readonly further?: Readonly<Record<string, RemoteFile>>;
}

/** Many small responses, whose items are collected in one file, `{"data":[…]}`. */
export interface RemotePages {
  readonly kind: 'pages';
  readonly saveAs: string;
  /**
   * Goes through all pages: yields the path of the next request, receives its response as parsed
   * JSON, and passes every item of interest to `keep`.
   *
   * @throws OperatorError if a response is malformed.
   */
  crawl(keep: (item: unknown) => void): Generator<string, void, unknown>;
}
