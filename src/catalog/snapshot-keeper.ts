import { setTimeout as sleep } from 'node:timers/promises';
import type { SavedIndex, SearchIndex } from '../search/index.ts';
import type { Catalog } from './catalog.ts';
import type { SnapshotFile } from './snapshot-file.ts';

/** Interval between checks for changes of the index, in milliseconds. */
const CHECK_MS = 10_000;

/** The pause between two steps, which leaves most of the time to requests. */
const PAUSE_MS = 4;

/**
 * Saves the index of a serving process for the next start, once it has not changed for a while. It
 * works in steps of about a millisecond, between which requests are answered.
 */
export class SnapshotKeeper {
  readonly #catalog: Catalog;
  readonly #file: SnapshotFile;
  readonly #onError: (error: unknown) => void;
  /** The index at the last check. A reloaded catalogue has another one. */
  #index: SearchIndex | undefined;
  /** The saved version of the index; 0 for an index without cards, which needs no file. */
  #savedVersion = 0;
  #lastVersion = 0;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  /** Calls `onError` if a file cannot be written, and retries after the next change. */
  constructor(catalog: Catalog, file: SnapshotFile, onError: (error: unknown) => void) {
    this.#catalog = catalog;
    this.#file = file;
    this.#onError = onError;
  }

  /** Starts checking for changes. */
  start(checkMs = CHECK_MS): void {
    this.#timer = setInterval(() => {
      const { search } = this.#catalog;
      if (search !== this.#index) this.#lookAt(search);
      const { version } = search;
      const isQuiet = version === this.#lastVersion;
      this.#lastVersion = version;
      if (!isQuiet || version === this.#savedVersion) return;
      // Set before the attempt, so a full disk is reported only once.
      this.#savedVersion = version;
      this.#work = this.#work.then(() => this.#save(version)).catch(this.#onError);
    }, checkMs).unref();
  }

  /** Stops. Resolves when no write is in progress. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    await this.#work;
  }

  #lookAt(index: SearchIndex): void {
    this.#index = index;
    this.#savedVersion = 0;
    this.#lastVersion = 0;
  }

  async #save(version: number): Promise<void> {
    const { id } = this.#catalog.publication;
    if (await this.#file.has(id)) return;
    const saved = await this.#gather(version);
    if (!saved) return;
    if (!(await this.#file.write(id, saved))) this.#savedVersion = 0;
  }

  /** Gathers the index. Undefined if it changes in the meantime or the keeper is closed. */
  async #gather(version: number): Promise<SavedIndex | undefined> {
    const { search } = this.#catalog;
    const steps = search.save();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      await sleep(PAUSE_MS);
      if (this.#closed || this.#catalog.search !== search) return undefined;
      if (search.version !== version) return undefined;
    }
  }
}
