import { foldWords } from '../../domain/text.ts';
import { Spelling } from '../spelling.ts';
import { ENTRIES } from './entries.ts';
import { compileEvidence, compileFits, compileFitsPrinting } from './evidence.ts';
import type { Entry, Facts, Meaning, Phrase, PhraseKind } from './phrase.ts';
import { listed } from './table.ts';

export { fitsSetTerms, passes } from './evidence.ts';
export type {
  CompiledEvidence,
  Facts,
  GradeReading,
  Meaning,
  Phrase,
  PhraseKind,
  Span,
  WordTest,
} from './phrase.ts';
export { ENTRIES };

/** The phrases that begin with the same words. */
interface Node {
  readonly next: Map<string, Node>;
  /** The meanings of the words up to here. */
  readonly meanings: Meaning[];
}

/**
 * Finds phrases in a query with a trie of words. Also finds every phrase written as one word:
 * `nearmint`, `psa10`.
 */
class PhraseTable {
  readonly #root = emptyNode();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.#add(entry);
  }

  /** Adds to `found` every phrase that begins at one of the words of a query. */
  find(words: readonly string[], from: number, found: Phrase[]): void {
    let node = this.#root.next.get(words[from] ?? '');
    for (let to = from + 1; node !== undefined; to++) {
      for (const meaning of node.meanings) found.push({ ...meaning, from, to });
      node = node.next.get(words[to] ?? '');
    }
  }

  #add(entry: Entry): void {
    const meaning = meaningOf(entry);
    for (const written of listed(entry.words)) {
      const words = foldWords(written);
      this.#addPhrase(words, meaning);
      this.#addPhrase([words.join('')], meaning);
    }
  }

  #addPhrase(words: readonly string[], meaning: Meaning): void {
    const node = words.reduce(childOf, this.#root);
    if (!node.meanings.includes(meaning)) node.meanings.push(meaning);
  }
}

function meaningOf(entry: Entry): Meaning {
  const { as, means, isFilter = false, games, condition, grade, language } = entry;
  const fitsPrinting = compileFitsPrinting(entry);
  const evidence = entry.evidence && compileEvidence(entry.evidence, fitsPrinting);
  const fits = compileFits(entry, evidence);
  return {
    as,
    means,
    isFilter,
    ...(games && { games }),
    ...(fits && { fits }),
    ...(evidence && { evidence }),
    ...(fitsPrinting && { fitsPrinting }),
    ...(condition && { condition }),
    ...(grade && { grade }),
    ...(language && { language }),
  };
}

function emptyNode(): Node {
  return { next: new Map(), meanings: [] };
}

function childOf(node: Node, word: string): Node {
  const child = node.next.get(word) ?? emptyNode();
  node.next.set(word, child);
  return child;
}

const TABLE = new PhraseTable(ENTRIES);

/** Shorter words are too similar to other words. */
const FEWEST_LETTERS = 6;

/** The kinds of phrases whose words are corrected. */
const CORRECTED: ReadonlySet<PhraseKind> = new Set(['rarity', 'printing', 'treatment', 'language']);
const SPELLING = new Spelling<{ readonly text: string }>(() => true);
const WORDS = ENTRIES.filter(({ as }) => CORRECTED.has(as)).flatMap(({ words }) =>
  foldWords(words),
);
for (const text of new Set(WORDS)) if (text.length >= FEWEST_LETTERS) SPELLING.add({ text });

/**
 * Finds every phrase in the words of a query, in the order typed. Words are folded by `foldWords`.
 * Returns overlapping phrases and every meaning of each phrase. The caller chooses between them.
 */
export function findPhrases(words: readonly string[], thisYear?: number): Phrase[] {
  const found: Phrase[] = [];
  for (const [from, word] of words.entries()) {
    TABLE.find(words, from, found);
    const year = word.length === 4 ? readYear(word, thisYear) : undefined;
    if (year) found.push({ ...year, from, to: from + 1 });
  }
  return found;
}

/** Returns the word of a phrase that is one edit away from `word`; otherwise `word`. */
export function correctPhraseWord(word: string): string {
  const [nearest] = SPELLING.corrections(word);
  return nearest?.edits === 1 ? nearest.term.text : word;
}

function currentYear(): number {
  return new Date().getUTCFullYear();
}

/** The release year of the oldest supported game. */
const FIRST_YEAR = 1993;

/**
 * Reads a word of four characters as a year; undefined if it is not one. Accepts next year, because
 * its sets already sell. A card agrees if its set was released in that year, or if its name or set
 * contains it.
 */
function readYear(word: string, thisYear = currentYear()): Meaning | undefined {
  const year = Number(word);
  if (!(year >= FIRST_YEAR && year <= thisYear + 1)) return undefined;
  const fits = ({ releaseYear, nameTerms, setTerms }: Facts) =>
    releaseYear === year || setTerms.includes(word) || nameTerms.includes(word);
  return { as: 'year', means: word, isFilter: false, fits };
}
