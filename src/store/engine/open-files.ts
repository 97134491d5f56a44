import { OperatorError } from '../../domain/errors.ts';
import type { AttachedUsage } from '../accounts/attached-usage.ts';
import { OpenFile } from './open-file.ts';

/** The files of a connection, and what is done when something is the matter with them. */
export class OpenFiles {
  readonly #main: OpenFile;
  readonly #usage: AttachedUsage | undefined;

  /** Of a database that has just been opened, and of the usage file if it is attached. */
  constructor(main: string, usage?: AttachedUsage) {
    this.#main = new OpenFile(main);
    this.#usage = usage;
  }

  /**
   * Is called before a statement, and costs nearly nothing. Another usage file is used at once.
   *
   * @throws OperatorError (SQLITE_READONLY_DBMOVED) when the main file is not at its path any more.
   */
  check(): void {
    if (this.#main.isMoved()) throw movedAway(this.#main.path);
    this.#usage?.follow();
  }

  /** Mends what an error of a statement was because of; returns whether it may be tried again. */
  mend(error: unknown): boolean {
    return this.#usage?.mend(error) ?? false;
  }
}

function movedAway(path: string): Error {
  const message =
    `${path} was removed or replaced while it was open. Put it back, or restore a backup ` +
    '(cardprice restore), and restart the service';
  return Object.assign(new OperatorError(message), { code: 'SQLITE_READONLY_DBMOVED' });
}
