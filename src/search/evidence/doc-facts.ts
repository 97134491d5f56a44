import type { Documents } from '../documents.ts';
import type { DocId } from '../fields.ts';
import type { Facts } from '../lexicon/index.ts';

/** What phrases are compared with, of one document after the other. */
export class DocFacts implements Facts {
  readonly #documents: Documents;
  #doc = 0 as DocId;
  #printings: readonly string[] | undefined;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  set doc(doc: DocId) {
    this.#doc = doc;
    this.#printings = undefined;
  }

  get game() {
    return this.#documents.set(this.#doc).game;
  }

  get rarity() {
    return this.#documents.rarity(this.#doc);
  }

  get printings() {
    this.#printings ??= this.#documents.card(this.#doc).printings.map(({ name }) => name);
    return this.#printings;
  }

  get nameTerms() {
    return this.#documents.name(this.#doc).terms;
  }

  get setTerms() {
    return this.#documents.set(this.#doc).terms;
  }

  get setCode() {
    return this.#documents.set(this.#doc).code;
  }

  get releaseYear() {
    return this.#documents.set(this.#doc).releaseYear;
  }

  get number() {
    return this.#documents.number(this.#doc).text;
  }
}
