import type { InputRow, InputRows } from './rows.ts';
import { MAX_LENGTH, tooLong } from './too-long.ts';

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
