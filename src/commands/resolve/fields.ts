import type { GameSlug } from '../../domain/games.ts';

/** What a column may say of a card. The last five are external ids by their id space. */
export const FIELDS = [
  'text',
  'name',
  'set',
  'setCode',
  'setId',
  'number',
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
  'tcgplayer',
  'scryfall',
  'cardmarket',
  'mtgjson',
  'pricecharting',
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
  /** Columns that count the copies of one printing each. */
  readonly counts?: Readonly<Record<string, string>>;
  /** Its own way to write cells that others write otherwise. */
  readonly dialect?: 'cardmarket' | 'pricecharting' | 'dreamborn';
}
