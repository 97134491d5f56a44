import { type Card, type CardSet, marketPrice } from '../../domain/card.ts';
import type { Product } from '../../domain/products.ts';
import { compareText } from '../../domain/text.ts';
import { editDistance } from '../../lib/edit-distance.ts';
import { termsOf } from './words.ts';

/** A product that a query finds. */
export interface FoundProduct {
  readonly product: Product;
  /** Whether the query contains every word of its name. */
  readonly isExact: boolean;
}

/** The products that a query finds, best first. */
export interface FoundProducts {
  readonly found: readonly FoundProduct[];
  /** Whether they have all words of the query. Otherwise they have most. */
  readonly isWhole: boolean;
}

/** The terms of a set's name and code, in the form of {@link spaced}. */
interface SetTerms {
  readonly name: string;
  readonly code: string;
}

/** A product with its search terms, as texts, because lists take three times the memory. */
interface Document {
  readonly product: Product;
  readonly name: string;
  /** The terms of its name in brackets, which distinguish variants. */
  readonly variant: string;
  readonly set: SetTerms;
}

/** A term of the query, with the terms of documents that it may mean, by how well they fit. */
type Meanings = ReadonlyMap<string, number>;

/** A term of a set counts less than a term of a name. */
const OF_SET = 0.7;

const QUALITY = { exact: 1, prefix: 0.8, typo: 0.7 } as const;

/** The penalty for a product's term that the query does not contain. */
const UNSAID = { name: 0.2, variant: 0.1, setName: 0.1 } as const;

/** The part of the query that a product must have if no product has all of it. */
const LEAST = 0.5;

/** Products that a query must name by type. They come after all others with the same words. */
const SIDE = { types: new Set(['code-card', 'accessory']), penalty: 4 };

/**
 * Finds products by the words of their names and sets. There are few of them, and their names share
 * most words, so rare words decide: terms are weighed by their inverse document frequency. Changes
 * are staged like those of the index of cards.
 */
export class ProductIndex {
  /** By row id. */
  readonly #documents = new Map<number, Document>();
  /** Row ids by term. */
  readonly #postings = new Map<string, number[]>();
  /** The terms of sets, which products share. */
  readonly #sets = new Map<string, SetTerms>();
  #staged: Product[] = [];
  #removed: number[] = [];

  /** Stages a product, or a newer version of one. */
  add(card: Card): void {
    this.#staged.push(card as Product);
  }

  /** Stages the removal of a product. */
  remove({ rowId }: Card): void {
    this.#removed.push(rowId);
  }

  commit(): void {
    for (const rowId of this.#removed) this.#drop(rowId);
    for (const product of this.#staged) this.#put(product);
    this.#removed = [];
    this.#staged = [];
  }

  /** Prices are read from the products themselves. */
  updatePrice(): void {}

  #put(product: Product): void {
    this.#drop(product.rowId);
    const { name } = product;
    const [plain = ''] = name.split(/[[(]/, 1);
    const document = {
      product,
      name: spaced(plain),
      variant: spaced(name.slice(plain.length)),
      set: this.#termsOfSet(product.set),
    };
    this.#documents.set(product.rowId, document);
    for (const term of termsIn(document)) {
      const rowIds = this.#postings.get(term);
      if (rowIds) rowIds.push(product.rowId);
      else this.#postings.set(term, [product.rowId]);
    }
  }

  #termsOfSet({ name, code }: CardSet): SetTerms {
    const key = `${name}\n${code}`;
    const known = this.#sets.get(key) ?? { name: spaced(name), code: spaced(code) };
    this.#sets.set(key, known);
    return known;
  }

  #drop(rowId: number): void {
    const document = this.#documents.get(rowId);
    if (!document) return;
    this.#documents.delete(rowId);
    for (const term of termsIn(document)) {
      const left = (this.#postings.get(term) ?? []).filter((other) => other !== rowId);
      if (left.length > 0) this.#postings.set(term, left);
      else this.#postings.delete(term);
    }
  }

  /**
   * Finds the products that have all words of a text, otherwise those that have most of them. Words
   * may be misspelt or the beginnings of longer ones, if no product has them as written.
   */
  find(text: string, passes: (product: Product) => boolean = () => true): FoundProducts {
    const terms = [...new Set(this.#respaced(termsOf(text)))];
    const meanings = terms.map((term) => this.#meaningsOf(term));
    const weights = meanings.map((meaning) => this.#weightOf(meaning));
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    const scored = this.#candidates(meanings).flatMap((document) => {
      if (!passes(document.product)) return [];
      return [{ document, ...scoreOf(document, meanings, weights) }];
    });
    const complete = scored.filter(({ matched }) => matched === terms.length);
    const isWhole = complete.length > 0;
    const kept = isWhole ? complete : scored.filter(({ weight }) => weight >= LEAST * whole);
    const found = kept
      .map(({ document, ...score }) => ({ document, rank: this.#rankOf(document, score) }))
      .sort((a, b) => b.rank.value - a.rank.value || compare(a.document, b.document));
    return {
      found: found.map(({ document: { product }, rank }) => ({ product, ...rank.facts })),
      isWhole,
    };
  }

  /** Returns terms in the spelling of the products: `pokeball` as `poke ball`, and the reverse. */
  #respaced(terms: readonly string[]): string[] {
    const isKnown = (term: string) => this.#postings.has(term);
    const respaced: string[] = [];
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] ?? '';
      const joined = `${term}${terms[at + 1] ?? ''}`;
      if (joined !== term && isKnown(joined) && !this.#areTogether(term, terms[at + 1] ?? '')) {
        respaced.push(joined);
        at += 1;
      } else if (isKnown(term)) respaced.push(term);
      else respaced.push(...(splitInto(term, isKnown) ?? [term]));
    }
    return respaced;
  }

  /** Whether a product has both terms. */
  #areTogether(one: string, other: string): boolean {
    const [some, others] = [this.#postings.get(one), this.#postings.get(other)];
    return some?.some((rowId) => others?.includes(rowId)) === true;
  }

  /**
   * Returns the possible meanings of a term: itself, otherwise terms that it begins or misspells.
   */
  #meaningsOf(term: string): Meanings {
    if (this.#postings.has(term)) return new Map([[term, QUALITY.exact]]);
    const meanings = new Map<string, number>();
    const limit = /\d/.test(term) || term.length < 4 ? 0 : term.length < 8 ? 1 : 2;
    for (const known of this.#postings.keys()) {
      if (term.length > 2 && known.startsWith(term)) meanings.set(known, QUALITY.prefix);
      else if (isMisspelt(term, known, limit)) meanings.set(known, QUALITY.typo);
    }
    return meanings;
  }

  /** The weight of a term of the query. Unknown terms have the highest weight. */
  #weightOf(meanings: Meanings): number {
    const weights = [...meanings.keys()].map((term) => this.#rarity(term));
    return weights.length === 0 ? this.#rarity('') : Math.max(...weights);
  }

  #rarity(term: string): number {
    return Math.log(1 + this.#documents.size / (this.#postings.get(term)?.length ?? 1));
  }

  #candidates(meanings: readonly Meanings[]): Document[] {
    const rowIds = new Set<number>();
    for (const term of meanings.flatMap((meaning) => [...meaning.keys()])) {
      for (const rowId of this.#postings.get(term) ?? []) rowIds.add(rowId);
    }
    if (meanings.length === 0) return [...this.#documents.values()];
    return [...rowIds].flatMap((rowId) => this.#documents.get(rowId) ?? []);
  }

  #rankOf(document: Document, { score, said }: Pick<Score, 'score' | 'said'>) {
    const { name, variant, set } = document;
    const costOf = (terms: readonly string[], each: number) => {
      const unsaid = terms.filter((term) => !said.has(term));
      return unsaid.reduce((sum, term) => sum + each * this.#rarity(term), 0);
    };
    const ofName = costOf(apart(name), UNSAID.name) + costOf(apart(variant), UNSAID.variant);
    const others = apart(set.name).filter((term) => !has(set.code, term));
    const against = ofName + costOf(others, UNSAID.setName);
    const isNamed = said.has('codecard') || !SIDE.types.has(document.product.type);
    const value = score - against - (isNamed ? 0 : SIDE.penalty);
    return { value, facts: { isExact: ofName === 0 } };
  }
}

interface Score {
  readonly score: number;
  /** The weight and the number of the query's terms that the document has. */
  readonly weight: number;
  readonly matched: number;
  /** The document's terms that the query contains. */
  readonly said: ReadonlySet<string>;
}

function scoreOf(
  document: Document,
  meanings: readonly Meanings[],
  weights: readonly number[],
): Score {
  const said = new Set<string>();
  let [score, weight, matched] = [0, 0, 0];
  for (const [index, meaning] of meanings.entries()) {
    const best = fitOf(document, meaning, said);
    if (best === 0) continue;
    matched += 1;
    weight += weights[index] ?? 0;
    score += best * (weights[index] ?? 0);
  }
  return { score, weight, matched, said };
}

/** Returns how well a term of the query fits a document, and adds the matching terms. */
function fitOf({ name, variant, set }: Document, meanings: Meanings, said: Set<string>): number {
  let best = 0;
  for (const [term, quality] of meanings) {
    const isName = has(name, term) || has(variant, term);
    if (!isName && !has(set.name, term) && !has(set.code, term)) continue;
    said.add(term);
    best = Math.max(best, isName ? quality : quality * OF_SET);
  }
  return best;
}

/** Writes the terms of a text with a space around each; returns an empty text if there are none. */
function spaced(text: string): string {
  const terms = [...new Set(termsOf(text))];
  return terms.length === 0 ? '' : ` ${terms.join(' ')} `;
}

/** The opposite of {@link spaced}. */
function apart(terms: string): readonly string[] {
  return terms === '' ? [] : terms.slice(1, -1).split(' ');
}

function has(terms: string, term: string): boolean {
  return terms.includes(` ${term} `);
}

function termsIn({ name, variant, set }: Document): ReadonlySet<string> {
  return new Set([name, variant, set.name, set.code].flatMap(apart));
}

function splitInto(term: string, isKnown: (term: string) => boolean): string[] | undefined {
  for (let at = 3; at <= term.length - 3; at++) {
    const parts = [term.slice(0, at), term.slice(at)];
    if (parts.every(isKnown)) return parts;
  }
  return undefined;
}

function isMisspelt(term: string, known: string, limit: number): boolean {
  if (limit === 0 || Math.abs(term.length - known.length) > limit) return false;
  return editDistance(term, known, limit) <= limit;
}

/** The more expensive product comes first, otherwise the newer one. */
function compare({ product: a }: Document, { product: b }: Document): number {
  return (marketPrice(b) ?? -1) - (marketPrice(a) ?? -1) || compareText(b.id, a.id);
}
