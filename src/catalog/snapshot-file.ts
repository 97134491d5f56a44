import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeColumns, encodeColumns } from '../lib/columns.ts';
import { SAVED_INDEX, type SavedIndex } from '../search/index.ts';

/** The header line has this many bytes. It names the program and the publication. */
const HEADER_BYTES = 128;

/** The file ends with a SHA-256 of everything before it. */
const CHECKSUM_BYTES = 32;

/** The largest possible file; 116,000 cards need 9 MB. */
const MAX_BYTES = 512 * 1024 * 1024;

/** After this many milliseconds an unfinished file belongs to a process that was killed. */
const ABANDONED_MS = 10 * 60 * 1000;

/** The pause for requests between two pieces of work of less than a millisecond. */
const PAUSE_MS = 4;

export interface SnapshotFileOptions {
  readonly path: string;
  /** The name of the indexing program. An index saved by a different program is not used. */
  readonly program: string;
  /** Called with the reason when a file is dropped. */
  readonly onDrop: (reason: string) => void;
}

/**
 * The file in which a process saves its search index for the next start. It does not contain the
 * cards: all served data come from the database (docs/adr/0002).
 */
export class SnapshotFile {
  readonly #options: SnapshotFileOptions;

  constructor(options: SnapshotFileOptions) {
    this.#options = options;
  }

  /** Returns the saved index; undefined if there is no file or it was dropped. */
  read(): SavedIndex | undefined {
    try {
      const bytes = readPrivateFile(this.#options.path);
      return bytes && this.#decode(bytes);
    } catch (error) {
      this.drop(error);
      return undefined;
    }
  }

  /** Removes a file that cannot be used. */
  drop(error: unknown): void {
    this.#options.onDrop(error instanceof Error ? error.message : String(error));
    // If this fails, the next write replaces the file, or fails as well and reports it.
    try {
      rmSync(this.#options.path);
    } catch {}
  }

  /** Whether a process has saved the publication with this id. */
  async has(publication: string): Promise<boolean> {
    const file = await open(this.#options.path).catch(() => undefined);
    if (!file) return false;
    try {
      const { buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES);
      return buffer.equals(this.#header(publication));
    } finally {
      await file.close();
    }
  }

  /**
   * Writes a file and replaces the last one with it. Returns false if another process is writing
   * one.
   *
   * @throws Error if it cannot be written. The last file is then unchanged.
   */
  async write(publication: string, saved: SavedIndex): Promise<boolean> {
    const unfinished = `${this.#options.path}.new`;
    const file = await openNew(unfinished);
    if (!file) return false;
    try {
      await writeWithChecksum(file, this.#body(publication, saved));
      await rename(unfinished, this.#options.path);
      return true;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  *#body(publication: string, saved: SavedIndex): Generator<Uint8Array> {
    yield this.#header(publication);
    yield* encodeColumns(SAVED_INDEX, saved);
  }

  #header(publication: string): Buffer {
    const line = `cardprice snapshot by ${this.#options.program} of publication ${publication}`;
    return Buffer.from(`${line.padEnd(HEADER_BYTES - 1)}\n`);
  }

  #decode(bytes: Buffer): SavedIndex {
    const body = bytes.subarray(0, -CHECKSUM_BYTES);
    if (!hash('sha256', body, 'buffer').equals(bytes.subarray(body.length))) {
      throw new RangeError('It is damaged.');
    }
    const [prefix] = this.#header('').toString().split(' of publication');
    if (!body.toString('utf8', 0, HEADER_BYTES).startsWith(`${prefix} of`)) {
      throw new RangeError('Another version of the program made it.');
    }
    return decodeColumns(SAVED_INDEX, body.subarray(HEADER_BYTES));
  }
}

/** @throws Error if others could have written the file, or if it is not a snapshot. */
function readPrivateFile(path: string): Buffer | undefined {
  const file = openIfThere(path);
  if (file === undefined) return undefined;
  try {
    requirePrivate(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function requirePrivate(stats: Stats): void {
  if (!stats.isFile()) throw new TypeError('It is not a file.');
  if (process.getuid && (stats.uid !== process.getuid() || (stats.mode & 0o022) !== 0)) {
    throw new RangeError('Others than the user of this process can write to it.');
  }
  if (stats.size > MAX_BYTES) throw new RangeError('It is too large.');
}

/** Creates a file owned by this process; undefined while another process writes to it. */
async function openNew(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path, { force: true });
    return undefined;
  }
}

async function writeWithChecksum(file: FileHandle, pieces: Iterable<Uint8Array>): Promise<void> {
  const checksum = createHash('sha256');
  try {
    for (const piece of pieces) {
      checksum.update(piece);
      await file.writeFile(piece);
      await sleep(PAUSE_MS);
    }
    await file.writeFile(checksum.digest());
    await file.datasync();
  } finally {
    await file.close();
  }
}
