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

/** What every part of an import needs. */
export interface ImportRun {
  readonly store: Store;
  readonly lock: ImportLock;
  readonly startedAt: Millis;
  /** The next free row ids. Code that uses one increments it. */
  readonly nextIds: NextRowIds;
  readonly publication: NextPublication;
  /** The exchange rates by which prices become dollars. */
  readonly rates: Rates;
  /** How many served prices changed because of new exchange rates. */
  readonly repriced: number;
  /** The limits of validation; null accepts everything. */
  readonly limits: ValidationLimits | null;
}

/**
 * The publication that an import writes: readers see all of it once it is finished, or nothing
 * (docs/glossary.md#publication).
 */
export class NextPublication {
  /** The revision that rows of this publication carry. */
  readonly revision: number;
  readonly #store: Store;
  /** Whether there is something to publish; also true after an import that was killed. */
  #begun: boolean;
  /** The transaction that recorded it last. */
  #recordedIn: Transaction | undefined;

  private constructor(store: Store, revision: number, begun: boolean) {
    this.#store = store;
    this.revision = revision;
    this.#begun = begun;
  }

  static async open(store: Store): Promise<NextPublication> {
    const { revision } = await readPublication(store.db);
    const unfinished = await hasUnpublished(store.db);
    // A process of an older version leaves them.
    if (!unfinished) await forgetSuperseded(store.db);
    return new NextPublication(store, revision + 1, unfinished);
  }

  /**
   * Notes that rows of this publication are being written. Call it in or before each transaction
   * that writes them.
   *
   * @throws OperatorError when another process has published in the meantime.
   */
  async begin(db: Transaction): Promise<void> {
    this.#begun = true;
    if (this.#recordedIn === db) return;
    if (!(await startWriting(db, this.revision))) throw publishedByAnother();
    this.#recordedIn = db;
  }

  /**
   * Publishes what was written, if anything was, and recounts what each source has.
   *
   * @throws OperatorError when another process has published in the meantime.
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
