import type { Millis } from '../../domain/day.ts';

/** A part of a source that could not be read: a row, a record, a group or a file. */
export interface BrokenPart {
  /** Where it is: `3/604/prices, row 12 (product 42346)`, `line 7`, a group's name. */
  readonly name: string;
  /** Which field is wrong and what was found there, or why nothing can be read. */
  readonly reason: string;
}

/* Files of sources, which the store remembers so that no file is imported twice. */

/** A file that was read, as the store remembers it. */
export interface SourceFile {
  /** The name that identifies the file within its source; not necessarily a path on the disk. */
  readonly path: string;
  /** SHA-256 of the file's bytes and of the adapter's version, hexadecimal. */
  readonly digest: string;
  /** The upstream's validator for conditional requests, or null where it gives none. */
  readonly etag: string | null;
}

/** A remembered file with the moment at which its content was observed. */
export interface KnownFile extends SourceFile {
  readonly observedAt: Millis;
}

/** Returns what the last import remembered of a file, or undefined for an unknown file. */
export type KnownFiles = (path: string) => KnownFile | undefined;
