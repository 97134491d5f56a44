import { isOversized, withoutBrackets } from '../domain/card-name.ts';
import type { Day } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import { foldWords } from '../domain/text.ts';

/** The number of a card in the index, which is its row in every column. Never reused. */
export type DocId = number & { readonly __unit: 'doc' };

/** The indexed fields of a card. */
export interface Fields {
  readonly name: Name;
  readonly number: IndexedNumber;
  readonly set: IndexedSet;
  /** Folded; null if the card has none. */
  readonly rarity: string | null;
}

/** A card name in the index: one object for all documents with this name. */
export interface Name {
  /** Numbers names in the order in which they were added, from 0. */
  readonly nameId: number;
  /** As shown. */
  readonly text: string;
  /** As shown, without the variants in brackets. */
  readonly plain: string;
  /** Its terms, in the order of the name. */
  readonly terms: readonly string[];
  /** Its terms written together. */
  readonly folded: string;
  /** Whether the name says that its cards are oversized: `Charizard (Jumbo)`. */
  readonly isOversized: boolean;
  /** Texts that also count as the name: without variants, and each face of a two-faced card. */
  readonly shortNames: readonly ShortName[];
  /** The {@link initialBit}s of its terms. */
  readonly initials: number;
  /** The {@link initialBit}s of the folded name and of its short names. */
  readonly nameInitials: number;
  /** The live documents with this name. */
  docs: DocId[];
  /** Its position in the alphabetical order of all names. */
  ordinal: number;
}

/** A text that counts as the name of a card. */
export interface ShortName {
  /** Its terms written together. */
  readonly folded: string;
  readonly termCount: number;
}

/** A collector number in the index: one object for all documents with it. */
export interface IndexedNumber {
  /** As printed; empty for cards without a number. */
  readonly text: string;
  /**
   * The folded code of the set if the number begins with it: `hvy` of `HVY033`. Otherwise empty.
   */
  readonly ownCode: string;
  /** The code in front: `op01` of `OP01-025`, `swsh` of `SWSH039`. Empty if there is none. */
  readonly code: string;
  /** The total after the slash: `102` of `4/102`. Empty if there is none. */
  readonly total: string;
  /** The documents with this number, including documents that are not live. */
  docs: DocId[];
  /** Its position among all sorted numbers. */
  ordinal: number;
}

/** A version of a set: its code, name and date at the time its cards were added. */
export interface IndexedSet {
  readonly game: GameSlug;
  /** As shown. */
  readonly name: string;
  /** The folded words of its name, without the code in front. */
  readonly terms: readonly string[];
  /** Its code, folded. */
  readonly code: string;
  /** The folded words of the code in front of its name: `xy` of `XY - Evolutions`. */
  readonly leadingCode: readonly string[];
  /** Whether all of its cards are oversized, according to its name: `Jumbo Cards`. */
  readonly isOversized: boolean;
  /** Null when unknown. */
  readonly releaseDay: Day | null;
  /** Null when unknown. */
  readonly releaseYear: number | null;
  /** Its documents, including documents that are not live. */
  docs: DocId[];
}

/** Makes a name. `intern` returns the string that all names share for a term. */
export function makeName(text: string, nameId: number, intern: (term: string) => string): Name {
  const terms = foldWords(text).map(intern);
  const plain = withoutBrackets(text);
  const others = plain.includes(' // ') ? plain.split(' // ') : [];
  if (plain !== text) others.unshift(plain);
  return makeFoldedName({ text, nameId, terms, shortNames: others.map(makeShortName), docs: [] });
}

/** Makes a name from values that are slow to compute. */
export function makeFoldedName({
  text,
  nameId,
  terms,
  shortNames,
  docs,
}: Pick<Name, 'text' | 'nameId' | 'terms' | 'shortNames' | 'docs'>): Name {
  const folded = terms.join('');
  return {
    // The fields that a search reads of every candidate come first, to share a cache line.
    nameId,
    initials: initialBits(terms),
    nameInitials: initialBit(folded) | initialBits(shortNames.map((short) => short.folded)),
    docs,
    folded,
    shortNames: shortNames.length === 0 ? NO_SHORT_NAMES : shortNames,
    terms,
    text,
    plain: withoutBrackets(text),
    isOversized: isOversized(text),
    ordinal: 0,
  };
}

/** Shared by all names without short names, which are the majority. */
const NO_SHORT_NAMES: readonly ShortName[] = [];

function makeShortName(text: string): ShortName {
  const terms = foldWords(text);
  return { folded: terms.join(''), termCount: terms.length };
}

/**
 * Returns the part of a name outside its brackets. Returns the whole name if brackets come before
 * it or between its words.
 */
export function plainPart({ folded, terms, shortNames }: Name): ShortName {
  const [plain] = shortNames;
  const isInFront = plain !== undefined && folded.startsWith(plain.folded);
  return isInFront ? plain : { folded, termCount: terms.length };
}

/** Whether searches see a card with this name. */
export function hasLiveDocs({ docs }: Name): boolean {
  return docs.length > 0;
}

/**
 * Returns the bit of a text's first letter in a 32-bit set. Some letters share a bit, so a set can
 * only prove that a text is absent. It does so without reading the texts, which are elsewhere in
 * memory.
 */
export function initialBit(text: string): number {
  return 1 << (text.charCodeAt(0) & 31);
}

/** Returns the set of the first letters of texts. */
export function initialBits(texts: readonly string[]): number {
  let bits = 0;
  for (const text of texts) bits |= initialBit(text);
  return bits;
}
