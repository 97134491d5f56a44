import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Millis } from '../domain/day.ts';
import { type Picture, pictureOf } from './picture-types.ts';

export interface PictureCacheOptions {
  readonly folder: string;
  readonly logger: Logger;
  readonly clock: () => Millis;
  /** The maximum bytes of all files; {@link MAX_BYTES} by default. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 256 * 1024 * 1024;
/** Milliseconds after which a picture is fetched again. */
export const PICTURE_LIFETIME: Millis = 7 * 24 * 3_600_000;
/** The share of the limit that is written between two sweeps, and the share that a sweep leaves. */
const SWEEP_SHARE = 1 / 16;
const SWEPT_SHARE = 7 / 8;

/** A file of the cache: its size, and its last read. */
interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly readAt: Millis;
}

/**
 * Keeps pictures in a private folder that several processes share and that may be deleted at any
 * time. The names of its files are digests. A file is written under another name and renamed, so no
 * process reads half a file. Its modification time is when it was fetched; its access time is when
 * it was last read.
 *
 * After each sixteenth of the limit that it writes, a process removes the least recently read
 * files. So the files exceed the limit by at most that much for each process. Any failure, such as
 * writing to a full disk, is logged at `debug`, and the picture is fetched instead.
 */
export class PictureCache {
  readonly #options: Required<PictureCacheOptions>;
  #ready: Promise<boolean> | undefined;
  /** Bytes written since the last sweep. The first write sweeps files of earlier processes. */
  #written = Number.POSITIVE_INFINITY;
  #sweeping: Promise<void> | undefined;

  constructor(options: PictureCacheOptions) {
    this.#options = { maxBytes: MAX_BYTES, ...options };
  }

  /** Returns the picture kept under a key; undefined if there is no fresh one. */
  async read(key: string): Promise<Picture | undefined> {
    if (!(await this.#isReady())) return undefined;
    const path = this.#pathOf(key);
    const now = this.#options.clock();
    try {
      const { mtimeMs } = await lstat(path);
      if (now - mtimeMs >= PICTURE_LIFETIME) return undefined;
      const picture = pictureOf(await readFile(path));
      await utimes(path, new Date(now), new Date(mtimeMs));
      return picture;
    } catch (err) {
      if (!isMissing(err)) this.#log(err, 'a kept picture could not be read');
      return undefined;
    }
  }

  /** Keeps a picture under a key. Also resolves if that fails. */
  async write(key: string, { bytes }: Picture): Promise<void> {
    if (!(await this.#isReady())) return;
    const path = this.#pathOf(key);
    const aside = `${path}.${randomUUID()}`;
    try {
      await writeFile(aside, bytes, { mode: 0o600, flag: 'wx' });
      const now = new Date(this.#options.clock());
      await utimes(aside, now, now);
      await rename(aside, path);
      this.#written += bytes.length;
      await this.#sweepIfDue();
    } catch (err) {
      this.#log(err, 'a picture could not be kept');
      // Somebody may have deleted the folder.
      if (isMissing(err)) this.#ready = undefined;
      await rm(aside, { force: true }).catch(() => {});
    }
  }

  #pathOf(key: string): string {
    return join(this.#options.folder, createHash('sha256').update(key).digest('hex'));
  }

  /**
   * Creates the folder once. Does not use a folder that somebody else owns, or a link to another
   * folder.
   */
  #isReady(): Promise<boolean> {
    this.#ready ??= this.#makeFolder();
    return this.#ready;
  }

  async #makeFolder(): Promise<boolean> {
    const { folder } = this.#options;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const stats = await lstat(folder);
      return stats.isDirectory() && (!process.getuid || stats.uid === process.getuid());
    } catch (err) {
      this.#log(err, 'there is no folder for pictures');
      return false;
    }
  }

  async #sweepIfDue(): Promise<void> {
    if (this.#written < this.#options.maxBytes * SWEEP_SHARE) return;
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    this.#written = 0;
    const entries = (await this.#entries()).sort((a, b) => b.readAt - a.readAt);
    const { maxBytes } = this.#options;
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= maxBytes) return;
    while (total > maxBytes * SWEPT_SHARE) {
      const oldest = entries.pop();
      if (!oldest) return;
      await rm(oldest.path, { force: true });
      total -= oldest.bytes;
    }
  }

  async #entries(): Promise<Entry[]> {
    const { folder } = this.#options;
    const entries: Entry[] = [];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // Another process may have removed it.
      const stats = await lstat(path).catch(() => undefined);
      if (stats?.isFile()) entries.push({ path, bytes: stats.size, readAt: stats.atimeMs });
    }
    return entries;
  }

  #log(err: unknown, message: string): void {
    this.#options.logger.debug({ err, folder: this.#options.folder }, message);
  }
}

function isMissing(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ENOENT';
}
