import type { Card, Printing } from '../domain/card.ts';
import type { NamedCopy } from '../domain/copy.ts';
import type { GameSlug } from '../domain/games.ts';
import type { LanguageCode } from '../domain/languages.ts';
import { foldWords } from '../domain/text.ts';

/** A caller's knowledge of a card: a line of text, fields, or both. At least one is present. */
export interface ResolveItem {
  /** The kind that it must be; if absent, its words decide. */
  readonly kind?: 'card' | 'product';
  readonly upc?: string;
  /** A line of a decklist, a listing's title, or other free text. */
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
  /**
   * The printing that the item means, in the item's language; null if the card has none, or is not
   * known in that language.
   */
  readonly printing: Printing | null;
  /** The item's language; absent if it names none. */
  readonly language?: LanguageCode;
  /** 1 if the item gives none. */
  readonly quantity: number;
  /** Which copy of the printing it means. */
  readonly copy: NamedCopy;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** Several cards fit, or none. The resolver does not guess. */
export interface Undecided {
  readonly status: 'ambiguous' | 'unknown';
  /** The nearest first, as many as the caller asks for. */
  readonly candidates: readonly Candidate[];
  /** The number of candidates. */
  readonly candidateCount: number;
  /** What the caller could add to decide, or why nothing fits. */
  readonly reasons: readonly string[];
  /** The item's language; absent if it names none. */
  readonly language?: LanguageCode;
  /** The copy that the item means, if it is known without the card. */
  readonly copy?: NamedCopy;
  /** Whether the candidates have only a similar name. A name in another language comes first. */
  readonly isMisspelt?: boolean;
}

/** How to resolve items. */
export interface ResolveOptions {
  /** The game of items without one. */
  readonly game?: GameSlug;
  /** The most candidates of an item; {@link MOST_CANDIDATES} by default. */
  readonly maxCandidates?: number;
}

/** The most candidates of an item, unless the caller asks for another number. */
export const MOST_CANDIDATES = 5;

export interface Candidate {
  readonly card: Card;
  /** Why it is a candidate, or what contradicts it. */
  readonly reasons: readonly string[];
}

/*
 * Limits of texts, which keep one from delaying other callers for long. The longest card names have
 * 141 characters and 25 words. Titles on marketplaces have at most 80 characters, and texts that
 * machines read from pictures have about ten numbers.
 */
const MOST_CHARACTERS = 250;
const MOST_WORDS = 40;
const MOST_NUMBERS = 16;

const FIELDS = ['name', 'set', 'setCode', 'setId', 'number', 'rarity', 'printing'] as const;

/** Returns which field of an item, other than its text, is too long; undefined if none is. */
export function whyFieldTooLong(item: ResolveItem): string | undefined {
  for (const field of FIELDS) {
    const text = item[field];
    const reason = text === undefined ? undefined : whyTooLong(`${field}: it`, text);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Returns why a text is too long, as a sentence that begins with `what`. */
export function whyTooLong(what: string, text: string): string | undefined {
  const { length } = text;
  if (length > MOST_CHARACTERS) return refuse(what, length, 'characters', MOST_CHARACTERS);
  if (isShort(text)) return undefined;
  const words = foldWords(text);
  if (words.length > MOST_WORDS) return refuse(what, words.length, 'words', MOST_WORDS);
  const numbers = words.filter((word) => /\d/.test(word)).length;
  return numbers > MOST_NUMBERS ? refuse(what, numbers, 'numbers', MOST_NUMBERS) : undefined;
}

/** Whether a text has no room for too many words or numbers. Other signs may stand for words. */
function isShort(text: string): boolean {
  return text.length < 2 * MOST_NUMBERS && /^[\x20-\x7e]*$/.test(text);
}

/** Trims a text and replaces all white space between words by single spaces. */
export function withSingleSpaces(text: string): string {
  return text.replace(/\s\s+|[^\S ]/g, ' ').trim();
}

function refuse(what: string, count: number, things: string, most: number): string {
  return `${what} has ${count} ${things}; at most ${most} are read.`;
}
