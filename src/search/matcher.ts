import type { Documents } from './documents.ts';
import { type DocId, hasLiveDocs, type Name } from './fields.ts';
import type { DocFilter } from './filters.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { matchPrint, type PrintMatch, rankOf, type TermMatch } from './ranking.ts';
import { RankBucket } from './results.ts';
import type { QueryTerm, Sentence } from './sentence.ts';
import { VISITED, type VisitedNames } from './visited-names.ts';

/**
 * Finds the documents that match every term of a query, in rank buckets, best first. The term with
 * the fewest names proposes candidates, and each candidate is checked against the other terms.
 */
export function findMatches(
  query: Sentence,
  index: InvertedIndex,
  documents: Documents,
  filter: DocFilter | undefined,
): RankBucket[] {
  const rarest = findRarestTerm(query.terms);
  if (!rarest) return [];
  const { term } = rarest;
  const matcher = new Matcher(query, documents, filter, rarest);
  const visited = VISITED.cleared(index.nameCount);
  for (const { match, nameIds } of candidatesOf(term)) {
    for (let from = 0; from < nameIds.length; from += BATCH_SIZE) {
      const names = visitNew(nameIds, from, index, visited);
      for (const name of names) matcher.collect(name, name.docs, match);
    }
  }
  for (const doc of findPrintedDocs(term, documents)) {
    const name = documents.name(doc);
    if (!documents.isLive(doc) || visited.has(name)) continue;
    matcher.collect(name, [doc], undefined);
  }
  return matcher.buckets();
}

const NO_DOCS: readonly DocId[] = [];

/** Checks candidates against all terms of a query and collects the matches in rank buckets. */
class Matcher {
  readonly #query: Sentence;
  readonly #documents: Documents;
  readonly #filter: DocFilter | undefined;
  /** The term that proposes the candidates. */
  readonly #proposer: QueryTerm;
  /**
   * The names with documents that have a term printed; undefined if any name may have such
   * documents.
   */
  readonly #printedNames: ReadonlySet<Name> | undefined;
  /** How each term matches the current candidate's name. */
  readonly #byName: (TermMatch | undefined)[];
  /** By rank; empty buckets are missing. */
  readonly #buckets: (RankBucket | undefined)[] = [];

  constructor(
    query: Sentence,
    documents: Documents,
    filter: DocFilter | undefined,
    { term, count }: RarestTerm,
  ) {
    this.#query = query;
    this.#documents = documents;
    this.#filter = filter;
    this.#proposer = term;
    this.#printedNames = findPrintedNames(query.terms, documents, count);
    this.#byName = query.terms.map(() => undefined);
  }

  /** Returns the buckets that are not empty, best first. */
  buckets(): RankBucket[] {
    return this.#buckets.filter((bucket) => bucket !== undefined);
  }

  /** Collects the matching documents of a name. `match` is the proposing term's match. */
  collect(name: Name, docs: readonly DocId[], match: TermMatch | undefined): void {
    const mayBePrinted = this.#printedNames?.has(name) ?? true;
    if (!this.#matchName(name, match, mayBePrinted)) return;
    const accepted = this.#filtered(docs);
    if (accepted.length === 0) return;
    if (mayBePrinted) this.#collectPrinted(name, accepted);
    else this.#bucket(rankOf(this.#query, name, this.#byName)).addList(accepted);
  }

  /** Returns the documents that pass the filter. Usually all or none do, so no array is copied. */
  #filtered(docs: readonly DocId[]): readonly DocId[] {
    const filter = this.#filter;
    if (!filter || docs.every(filter)) return docs;
    return docs.some(filter) ? docs.filter(filter) : NO_DOCS;
  }

  /** Sets how each term matches a name. Returns false if a term matches neither name nor print. */
  #matchName(name: Name, match: TermMatch | undefined, mayBePrinted: boolean): boolean {
    const { terms } = this.#query;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as QueryTerm;
      const found = term === this.#proposer ? match : matchTerm(term, name);
      if (!found && !(mayBePrinted && isPrinted(term))) return false;
      this.#byName[i] = found;
    }
    return true;
  }

  /** Collects the documents that have every term in the name or printed on the card. */
  #collectPrinted(name: Name, docs: readonly DocId[]): void {
    for (const doc of docs) {
      const byPrint = this.#matchPrints(doc);
      if (byPrint) this.#bucket(rankOf(this.#query, name, this.#byName, byPrint)).add(doc);
    }
  }

  /** Returns how each term matches the print; undefined if one matches neither name nor print. */
  #matchPrints(doc: DocId): (PrintMatch | undefined)[] | undefined {
    const number = this.#documents.number(doc);
    const set = this.#documents.set(doc);
    const byPrint: (PrintMatch | undefined)[] = [];
    for (const term of this.#query.terms) {
      const match = matchPrint(term, number, set);
      if (!match && !this.#byName[byPrint.length]) return undefined;
      byPrint.push(match);
    }
    return byPrint;
  }

  #bucket(rank: number): RankBucket {
    const bucket = this.#buckets[rank] ?? new RankBucket(rank);
    this.#buckets[rank] = bucket;
    return bucket;
  }
}

/** Returns how a term matches a name: as a term, part of a term, a compound or a misspelling. */
export function matchTerm(term: QueryTerm, name: Name): TermMatch | undefined {
  const { text } = term;
  const match = mayContain(name, term) ? matchAsTyped(term, name) : undefined;
  if (match) return match;
  const compound = term.compounds.find(({ isIn }) => isIn(name));
  if (compound) return { text, isWhole: compound.isWhole, edits: 0 };
  return term.corrections.size > 0 ? matchCorrected(term, name) : undefined;
}

/** Whether a name may contain a term that begins with this one. An infix may be anywhere. */
function mayContain({ initials }: Name, { prefix, infix, initial }: QueryTerm): boolean {
  return infix !== undefined || (prefix.count > 0 && (initials & initial) !== 0);
}

function matchAsTyped({ text, infix }: QueryTerm, { terms }: Name): TermMatch | undefined {
  let isPart = false;
  for (const other of terms) {
    const isPrefix = other.startsWith(text);
    if (isPrefix && other.length === text.length) return { text, isWhole: true, edits: 0 };
    isPart ||= isPrefix || (infix !== undefined && other.includes(text));
  }
  return isPart ? { text, isWhole: false, edits: 0 } : undefined;
}

function matchCorrected({ corrections }: QueryTerm, { terms }: Name): TermMatch | undefined {
  let nearest: TermMatch | undefined;
  for (const other of terms) {
    const edits = corrections.get(other)?.edits;
    if (edits === undefined || (nearest && nearest.edits <= edits)) continue;
    nearest = { text: other, isWhole: true, edits };
  }
  return nearest;
}

/** The term of a query with the fewest names and documents, and their count. */
interface RarestTerm {
  readonly term: QueryTerm;
  readonly count: number;
}

/** Returns the rarest term; undefined if the query has no terms. */
function findRarestTerm(terms: readonly QueryTerm[]): RarestTerm | undefined {
  let rarest: RarestTerm | undefined;
  const withMinimum = terms.map((term) => ({ term, minimum: minCount(term) }));
  for (const { term, minimum } of withMinimum.sort((a, b) => a.minimum - b.minimum)) {
    // No later term can be rarer. Stop here: counting the documents of its numbers takes long.
    if (rarest && minimum >= rarest.count) break;
    const { listed, docCount } = term.numbers;
    const count = minimum - listed.length + docCount;
    if (!rarest || count < rarest.count) rarest = { term, count };
  }
  return rarest;
}

/** Returns a lower bound of a term's names and documents: counts one document per number. */
function minCount({ prefix, infix, compounds, corrections, numbers, codeDocs }: QueryTerm): number {
  let count = prefix.postings.count + numbers.listed.length + codeDocs.length;
  if (infix) count += infix.postings.count;
  for (const { names } of compounds) count += names.length;
  for (const { term } of corrections.values()) count += term.postings.count;
  return count;
}

/**
 * The number of names that each step of the search processes before the next step begins.
 *
 * Names are scattered over memory, so a search that matches thousands of them mostly waits for
 * memory. In a short loop these waits overlap. Doing all steps for one name before the next name
 * adds the waits up, and the search takes two to three times as long.
 */
const BATCH_SIZE = 256;

/** Names that a term matches in the same way. */
interface Candidates {
  readonly match: TermMatch;
  readonly nameIds: ArrayLike<number>;
}

/** Returns all names that a term matches. A repeated name never comes with a better match. */
function candidatesOf({ text, prefix, infix, compounds, corrections }: QueryTerm): Candidates[] {
  const partial = { text, isWhole: false, edits: 0 };
  const all: Candidates[] = [];
  const exact = prefix.exact(text);
  if (exact) all.push({ match: { ...partial, isWhole: true }, nameIds: exact.postings.nameIds });
  all.push({ match: partial, nameIds: prefix.postings.nameIds });
  if (infix) all.push({ match: partial, nameIds: infix.postings.nameIds });
  for (const { isWhole, names } of compounds) {
    all.push({ match: { text, isWhole, edits: 0 }, nameIds: names.map(({ nameId }) => nameId) });
  }
  for (const { term, edits } of corrections.values()) {
    const match = { text: term.text, isWhole: true, edits };
    all.push({ match, nameIds: term.postings.nameIds });
  }
  return all;
}

/** Returns the names of one batch that have live documents and were not visited yet. */
function visitNew(
  nameIds: ArrayLike<number>,
  from: number,
  index: InvertedIndex,
  visited: VisitedNames,
): Name[] {
  const added: Name[] = [];
  const to = Math.min(from + BATCH_SIZE, nameIds.length);
  for (let i = from; i < to; i++) {
    const nameId = nameIds[i] as number;
    if (!visited.add(nameId)) continue;
    const name = index.nameAt(nameId);
    if (hasLiveDocs(name)) added.push(name);
  }
  return added;
}

/** Whether a term is the number or a code of any document, live or not. */
function isPrinted({ numbers, codeDocs }: QueryTerm): boolean {
  return numbers.listed.length > 0 || codeDocs.length > 0;
}

/** Yields the documents with a term as number or code, including documents that are not live. */
function* findPrintedDocs({ numbers, codeDocs }: QueryTerm, documents: Documents): Iterable<DocId> {
  for (const { docs } of numbers.distinct) yield* docs;
  for (const doc of codeDocs) if (!numbers.has(documents.number(doc))) yield doc;
}

/**
 * Returns the names of the documents with any of the terms printed on them. Returns undefined for
 * more than `limit` documents: comparing each candidate's documents is then faster.
 */
function findPrintedNames(
  terms: readonly QueryTerm[],
  documents: Documents,
  limit: number,
): Set<Name> | undefined {
  let count = 0;
  for (const { numbers, codeDocs } of terms) count += numbers.listed.length + codeDocs.length;
  if (count > limit) return undefined;
  const names = new Set<Name>();
  count = 0;
  for (const term of terms) {
    for (const doc of findPrintedDocs(term, documents)) {
      count++;
      if (count > limit) return undefined;
      names.add(documents.name(doc));
    }
  }
  return names;
}
