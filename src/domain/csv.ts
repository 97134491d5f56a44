/** A cell of a table. Null and undefined are empty cells. */
export type CsvCell = string | number | boolean | null | undefined;

export interface CsvOptions {
  /** Whether the file is for programs. Texts are then written unchanged. */
  readonly raw?: boolean;
  /** The line ending. Unix programs read only the short form, which is the default. */
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

/**
 * The characters that OWASP lists for CSV injection. Some spreadsheets also read full-width ones.
 */
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

/** Writes a text as one cell, quoted if needed. */
export function csvText(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
