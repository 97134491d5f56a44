import type { Millis } from '../../domain/day.ts';

/** An unreadable part of a source: a row, a record, a group or a file. */
export interface BrokenPart {
  /** Its position: `3/604/prices, row 12 (product 42346)`, `line 7`, a group's name. */
  readonly name: string;
  /** The wrong field with its value, or the reason why nothing can be read. */
  readonly reason: string;
}

/* Files of sources. The store remembers them, so no file is imported twice. */

/** A file that was read, as stored. */
export interface SourceFile {
  /** The name that identifies the file within its source; not necessarily a path on the disk. */
  readonly path: string;
  /** SHA-256 of the file's bytes and of the adapter's version, hexadecimal. */
  readonly digest: string;
  /** The upstream's validator for conditional requests, or null if it gives none. */
  readonly etag: string | null;
}

/** A remembered file with the moment at which its content was observed. */
export interface KnownFile extends SourceFile {
  readonly observedAt: Millis;
}

/** Returns the last import's record of a file, or undefined for an unknown file. */
export type KnownFiles = (path: string) => KnownFile | undefined;
