import type { Documents } from './documents.ts';
import type { DocId, Name } from './fields.ts';
import { hasLiveDocs } from './names.ts';
import type { QueryTerm } from './query.ts';
import type { TermMatch } from './ranking.ts';

/** The term of a query with the fewest names and documents, and how many they are. */
export interface RarestTerm {
  readonly term: QueryTerm;
  readonly count: number;
}

/** Finds the rarest term; undefined when there is no term at all. */
export function findRarestTerm(terms: readonly QueryTerm[]): RarestTerm | undefined {
  let rarest: RarestTerm | undefined;
  const withMinimum = terms.map((term) => ({ term, minimum: minCount(term) }));
  for (const { term, minimum } of withMinimum.sort((a, b) => a.minimum - b.minimum)) {
    // No later term can be rarer, and counting the documents of all its numbers would take long.
    if (rarest && minimum >= rarest.count) break;
    const { listed, docCount } = term.numbers;
    const count = minimum - listed.length + docCount;
    if (!rarest || count < rarest.count) rarest = { term, count };
  }
  return rarest;
}

/** How many names and documents a term leads to at least: counts one document for each number. */
function minCount({ prefix, infix, compounds, corrections, numbers, codeDocs }: QueryTerm): number {
  let count = prefix.postings.count + numbers.listed.length + codeDocs.length;
  if (infix) count += infix.postings.count;
  for (const { names } of compounds) count += names.length;
  for (const { term } of corrections.values()) count += term.postings.count;
  return count;
}

/** Names that a term matches in the same way. */
interface Candidates {
  readonly match: TermMatch;
  readonly names: readonly Name[];
}

/**
 * How many names a step of the search processes before the next step begins.
 *
 * Names are scattered over memory, and a search that matches thousands mostly waits for them. The
 * waits of a short loop overlap. When all steps are done for one name before the next name, the
 * waits add up, and the search takes two or three times as long.
 */
const BATCH_SIZE = 256;

/** The names that one search has visited, as a bitmap over name ids. */
export class VisitedNames {
  readonly #bits: Uint32Array;

  constructor(nameCount: number) {
    this.#bits = new Uint32Array((nameCount >>> 5) + 1);
  }

  has({ nameId }: Name): boolean {
    return ((this.#bits[nameId >>> 5] ?? 0) & (1 << (nameId & 31))) !== 0;
  }

  add({ nameId }: Name): void {
    const i = nameId >>> 5;
    this.#bits[i] = (this.#bits[i] ?? 0) | (1 << (nameId & 31));
  }
}

/**
 * Yields the names with live documents that a term matches, in batches and each once: adds them to
 * `visited`, and leaves out those that are in it.
 */
export function* proposeCandidates(term: QueryTerm, visited: VisitedNames): Iterable<Candidates> {
  for (const { match, names } of findNames(term)) {
    for (let from = 0; from < names.length; from += BATCH_SIZE) {
      yield { match, names: visitNew(names.slice(from, from + BATCH_SIZE), visited) };
    }
  }
}

/** Yields all names that a term matches; a name that comes again comes with no better match. */
function* findNames({
  text,
  prefix,
  infix,
  compounds,
  corrections,
}: QueryTerm): Iterable<Candidates> {
  const partial = { text, isWhole: false, edits: 0 };
  const [first] = prefix.terms;
  if (first?.text === text) {
    yield { match: { ...partial, isWhole: true }, names: first.postings.toArray() };
  }
  yield { match: partial, names: prefix.postings.toArray() };
  if (infix) yield { match: partial, names: infix.postings.toArray() };
  for (const { isWhole, names, isIn } of compounds) {
    yield { match: { text, isWhole, edits: 0 }, names: names.filter(isIn) };
  }
  for (const { term, edits } of corrections.values()) {
    const match = { text: term.text, isWhole: true, edits };
    yield { match, names: term.postings.toArray() };
  }
}

function visitNew(names: readonly Name[], visited: VisitedNames): Name[] {
  const added: Name[] = [];
  for (const name of names) {
    if (visited.has(name) || !hasLiveDocs(name)) continue;
    visited.add(name);
    added.push(name);
  }
  return added;
}

/** Whether a term is the number or a code of any document, live or not. */
export function isPrinted({ numbers, codeDocs }: QueryTerm): boolean {
  return numbers.listed.length > 0 || codeDocs.length > 0;
}

/** Yields the documents with a term as their number or code, those not live among them. */
export function* findPrintedDocs(
  { numbers, codeDocs }: QueryTerm,
  documents: Documents,
): Iterable<DocId> {
  for (const { docs } of numbers.distinct) yield* docs;
  for (const doc of codeDocs) if (!numbers.has(documents.number(doc))) yield doc;
}

/**
 * Returns the names of the documents on which any of the terms is printed. Returns undefined when
 * these documents are more than `limit`: then comparing each candidate's documents is quicker.
 */
export function findPrintedNames(
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
