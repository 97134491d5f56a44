import type { Card, Printing } from '../domain/card.ts';
import type { GameSlug } from '../domain/games.ts';
import type { Condition } from '../domain/price.ts';

/** What a caller has: a line of text, or what they know of a card; never both empty. */
export interface ResolveItem {
  /** A line of a decklist, a listing's title, or anything else that people write. */
  readonly text?: string;
  readonly name?: string;
  /** A set's name, or a part of it. */
  readonly set?: string;
  readonly setCode?: string;
  readonly setId?: string;
  /** As printed or typed: `4`, `004/102`, `OP01-025`. */
  readonly number?: string;
  readonly rarity?: string;
  readonly game?: GameSlug;
  readonly printing?: string;
  readonly condition?: string;
  readonly language?: string;
  readonly grade?: string;
  readonly year?: number;
  readonly quantity?: number;
  /** External ids by their id space: `tcgplayer`, `scryfall`, … */
  readonly ids?: Readonly<Record<string, string>>;
}

/** The answer for one item. Reasons are sentences for people. */
export type Resolution = Matched | Undecided;

/** One card remains, and nothing in the item contradicts it. */
export interface Matched {
  readonly status: 'matched';
  readonly card: Card;
  /** The printing that the item means; null when the card has none. */
  readonly printing: Printing | null;
  /** 1 where the item gives none. */
  readonly quantity: number;
  readonly condition: Condition | null;
  /** As its company writes it: `PSA 10`, `CGC 9.5`. */
  readonly grade: string | null;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** Several cards fit, or none: nothing is guessed. */
export interface Undecided {
  readonly status: 'ambiguous' | 'unknown';
  /** At most five, the nearest first. */
  readonly candidates: readonly Candidate[];
  /** What would decide, or why nothing fits. */
  readonly reasons: readonly string[];
}

export interface Candidate {
  readonly card: Card;
  /** Why it is a candidate, or what contradicts it. */
  readonly reasons: readonly string[];
}
