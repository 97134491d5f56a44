import type { ResolveItem } from '../../resolve/item.ts';

/** A line or row of the input: what is given back of it, and what it asks. */
export interface InputRow {
  /** The number of its first line, from 1. */
  readonly line: number;
  /** Beside the columns of the input; fewer where the row has fewer. */
  readonly cells: readonly string[];
  /** What JSON gives back of it, if that is more than its cells by column. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly asks: Asked | NotAsked;
}

export interface Asked {
  readonly item: ResolveItem;
  /** Where the row says that there are no copies. */
  readonly copies?: 0;
  /** Where a program names the card by its set and number alone. */
  readonly isNameless?: true;
}

/** Why a line or row is no question for the resolver. */
export interface NotAsked {
  /** `empty` is an empty line of a table, which has no place in the answers. */
  readonly status: 'not_a_card' | 'unreadable' | 'unknown' | 'empty';
  readonly reason: string;
}

/** What a file is made of. */
export interface InputRows {
  /** Its own columns, in its own order. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<InputRow> | Iterable<InputRow>;
  /** What it was read as, for people. */
  readonly description: string;
  /** The columns that say nothing of the cards, as far as is known; none where all are used. */
  readonly unused?: readonly string[];
}

/** Characters. Longer cells are no names and no titles either. */
export const MAX_LENGTH = 1000;

/** What is answered for a text that is too long; `what` begins the sentence. */
export function tooLong(what: string, text: string): NotAsked {
  const reason = `${what} has ${text.length} characters; at most ${MAX_LENGTH} are read.`;
  return { status: 'unreadable', reason };
}

/** Reads plain lines: decklists, titles of listings. */
export function readLines(lines: readonly string[]): InputRows {
  return { columns: ['text'], rows: rowsOf(lines), description: 'lines of text' };
}

function* rowsOf(lines: readonly string[]): Generator<InputRow> {
  for (const [index, text] of lines.entries()) {
    yield { line: index + 1, cells: [text], asks: askText(text) };
  }
}

/** Returns what a line of text asks. */
export function askText(text: string): InputRow['asks'] {
  if (text.trim() === '') return { status: 'not_a_card', reason: 'The line is empty.' };
  return text.length > MAX_LENGTH ? tooLong('The line', text) : { item: { text } };
}
