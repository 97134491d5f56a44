import type { GameSlug } from '../../domain/games.ts';

/** What a column may say of a card, besides external ids. */
export const FIELDS = [
  'text',
  'name',
  'set',
  'setCode',
  'setId',
  'number',
  'rarity',
  'game',
  'printing',
  'edition',
  'reverse',
  'firstEdition',
  'condition',
  'language',
  'grade',
  'gradingCompany',
  'year',
  'quantity',
] as const;

export type Field = (typeof FIELDS)[number];

/** Headers by field, the first that a table has counts. Only letters and digits are compared. */
export type Headers = Readonly<Partial<Record<Field, readonly string[]>>>;

/** A program or site that writes tables of cards. */
export interface App {
  readonly name: string;
  /** A table that has all of these headers is its own. */
  readonly tells: readonly string[];
  /** Its only game. */
  readonly game?: GameSlug;
  /** What its headers mean where that differs from tables of any origin; none for what it has not. */
  readonly headers?: Headers;
  /** The headers of external ids that are not called by their id space, by id space. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Columns that count the copies of one printing each. */
  readonly counts?: Readonly<Record<string, string>>;
  /** Whether its tables name cards by set and number, so that nothing else has to confirm them. */
  readonly isNameless?: true;
  /** Its own way to write cells that others write otherwise. */
  readonly dialect?: 'cardmarket' | 'pricecharting' | 'dreamborn';
}
