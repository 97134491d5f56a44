import type { ResolveItem } from '../../resolve/item.ts';

/** A line or row of the input with its item, or the reason why it has none. */
export interface InputRow {
  /** The number of its first line, from 1. */
  readonly line: number;
  /** In the order of the input's columns. A row may have fewer cells than columns. */
  readonly cells: readonly string[];
  /** The members for JSON output, if they differ from the cells by column. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly asks: Asked | NotAsked;
}

export interface Asked {
  readonly item: ResolveItem;
  /** 0 if the row says that it has no copies. */
  readonly copies?: 0;
  /** True if the program identifies cards only by set and number. */
  readonly isNameless?: true;
}

/** Why a line or row is not resolved. */
export interface NotAsked {
  /** `empty` is an empty line of a table, which gets no answer. */
  readonly status: 'not_a_card' | 'unreadable' | 'unknown' | 'empty';
  readonly reason: string;
}

/** The rows of a file. */
export interface InputRows {
  /** Its columns, in their order. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<InputRow> | Iterable<InputRow>;
  /** How the file was read, for people. */
  readonly description: string;
  /** The columns that were not used, if any. */
  readonly unused?: readonly string[];
}

/** The longest cell or line that is read, in characters. */
export const MAX_LENGTH = 1000;

/** Returns the answer for a text that is too long. `what` begins the sentence. */
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

/** Converts a line of text to an item. */
export function askText(text: string): InputRow['asks'] {
  if (text.trim() === '') return { status: 'not_a_card', reason: 'The line is empty.' };
  return text.length > MAX_LENGTH ? tooLong('The line', text) : { item: { text } };
}
