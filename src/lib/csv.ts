/** Splits a comma-separated text into trimmed parts. An empty text has no parts. */
export function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

/** Writes cells as a line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Makes a text from users safe for a spreadsheet. A text that a spreadsheet would read as a formula
 * gets an apostrophe in front.
 */
export function plainCell(text: string): string {
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}
