import type { FeedBatch, FeedItem } from '../contract/feed.ts';
import { BadRecord } from './schema.ts';

/** What an adapter makes of one record. */
export interface AdaptedRecord {
  readonly items: readonly FeedItem[];
  /** What of it was left out on purpose, a reason each time. */
  readonly skipped?: readonly string[];
  /** What of it cannot be, a sentence each. */
  readonly broken?: readonly string[];
}

/** What several parts of a record make together. */
export function combine(parts: readonly AdaptedRecord[]): AdaptedRecord {
  return {
    items: parts.flatMap(({ items }) => items),
    skipped: parts.flatMap(({ skipped = [] }) => skipped),
    broken: parts.flatMap(({ broken = [] }) => broken),
  };
}

/** How many records are read before what they offer is handed on. */
const RECORDS_AT_ONCE = 500;

/** Makes batches of what adapters make of records. No two offers of a feed have one key. */
export class Gatherer {
  readonly #keys = new Set<string>();
  #records = 0;
  #offers: FeedItem[] = [];
  #skipped: Record<string, number> = {};
  #broken: { name: string; reason: string }[] = [];

  get isFull(): boolean {
    return this.#records >= RECORDS_AT_ONCE;
  }

  /** Takes what is made of the record of this name; a BadRecord that is thrown makes it broken. */
  take(name: string, adapt: () => AdaptedRecord): void {
    this.#records += 1;
    try {
      const { items, skipped = [], broken = [] } = adapt();
      for (const offer of items) this.#keep(offer);
      for (const reason of skipped) this.#skip(reason);
      for (const reason of broken) this.isBroken(name, reason);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      this.isBroken(name, error.message);
    }
  }

  isBroken(name: string, reason: string): void {
    this.#broken.push({ name, reason });
  }

  /** Pages of an API overlap when something is added while they are asked for. */
  #keep(offer: FeedItem): void {
    const { externalId } = offer.card;
    if (this.#keys.has(externalId)) {
      this.#skip('listed twice');
    } else {
      this.#keys.add(externalId);
      this.#offers.push(offer);
    }
  }

  #skip(reason: string): void {
    this.#skipped[reason] = (this.#skipped[reason] ?? 0) + 1;
  }

  /** What was taken since it was last called; `done` is how much of the feed that is. */
  handOn(done: number): FeedBatch {
    const batch = { items: this.#offers, skipped: this.#skipped, broken: this.#broken, done };
    this.#records = 0;
    this.#offers = [];
    this.#skipped = {};
    this.#broken = [];
    return batch;
  }
}
