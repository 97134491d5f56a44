/** A cell of a table. Null and undefined are empty cells. */
export type CsvCell = string | number | boolean | null | undefined;

export interface CsvOptions {
  /** Whether programs read the file. Texts are then written as they are. */
  readonly raw?: boolean;
  /** What ends a line; programs of Unix read only the short form, which is the default. */
  readonly lineBreak?: '\n' | '\r\n';
}

/**
 * Writes cells as a line of CSV (RFC 4180) that is safe to open in a spreadsheet: a text that the
 * spreadsheet could run as a formula gets an apostrophe in front. Numbers stay numbers.
 */
export function csvLine(cells: readonly CsvCell[], options: CsvOptions = {}): string {
  const { raw = false, lineBreak = '\n' } = options;
  return cells.map((cell) => csvText(raw ? textOf(cell) : harmless(cell))).join(',') + lineBreak;
}

/** The characters that OWASP names for CSV injection. Some spreadsheets read full-width ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

function harmless(cell: CsvCell): string {
  const text = textOf(cell);
  if (typeof cell !== 'string' || NEGATIVE_NUMBER.test(text)) return text;
  return FORMULA.test(text) ? `'${text}` : text;
}

function textOf(cell: CsvCell): string {
  return String(cell ?? '');
}

/** Writes a text as one cell, in quotes if it needs them. */
export function csvText(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
