/** Writes cells as a line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A text that others chose, for a cell that people open in a spreadsheet: one that would be taken
 * for a formula begins with an apostrophe, which makes it a text.
 */
export function plainCell(text: string): string {
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}
