import type { GameSlug } from '../../domain/games.ts';
import type { Condition } from '../../domain/price.ts';
import type { GradeReading, PhraseKind } from './phrase.ts';

/** A row of a table: phrases that mean the same, and what of a card agrees with them. */
export interface Entry {
  readonly as: PhraseKind;
  readonly means: string;
  /** As people write them, with commas between them; compared as `foldWords` folds them. */
  readonly words: string;
  /** The games whose cards may agree; all without. */
  readonly games?: readonly GameSlug[];
  /** What else has to agree; without it, every card of these games agrees. */
  readonly evidence?: Evidence;
  readonly isFilter?: true;
  readonly condition?: Condition;
  readonly grade?: GradeReading;
}

/**
 * What agrees with a phrase; one of these is enough. Alternatives have commas between them. Of
 * printings, names and sets they are words that all have to occur, or, with a minus in front, that
 * must not occur: `holofoil -reverse`.
 */
export interface Evidence {
  /** Labels of rarities. */
  readonly rarity?: string;
  readonly printing?: string;
  readonly name?: string;
  readonly set?: string;
  /** The sets that are meant, by their whole names, with or without the code in front. */
  readonly sets?: readonly string[];
}

export const POKEMON: readonly GameSlug[] = ['pokemon', 'pokemonjp'];

/** Returns the phrases, labels or tests of a field, as written. */
export function listed(field: string): string[] {
  return field
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
