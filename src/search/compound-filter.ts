import type { Name } from './fields.ts';

/** The filter has at least this many bits for each name, so about 3 % of them are set. */
const BITS_PER_NAME = 64;

/** The first size, in powers of two. Tests create thousands of indexes with few cards. */
const FEWEST_BITS = 12;

/** No longer word is looked up as a compound. */
export const LONGEST_COMPOUND = 80;

const FACTOR = 0x9e3779b1;
const POWERS = Int32Array.from({ length: LONGEST_COMPOUND + 1 });
POWERS[0] = 1;
for (let i = 1; i < POWERS.length; i++) POWERS[i] = Math.imul(POWERS[i - 1] as number, FACTOR);

/**
 * A Bloom filter of the compounds in names: every two or more adjacent terms, written together. Few
 * words of queries are compounds. Without the filter, a sixth of a search went into proving that.
 */
export class CompoundFilter {
  readonly #names: readonly Name[];
  /** The number of bits, as a power of two. */
  #size = FEWEST_BITS;
  #bits = new Uint32Array(2 ** (FEWEST_BITS - 5));

  /** `names` holds all names. The array may grow. */
  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  /** Adds the compounds of a name that was added to the array. */
  add(name: Name): void {
    if (this.#names.length * BITS_PER_NAME <= 2 ** this.#size) {
      this.#add(name);
      return;
    }
    this.#size += 2;
    this.#bits = new Uint32Array(2 ** (this.#size - 5));
    for (const each of this.#names) this.#add(each);
  }

  #add({ terms }: Name): void {
    const hashes = terms.map(hashOf);
    for (let start = 0; start + 1 < terms.length; start++) {
      let hash = hashes[start] as number;
      let length = (terms[start] as string).length;
      for (let end = start + 1; end < terms.length; end++) {
        const added = (terms[end] as string).length;
        length += added;
        if (length > LONGEST_COMPOUND) break;
        hash = Math.imul(hash, POWERS[added] as number) + (hashes[end] as number);
        this.#set(this.#placeOf(hash));
      }
    }
  }

  /** Returns false only if no name contains the word as a compound. */
  mayContain(word: string): boolean {
    const place = this.#placeOf(hashOf(word));
    return ((this.#bits[place >>> 5] as number) & (1 << (place & 31))) !== 0;
  }

  #placeOf(hash: number): number {
    return Math.imul(hash ^ (hash >>> 15), FACTOR) >>> (32 - this.#size);
  }

  #set(place: number): void {
    this.#bits[place >>> 5] = (this.#bits[place >>> 5] as number) | (1 << (place & 31));
  }
}

/** A hash that allows computing the hash of two concatenated texts from their hashes. */
function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, FACTOR) + text.charCodeAt(i)) | 0;
  return hash;
}
