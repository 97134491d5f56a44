import type { Understood } from '../../../src/search/index.ts';
import { withoutWords } from './words.ts';

/** Words of a query and what the search read them as. */
export interface ShownReading {
  /** What the words were read as; `Not understood` for those that it left out. */
  readonly label: string;
  /** Folded, in lower case. */
  readonly words: string;
  /** Whether the words can be removed: those of an alias are other words than the typed ones. */
  readonly isRemovable: boolean;
}

const FILTERS = [
  'set',
  'number',
  'rarity',
  'printing',
  'treatment',
  'year',
  'language',
  'game',
  'condition',
  'grade',
] as const satisfies readonly (keyof Understood)[];

/**
 * Returns how a query was read, as far as it was more than a name, and which of its words were left
 * out. The name is among them only where an alias gave it other words than the query has.
 */
export function readingsOf(understood: Understood, q: string): ShownReading[] {
  const { name } = understood;
  const isTyped = (words: string) => withoutWords(q, words) !== undefined;
  const ignored = understood.ignored.filter(isTyped);
  const shown: (readonly [string, string | null])[] = [
    // First, because a phone shows the first alone.
    ['Not understood', ignored.length > 0 ? ignored.join(' ') : null],
    ['name', name !== null && isTyped(name) ? null : name],
    ...FILTERS.map((field) => [field, understood[field]] as const),
  ];
  return shown.flatMap(([label, words]) => {
    return words === null ? [] : [{ label, words, isRemovable: isTyped(words) }];
  });
}
