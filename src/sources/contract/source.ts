import type { OpenFeed } from './feed.ts';
import type { Remote } from './remote.ts';

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
