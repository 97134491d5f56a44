import type { Millis } from '../../domain/day.ts';
import type { OpenFeed } from './feed.ts';

/** How a source describes itself in the registry. */
export interface SourceEntry {
  /** The name in commands, in settings and in the table of `src/domain/sources.ts`. */
  readonly name: string;
  /** What the source gives, in a sentence. */
  readonly summary: string;
  /** What follows the name in a `cardprice import`, such as `cardinfo.json`. */
  readonly example: string;
}

/** A source that `cardprice import <name>` reads as a feed. */
export interface FeedSource extends SourceEntry {
  readonly open: OpenFeed;
  /** Which files can be opened, in a sentence. */
  readonly takes: string;
  /** Further files: what each one is, by the name of its flag. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the source has grades of no particular company, which `--grade` maps. */
  readonly hasGenericGrades?: boolean;
  /** Where `cardprice sync` downloads the files, if it can. */
  readonly remote?: Remote;
}

/**
 * Where a source publishes its files, and its rules for requests. Descriptions only: `cardprice
 * sync` makes the requests.
 */
export interface Remote {
  /** The address that all paths start from, such as `https://api.scryfall.com`. */
  readonly base: string;
  /** Milliseconds between two requests. */
  readonly pauseMs: number;
  /** Requests per day that the source allows, where it sets a limit. */
  readonly requestsADay?: number;
  /** How an API key is sent, where the source has API keys. */
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
  /** Whether the source requires an API key. Without one, it is not asked. */
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
  /** The file's name on our disk. Readers may recognise a file by it: `AllPrices.json`. */
  readonly saveAs: string;
  /** The largest plausible size in bytes, unpacked; anything larger is refused. */
  readonly maxBytes: number;
  /** Whether the reader accepts a packed file, which is then saved as `….gz`. */
  readonly gzip?: boolean;
}

/**
 * A short file that lists the available files. Nothing else is requested unless its version is new.
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

/** The files that a listing names. */
export interface ListedFiles {
  /** A date or a version that changes whenever the content does. */
  readonly version: string;
  /** When the prices were observed, or null where the listing does not give it. */
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
