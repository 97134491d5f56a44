import { type Day, dayOf } from '../../domain/day.ts';
import { foldWords } from '../../domain/text.ts';
import type { DocId } from '../fields.ts';
import type { DocFilter } from '../filters.ts';
import type { SearchQuery } from '../results.ts';
import { doubt } from './doubt.ts';
import { Evaluator, type Searched } from './evaluate.ts';
import { type Query, readQuery } from './query.ts';
import type { Tree } from './tree.ts';
import { findNames, isName, isQuoted, someNameWith } from './values.ts';

export type { Query };

/** Reads queries of a catalogue, and evaluates their conditions. */
export class Queries {
  readonly #searched: Searched;

  constructor(searched: Searched) {
    this.#searched = searched;
  }

  /** Reads the text of a query. */
  read({ q, dollarsPerEuro }: Pick<SearchQuery, 'q' | 'dollarsPerEuro'>): Query {
    const { index } = this.#searched;
    return readQuery(q, {
      dollarsPerEuro,
      isName: (text) => isName(text, index),
      areInName: (text) => someNameWith(index, foldWords(text), () => true),
      isInText: (words) => this.#isInText(words),
      isQuoted: (text) => isQuoted(text, index),
      hasCard: (id) => this.#searched.docWithId(id) !== undefined,
      doubt: (field, value) => doubt(field, value, this.#searched),
    });
  }

  /** Returns the test of a condition. `today` decides whether prices are stale. */
  compile(condition: Tree, today: Day = dayOf(Date.now())): DocFilter {
    return new Evaluator(this.#searched, today).compile(condition);
  }

  /** Yields the live documents that pass a filter, which includes the condition. */
  *all(condition: Tree | undefined, filter: DocFilter | undefined): Iterable<DocId> {
    const evaluator = new Evaluator(this.#searched, 0 as Day);
    for (const doc of evaluator.candidates(condition)) if (!filter || filter(doc)) yield doc;
  }

  #isInText(words: readonly string[]): boolean {
    const { index } = this.#searched;
    if (findNames(index, words).some(({ docs }) => docs.length > 0)) return true;
    const phrase = ` ${words.join(' ')} `;
    const sets = index.setWords.get(words[0] ?? '')?.sets ?? [];
    return sets.some(({ terms }) => ` ${terms.join(' ')} `.includes(phrase));
  }
}

/** Whether a query has no words to look for, but says which cards it means or in which order. */
export function isWithoutWords({ text, condition, sort }: Query): boolean {
  const isNarrowed = condition !== undefined || sort !== undefined;
  return isNarrowed && foldWords(text).length === 0;
}
