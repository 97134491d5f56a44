import type { Name } from './fields.ts';

/** 2^22 bits, 512 KB: the 132,000 compounds of 49,000 names set 3 % of them. */
const BITS = 22;

/** No longer word is looked up as a compound. */
export const LONGEST_COMPOUND = 80;

const FACTOR = 0x9e3779b1;
const POWERS = Int32Array.from({ length: LONGEST_COMPOUND + 1 });
POWERS[0] = 1;
for (let i = 1; i < POWERS.length; i++) POWERS[i] = Math.imul(POWERS[i - 1] as number, FACTOR);

/**
 * A Bloom filter of the compounds in names: every two or more adjacent terms, written together. Few
 * words of queries are compounds, and without the filter a sixth of a search went into this proof.
 */
export class CompoundFilter {
  readonly #bits = new Uint32Array(2 ** (BITS - 5));

  /** Adds the compounds of a name. */
  add({ terms }: Pick<Name, 'terms'>): void {
    const hashes = terms.map(hashOf);
    for (let start = 0; start + 1 < terms.length; start++) {
      let hash = hashes[start] as number;
      let length = (terms[start] as string).length;
      for (let end = start + 1; end < terms.length; end++) {
        const added = (terms[end] as string).length;
        length += added;
        if (length > LONGEST_COMPOUND) break;
        hash = Math.imul(hash, POWERS[added] as number) + (hashes[end] as number);
        this.#set(placeOf(hash));
      }
    }
  }

  /** Returns false only if no name contains the word as a compound. */
  mayContain(word: string): boolean {
    const place = placeOf(hashOf(word));
    return ((this.#bits[place >>> 5] as number) & (1 << (place & 31))) !== 0;
  }

  #set(place: number): void {
    this.#bits[place >>> 5] = (this.#bits[place >>> 5] as number) | (1 << (place & 31));
  }
}

/** A hash of which the hash of two texts written together can be computed from theirs. */
function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, FACTOR) + text.charCodeAt(i)) | 0;
  return hash;
}

function placeOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), FACTOR) >>> (32 - BITS);
}
