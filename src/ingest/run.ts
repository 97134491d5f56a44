import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Rates } from '../domain/rates.ts';
import type { NextRowIds } from '../store/catalogue/catalogue.ts';
import {
  forgetSuperseded,
  hasUnpublished,
  publish,
  readPublication,
  startWriting,
} from '../store/catalogue/publications.ts';
import { refreshFigures } from '../store/catalogue/sync.ts';
import type { Store, Transaction } from '../store/connect.ts';
import type { ImportLock } from './lock.ts';
import type { ValidationLimits } from './validation/index.ts';

/** The dependencies of every part of an import. */
export interface ImportRun {
  readonly store: Store;
  readonly lock: ImportLock;
  readonly startedAt: Millis;
  /** The next free row ids. Code that uses one increments it. */
  readonly nextIds: NextRowIds;
  readonly publication: NextPublication;
  /** The exchange rates for converting prices into dollars. */
  readonly rates: Rates;
  /** Served prices that changed because of new exchange rates. */
  readonly repriced: number;
  /** The limits of validation; null accepts everything. */
  readonly limits: ValidationLimits | null;
}

/**
 * The publication that an import writes: readers see nothing of it until it is finished, then all
 * of it (docs/glossary.md#publication).
 */
export class NextPublication {
  /** The revision in the rows of this publication. */
  readonly revision: number;
  readonly #store: Store;
  /** Whether there is something to publish, possibly from an import that was killed. */
  #begun: boolean;
  /** The transaction that last recorded it. */
  #recordedIn: Transaction | undefined;

  private constructor(store: Store, revision: number, begun: boolean) {
    this.#store = store;
    this.revision = revision;
    this.#begun = begun;
  }

  static async open(store: Store): Promise<NextPublication> {
    const { revision } = await readPublication(store.db);
    const unfinished = await hasUnpublished(store.db);
    // A process of an older version leaves such rows.
    if (!unfinished) await forgetSuperseded(store.db);
    return new NextPublication(store, revision + 1, unfinished);
  }

  /**
   * Records that rows of this publication are being written. Call it in or before each transaction
   * that writes them.
   * @throws OperatorError if another process has published in the meantime.
   */
  async begin(db: Transaction): Promise<void> {
    this.#begun = true;
    if (this.#recordedIn === db) return;
    if (!(await startWriting(db, this.revision))) throw publishedByAnother();
    this.#recordedIn = db;
  }

  /**
   * Publishes everything written, if there is anything, and recounts the figures of each source.
   * @throws OperatorError if another process has published in the meantime.
   */
  async finish(at: Millis): Promise<void> {
    if (this.#begun && !(await publish(this.#store.db, this.revision, at))) {
      throw publishedByAnother();
    }
    // Even if nothing is published: a price that is not served may have been observed again.
    await refreshFigures(this.#store);
  }
}

function publishedByAnother(): OperatorError {
  return new OperatorError('Another import has published in the meantime. Run this one again.');
}
