import type { Name } from '../fields.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import type { Lead, Words } from './words.ts';

/** At most this many postings are read, those of the rarest words first. */
const MAX_POSTINGS = 8000;

/** What is taken off a word that may as well be something else, of what that would count for. */
const SHARE_BESIDE_NAME = 0.6;

/** Names of which the words say less than this share of what they say of the best are left out. */
const MIN_SHARE = 0.4;

/** At most this many names are candidates. */
const MAX_NAMES = 250;

/**
 * Finds the names of which the words of a query say most, by adding up for every name what each
 * word says of it (term-at-a-time scoring with accumulators). Reused, because making one column per
 * search would take longer than most searches.
 */
export class NameCandidates {
  /** By name id; all zero between searches. */
  #bits = new Float32Array();
  readonly #touched: number[] = [];

  /** Returns the names of which the words say most, these first. */
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
      if (bits === 0) this.#touched.push(nameId);
      this.#bits[nameId] = bits + gain;
    }
  }

  #takeBest(index: InvertedIndex): Name[] {
    // They would set the measure for the others.
    for (const { nameId } of index.unusedNames) this.#bits[nameId] = 0;
    let most = 0;
    for (const nameId of this.#touched) most = Math.max(most, this.#bits[nameId] as number);
    const least = most * MIN_SHARE;
    const best: { name: Name; bits: number }[] = [];
    for (const nameId of this.#touched) {
      const bits = this.#bits[nameId] as number;
      if (bits > 0 && bits >= least) best.push({ name: index.nameAt(nameId), bits });
      this.#bits[nameId] = 0;
    }
    this.#touched.length = 0;
    best.sort((a, b) => b.bits - a.bits || a.name.ordinal - b.name.ordinal);
    return best.slice(0, MAX_NAMES).map(({ name }) => name);
  }
}

function fewestFirst(a: Lead, b: Lead): number {
  return a.nameIds.length - b.nameIds.length;
}
