import type { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch } from '../contract/feed.ts';
import { type AdaptedRecord, Gatherer } from './feed-batcher.ts';
import { BadRecord } from './schema.ts';

/** When none of so many records can be read, the file is something else. */
const PROBED = 100;

/**
 * Gathers what the records of a file of any size offer. Unlike {@link Gatherer} it does not
 * remember the keys of all of them, and it gives up on a file that is something else.
 */
export class Gathering {
  readonly #notOurs: (fault: string) => OperatorError;
  readonly #atOnce: number;
  #records = 0;
  #gatherer = new Gatherer();
  #hasRead = false;
  #unread = 0;
  #firstFault = 'it holds nothing';

  /**
   * `notOurs` says of a fault that because of it the whole file is not what it should be; `atOnce`
   * is how many records are read before what they offer is handed on.
   */
  constructor(notOurs: (fault: string) => OperatorError, atOnce: number) {
    this.#notOurs = notOurs;
    this.#atOnce = atOnce;
  }

  get isFull(): boolean {
    return this.#records >= this.#atOnce;
  }

  /**
   * Takes what is made of a record.
   *
   * @throws OperatorError when it is one of many that are broken, and none was not.
   */
  take(name: string, adapt: () => AdaptedRecord): void {
    this.#records += 1;
    this.#gatherer.take(name, () => {
      try {
        const adapted = adapt();
        this.#hasRead = true;
        return adapted;
      } catch (error) {
        if (error instanceof BadRecord && !this.#hasRead) this.#isUnread(name, error.message);
        throw error;
      }
    });
  }

  #isUnread(name: string, reason: string): void {
    if (this.#unread === 0) this.#firstFault = `${name}: ${reason}`;
    this.#unread += 1;
    if (this.#unread === PROBED) this.end();
  }

  /** What was taken since it was last called; `done` is how much of the feed that is. */
  handOn(done: number): FeedBatch {
    const batch = this.#gatherer.handOn(done);
    this.#gatherer = new Gatherer();
    this.#records = 0;
    return batch;
  }

  /** @throws OperatorError when no record could be read. */
  end(): void {
    if (!this.#hasRead) throw this.#notOurs(this.#firstFault);
  }
}
