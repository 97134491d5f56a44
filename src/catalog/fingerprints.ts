import { hash } from 'node:crypto';
import type { Card } from '../domain/card.ts';
import { FIGURES } from '../domain/price.ts';

/** The state of a card, short enough to compare with a client's copy. */
export interface Fingerprint {
  /** 16 hexadecimal digits. */
  readonly hash: string;
  /** When its newest price was observed (Unix milliseconds); null without a price. */
  readonly updatedAt: number | null;
}

/** Bytes of a hash. */
const HASH_BYTES = 8;

/**
 * The fingerprints of cards by row id, in 16 bytes each. They are computed on demand, and kept
 * until the card or its prices change.
 */
export class Fingerprints {
  #hashes = Buffer.alloc(0);
  /** 0 for a card whose fingerprint is not known, -1 for a card without a price. */
  #moments = new Float64Array(0);

  /** Whether the fingerprint of a card is known. */
  has(rowId: number): boolean {
    return (this.#moments[rowId] ?? 0) !== 0;
  }

  /** Returns the fingerprint of a card. Computes it in 5 µs if it is not known. */
  of(card: Card): Fingerprint {
    const { rowId } = card;
    if (!this.has(rowId)) this.#compute(card);
    const start = rowId * HASH_BYTES;
    const moment = this.#moments[rowId] ?? -1;
    return {
      hash: this.#hashes.toString('hex', start, start + HASH_BYTES),
      updatedAt: moment === -1 ? null : moment,
    };
  }

  /** Forgets the fingerprint of a card that changes. */
  forget(rowId: number): void {
    if (rowId < this.#moments.length) this.#moments[rowId] = 0;
  }

  #compute(card: Card): void {
    const { rowId } = card;
    this.#grow(rowId);
    const digest = hash('sha256', hashedText(card), 'buffer');
    digest.copy(this.#hashes, rowId * HASH_BYTES, 0, HASH_BYTES);
    this.#moments[rowId] = newestMoment(card);
  }

  #grow(rowId: number): void {
    if (rowId < this.#moments.length) return;
    const length = Math.max(1024, rowId + 1, Math.ceil(this.#moments.length * 1.25));
    const moments = new Float64Array(length);
    moments.set(this.#moments);
    this.#moments = moments;
    const hashes = Buffer.alloc(length * HASH_BYTES);
    this.#hashes.copy(hashes);
    this.#hashes = hashes;
  }
}

/**
 * Returns the text whose SHA-256 begins with the hash of a card (docs/calling.md#compare-a-copy): a
 * JSON array of a card's fields in `/v1/changes`, with its amounts in cents.
 */
export function hashedText({ id, name, set, number, rarity, image, printings }: Card): string {
  const prices = printings.map((printing) => {
    const { conditions, graded, ...figures } = printing.prices;
    const named = FIGURES.map((figure) => [figure, figures[figure]] as const);
    const amounts = [...named, ...Object.entries(conditions), ...Object.entries(graded)];
    const known = amounts.filter(([, cents]) => cents !== null);
    return [printing.name, known.sort(byName)] as const;
  });
  return JSON.stringify([id, name, set.game, set.id, number, rarity, image, prices.sort(byName)]);
}

/** Names are compared by their UTF-16 units. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function newestMoment({ printings }: Card): number {
  const moments = printings.flatMap(({ prices: { figuresAt, conditionsAt, gradedAt } }) => {
    return [figuresAt ?? -1, conditionsAt ?? -1, gradedAt ?? -1];
  });
  return Math.max(-1, ...moments);
}
