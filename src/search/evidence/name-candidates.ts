import type { Name } from '../fields.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import type { Lead, Words } from './words.ts';

/** At most this many postings are read, starting with the rarest words. */
const MAX_POSTINGS = 8000;

/** The share of a word's best other reading that is subtracted from its certainty. */
const SHARE_BESIDE_NAME = 0.6;

/** Names with less than this share of the best name's bits are excluded. */
const MIN_SHARE = 0.4;

/** At most this many names are candidates. */
const MAX_NAMES = 250;

/**
 * An upper bound of the ordinals of names. It lets bits and ordinal share the 53 bits of a number.
 */
const ORDINALS = 2 ** 21;

/**
 * Finds the names that fit the words of a query best. Adds up each word's bits for every name
 * (term-at-a-time scoring with accumulators). Reused between searches, because allocating the
 * columns would take longer than most searches.
 */
export class NameCandidates {
  /** Bits by name id. All zero between searches. */
  #bits = new Float32Array();
  /** The name ids with bits. Only the first `#touchedCount` are of this search. */
  readonly #touched: number[] = [];
  #touchedCount = 0;
  /** The sort keys of the best names. */
  #keys = new Float64Array();

  /** Returns the names with the most bits, best first. */
  find({ words, leads }: Words, index: InvertedIndex): Name[] {
    const { nameCount } = index;
    if (this.#bits.length < nameCount) this.#bits = new Float32Array(2 * nameCount);
    let postings = 0;
    for (const lead of [...leads].sort(fewestFirst)) {
      if (postings > 0 && postings + lead.nameIds.length > MAX_POSTINGS) break;
      postings += lead.nameIds.length;
      const { bits = 0, besideName = 0 } = words[lead.word] ?? {};
      this.#add(lead, bits * (lead.certainty - besideName * SHARE_BESIDE_NAME));
    }
    return this.#takeBest(index);
  }

  #add({ nameIds }: Lead, gain: number): void {
    for (let i = 0; i < nameIds.length; i++) {
      const nameId = nameIds[i] as number;
      const bits = this.#bits[nameId] as number;
      if (bits === 0) this.#touched[this.#touchedCount++] = nameId;
      this.#bits[nameId] = bits + gain;
    }
  }

  #takeBest(index: InvertedIndex): Name[] {
    // Unused names must not raise the threshold for the others.
    for (const { nameId } of index.unusedNames) this.#bits[nameId] = 0;
    let most = 0;
    for (let i = 0; i < this.#touchedCount; i++) {
      most = Math.max(most, this.#bits[this.#touched[i] as number] as number);
    }
    const keys = this.#takeKeys(most * MIN_SHARE, index)
      .sort()
      .subarray(0, MAX_NAMES);
    return Array.from(keys, (key) => index.nameAtOrdinal(key % ORDINALS));
  }

  /** Returns the sort keys of the names with at least `least` bits, and clears the bits. */
  #takeKeys(least: number, index: InvertedIndex): Float64Array {
    if (this.#keys.length < this.#touchedCount)
      this.#keys = new Float64Array(2 * this.#touchedCount);
    let count = 0;
    for (let i = 0; i < this.#touchedCount; i++) {
      const nameId = this.#touched[i] as number;
      const bits = this.#bits[nameId] as number;
      if (bits > 0 && bits >= least) {
        this.#keys[count++] = sortKey(bits, index.ordinalOf(nameId));
      }
      this.#bits[nameId] = 0;
    }
    this.#touchedCount = 0;
    return this.#keys.subarray(0, count);
  }
}

const BITS = new Float32Array(1);
const PATTERN = new Uint32Array(BITS.buffer);

/**
 * Returns a number that sorts more bits first, then by ordinal: plain numbers sort ten times faster
 * than objects. The bit pattern of a positive Float32 sorts as its value does.
 */
function sortKey(bits: number, ordinal: number): number {
  BITS[0] = bits;
  return (2 ** 32 - (PATTERN[0] as number)) * ORDINALS + ordinal;
}

function fewestFirst(a: Lead, b: Lead): number {
  return a.nameIds.length - b.nameIds.length;
}
