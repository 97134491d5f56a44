import type { Documents } from '../documents.ts';
import type { DocId } from '../fields.ts';
import { RankBucket } from '../results.ts';
import type { Evidence } from './scorer.ts';

/** Scores are rounded to this step, in bits. */
const SCORE_STEP = 0.125;

/**
 * The cards that a search has scored, as columns. Searches follow one another and share them: an
 * object for each card was a fifth of the memory that a search allocated.
 */
export class ScoredCards {
  /** The number of cards. The columns may be longer. */
  count = 0;
  #best: Evidence | undefined;
  readonly #docs: DocId[] = [];
  readonly #scores: number[] = [];
  readonly #explained: number[] = [];
  readonly #inName: number[] = [];
  readonly #nameCoverages: number[] = [];
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Returns the columns without any cards. */
  cleared(): this {
    this.count = 0;
    this.#best = undefined;
    return this;
  }

  add(evidence: Evidence): void {
    const i = this.count++;
    this.#docs[i] = evidence.doc;
    this.#scores[i] = evidence.score;
    this.#explained[i] = evidence.explained;
    this.#inName[i] = evidence.inName;
    this.#nameCoverages[i] = evidence.nameCoverage;
    if (!this.#best || this.#isBetter(evidence, this.#best)) this.#best = { ...evidence };
  }

  /** The evidence of the best card; undefined if there are no cards. */
  get best(): Evidence | undefined {
    return this.#best;
  }

  /** Returns the cards that match as well as the best card, in rank buckets, best first. */
  matches(best: Evidence): RankBucket[] {
    const buckets = new Map<number, RankBucket>();
    for (let i = 0; i < this.count; i++) {
      if (!this.#isMatch(i, best)) continue;
      const rank = Math.round((this.#scores[i] as number) / SCORE_STEP);
      const bucket = buckets.get(rank) ?? new RankBucket();
      bucket.add(this.#docs[i] as DocId);
      buckets.set(rank, bucket);
    }
    return [...buckets].sort(([a], [b]) => b - a).map(([, bucket]) => bucket);
  }

  /** Public ids break ties, so the order of additions does not matter. */
  #isBetter({ score, doc }: Evidence, best: Evidence): boolean {
    if (score !== best.score) return score > best.score;
    return this.#documents.idOrdinal(doc) < this.#documents.idOrdinal(best.doc);
  }

  /**
   * Whether a card matches, compared with the best card. It matches if it explains the same words
   * or scores as high. It also matches if all of its name was typed and only part of the best
   * card's: the catalogue may lack a printing (`1st edition`).
   */
  #isMatch(i: number, best: Evidence): boolean {
    if (((this.#explained[i] as number) & best.explained) === best.explained) return true;
    if ((this.#scores[i] as number) >= best.score) return true;
    const hasName = ((this.#inName[i] as number) & best.inName) === best.inName;
    return hasName && this.#nameCoverages[i] === 1 && best.nameCoverage < 1;
  }
}
