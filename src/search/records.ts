import type { Day } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { DocId } from './cards.ts';

/** A name in the index, shared by all cards that bear it. */
export interface Name {
  /** Its place among all names in the order in which they were added. */
  readonly index: number;
  /** As shown. */
  readonly text: string;
  /** Without the variants in brackets. */
  readonly plain: string;
  readonly words: readonly string[];
  /** Its words run together. */
  readonly key: string;
  /** What also counts as the name: without variants; each face of a card with two. */
  readonly otherKeys: readonly NameKey[];
  /** The first letters of its words, as a set. */
  readonly initials: number;
  /** The first letters of its keys, as a set. */
  readonly openings: number;
  /** The live cards with this name. */
  slots: DocId[];
  /** Its place among all names in alphabetical order. */
  rank: number;
  /** The last search that has looked at it. */
  seen: number;
}

/** A text that counts as a name: its words run together, and how many they are. */
export interface NameKey {
  readonly text: string;
  readonly wordCount: number;
}

/** A printed number in the index, shared by all cards that bear it. */
export interface PrintedNumber {
  /** As printed; empty for cards without a number. */
  readonly text: string;
  /** The folded code of the set where the number holds it: `hvy` of `HVY033`. Else empty. */
  readonly ownCode: string;
  /** The code in front: `op01` of `OP01-025`, `swsh` of `SWSH039`. Empty when there is none. */
  readonly code: string;
  /** What stands behind the slash: `102` of `4/102`. Empty when nothing does. */
  readonly total: string;
  /** The cards that bear it, those that are not live among them. */
  slots: DocId[];
  /** Its place among all numbers. */
  rank: number;
}

/** A set in the index, as it was called when its cards were added. */
export interface KnownSet {
  readonly game: GameSlug;
  /** Its code, folded. */
  readonly code: string;
  /** Null when unknown. */
  readonly released: Day | null;
}
