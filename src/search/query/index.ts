import { type Day, dayOf } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { LocalPrices } from '../../domain/local-prices.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { DocId } from '../fields.ts';
import type { DocFilter } from '../filters.ts';
import type { SearchQuery } from '../results.ts';
import { doubt } from './doubt.ts';
import { Evaluator, type Searched } from './evaluate.ts';
import { type Query, readQuery } from './query.ts';
import type { Tree } from './tree.ts';
import { findNames, gamesOf, hasSequence, isName, isQuoted, someNameWith } from './values.ts';

/** Only dollars: without rates, amounts in other currencies are a problem. */
const PLAIN_DOLLARS = new LocalPrices('USD', [], 0 as Day);

export { isCalled } from './values.ts';
export type { Query };

/** Parses queries for a catalogue, and evaluates their conditions. */
export class Queries {
  readonly #searched: Searched;

  constructor(searched: Searched) {
    this.#searched = searched;
  }

  /** Reads the text of a query. */
  read({ q, local = PLAIN_DOLLARS }: Pick<SearchQuery, 'q' | 'local'>): Query {
    const { index } = this.#searched;
    return readQuery(q, {
      local,
      isName: (text) => isName(text, index),
      areInName: (text) => someNameWith(index, foldWords(text), () => true),
      isInName: (words) => this.#isInName(words),
      isInText: (words) => this.#isInText(words),
      isQuoted: (text) => isQuoted(text, index),
      hasCard: (id) => this.#searched.docWithId(id) !== undefined,
      doubt: (field, value) => doubt(field, value, this.#searched),
    });
  }

  /** Returns the test for a condition. `today` decides whether prices are stale. */
  compile(
    condition: Tree,
    { today = dayOf(Date.now()), local }: Pick<SearchQuery, 'today' | 'local'>,
  ): DocFilter {
    return new Evaluator(this.#searched, today, local).compile(condition);
  }

  /** Calls `visit` with live documents that include all matches of a condition. */
  visitCandidates(condition: Tree | undefined, visit: (doc: DocId) => void): void {
    new Evaluator(this.#searched, 0 as Day).visitCandidates(condition, visit);
  }

  #isInName(words: readonly string[]): boolean {
    return findNames(this.#searched.index, words).some(({ docs }) => docs.length > 0);
  }

  #isInText(words: readonly string[]): boolean {
    const sets = this.#searched.index.setWords.get(words[0] ?? '')?.sets ?? [];
    return this.#isInName(words) || sets.some(({ terms }) => hasSequence(terms, words));
  }
}

/** Whether a query has no words to search for, but conditions or an order. */
export function isWithoutWords({ text, condition, sort }: Query): boolean {
  const isNarrowed = condition !== undefined || sort !== undefined;
  return isNarrowed && foldWords(text).length === 0;
}

/** Returns the game that a condition demands, which decides how words are read. */
export function gameOf(condition: Tree): GameSlug | undefined {
  const parts = condition.kind === 'all' ? condition.of : [condition];
  const test = parts.find((part) => part.kind === 'text' && part.field === 'game');
  const [game, ...others] = test?.kind === 'text' ? gamesOf(test.value) : [];
  return others.length === 0 ? game : undefined;
}

/** Returns the folded names that a condition has as alternatives: `mew or mewtwo`. */
export function namesIn(condition: Tree): ReadonlySet<string> {
  if (condition.kind === 'text' && condition.field === 'name') {
    return new Set([foldText(condition.value)]);
  }
  if (condition.kind === 'all') return new Set(condition.of.flatMap((part) => [...namesIn(part)]));
  if (condition.kind !== 'any') return new Set();
  return new Set(condition.of.flatMap((part) => [...namesIn(part), ...wordsOf(part)]));
}

/** Returns the folded text of an alternative that consists only of words. */
function wordsOf(tree: Tree): string[] {
  const parts = tree.kind === 'all' ? tree.of : [tree];
  const words = parts.flatMap((part) => (part.kind === 'words' ? [part.words] : []));
  return words.length === parts.length ? [words.join('').replaceAll(' ', '')] : [];
}
