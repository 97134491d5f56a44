import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The position of a record in a spool. */
export interface Place {
  /** In bytes. */
  readonly at: number;
  readonly length: number;
}

/** Bytes that are written to the file at once. A smaller spool needs no file. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * Keeps more records (bytes) than fit in memory, in a private temporary file. The name of the file
 * is removed once it is open, so the file disappears however the process ends.
 */
export class Spool {
  readonly #folder: string;
  #file: number | undefined;
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The used bytes of the chunk, and the bytes in the file. */
  #used = 0;
  #written = 0;

  /** `folder` is the folder for the temporary file. */
  constructor(folder = tmpdir()) {
    this.#folder = folder;
  }

  /**
   * Adds a record and returns its position.
   *
   * @throws Error (ENOSPC and others) if the file cannot be written.
   */
  add(record: Uint8Array): Place {
    const { length } = record;
    if (this.#used + length > this.#chunk.length) this.#flush();
    if (length > this.#chunk.length) this.#chunk = Buffer.allocUnsafe(length);
    const at = this.#written + this.#used;
    this.#chunk.set(record, this.#used);
    this.#used += length;
    return { at, length };
  }

  /** Returns a copy of the record at a position from `add`. */
  read({ at, length }: Place): Buffer<ArrayBuffer> {
    const record = Buffer.alloc(length);
    if (at >= this.#written) {
      this.#chunk.copy(record, 0, at - this.#written, at - this.#written + length);
      return record;
    }
    for (let read = 0; read < length; ) {
      const count = readSync(this.#open(), record, read, length - read, at + read);
      if (count === 0) throw new RangeError(`the spool ends before ${at + length}`);
      read += count;
    }
    return record;
  }

  /** Removes all records. Do not use the spool after this. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #flush(): void {
    for (let from = 0; from < this.#used; ) {
      from += writeSync(this.#open(), this.#chunk, from, this.#used - from);
    }
    this.#written += this.#used;
    this.#used = 0;
  }

  #open(): number {
    this.#file ??= openNameless(this.#folder);
    return this.#file;
  }
}

/** Opens a new file that only its owner may read, and removes its name. */
function openNameless(folder: string): number {
  const own = mkdtempSync(join(folder, 'cardprice-'));
  try {
    return openSync(join(own, 'spool'), 'wx+', 0o600);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
