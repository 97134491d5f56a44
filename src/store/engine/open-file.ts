import { statSync } from 'node:fs';

/** How long what was found out of a file is believed, in milliseconds. */
const BELIEVED_MS = 100;

/**
 * A file that a connection has open. The system keeps such a file when it is removed or another one
 * gets its name, so that without a look at the name a process would go on with what nobody else sees.
 */
export class OpenFile {
  readonly path: string;
  readonly #inode: number | undefined;
  #isMoved = false;
  #lookAgainAt = 0;

  /** Of a path that has just been opened. */
  constructor(path: string) {
    this.path = path;
    this.#inode = inodeOf(path);
  }

  /** Whether its name has gone to another file, or to none, as of the last tenth of a second. */
  isMoved(): boolean {
    const now = performance.now();
    if (now >= this.#lookAgainAt) {
      this.#isMoved = inodeOf(this.path) !== this.#inode;
      this.#lookAgainAt = now + BELIEVED_MS;
    }
    return this.#isMoved;
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
