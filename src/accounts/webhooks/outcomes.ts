import { setTimeout as sleep } from 'node:timers/promises';
import { type EndedAttempt, endAttempts, type OutboxDb } from './outbox-sql.ts';

/** How long outcomes are collected before a write, in milliseconds. */
const GATHER_MS = 20;

/**
 * Records the outcomes of attempts, many in one transaction, because each commit waits for the
 * disk. If the process crashes before a write, the events are sent again.
 */
export class Outcomes {
  readonly #db: OutboxDb;
  readonly #onFailure: (error: unknown) => void;
  #waiting: EndedAttempt[] = [];
  #next: Promise<void> | undefined;

  constructor(db: OutboxDb, onFailure: (error: unknown) => void) {
    this.#db = db;
    this.#onFailure = onFailure;
  }

  /** Resolves once the outcome is recorded, or recording it has failed. Never rejects. */
  note(ended: EndedAttempt): Promise<void> {
    this.#waiting.push(ended);
    this.#next ??= sleep(GATHER_MS).then(() => this.#write());
    return this.#next;
  }

  async #write(): Promise<void> {
    const ended = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    await endAttempts(this.#db, ended).catch(this.#onFailure);
  }
}
