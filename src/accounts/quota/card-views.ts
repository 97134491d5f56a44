import { addDays, type Day, dayOf, type Millis } from '../../domain/day.ts';
import type { Store } from '../../store/connect.ts';
import { type CardViewStatements, prepareCardViews } from './card-views-sql.ts';

/** Interval between writes to the database, in milliseconds. */
const WRITE_MS = 60_000;

/** Days for which counts are stored. */
const KEPT_DAYS = 40;

/** The most cards counted between two writes. Requests of further cards are not counted. */
const MAX_CARDS = 20_000;

/**
 * Counts requests for cards, by programs and on pages, because price mistakes matter more on
 * popular cards. Collects counts in memory and writes them every minute. A killed process loses its
 * last minute.
 */
export class CardViews {
  readonly #statements: CardViewStatements;
  readonly #clock: () => Millis;
  readonly #onFailure: (error: unknown) => void;
  #counts = new Map<string, number>();
  /** The day on which old counts were last removed. */
  #cleared: Day | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, clock: () => Millis, onFailure: (error: unknown) => void) {
    this.#statements = prepareCardViews(store.accounts.engine);
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  /** Writes every minute, until {@link close}. */
  start(): void {
    this.#timer ??= setInterval(() => this.write(), WRITE_MS).unref();
  }

  /** Counts a request for a card, by its public id. */
  count(card: string): void {
    const count = this.#counts.get(card);
    if (count !== undefined || this.#counts.size < MAX_CARDS) {
      this.#counts.set(card, (count ?? 0) + 1);
    }
  }

  /** Writes the counts since the last write. Never rejects; counts that fail are lost. */
  async write(): Promise<void> {
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    const today = dayOf(this.#clock());
    try {
      await this.#statements.add(today, counts);
      if (today === this.#cleared) return;
      this.#cleared = today;
      await this.#statements.remove(addDays(today, -KEPT_DAYS));
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Stops writing every minute, and writes the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
