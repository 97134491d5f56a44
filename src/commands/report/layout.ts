import { styleText } from 'node:util';

/** Lays sections of a report out for a terminal, and for files without colours or cut lines. */

/** Lines are never cut shorter than this, however narrow the terminal is. */
const LEAST_WIDTH = 40;

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** A cell, which stands at the right of its column if it is a number. */
export interface Cell {
  readonly text: string;
  readonly isNumber?: boolean;
  readonly style?: Style;
}

/** Styles a text where the standard output shows colours: on a terminal, unless NO_COLOR is set. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

export function printTitle(title: string): void {
  console.log(`\n${styled('bold', title)}`);
}

/**
 * Prints rows in columns. On a terminal the last column is cut so that no line breaks; names, which
 * may have wide characters, belong there.
 */
export function printRows(rows: readonly (readonly (Cell | string)[])[]): void {
  const cells = rows.map((row) => row.map(cellOf));
  const widths = (cells[0] ?? []).map((_, column) => {
    return Math.max(...cells.map((row) => row[column]?.text.length ?? 0));
  });
  for (const row of cells) console.log(`  ${lineOf(row, widths)}`);
}

function cellOf(cell: Cell | string): Cell {
  return typeof cell === 'string' ? { text: cell } : cell;
}

function lineOf(row: readonly Cell[], widths: readonly number[]): string {
  let left = width() - 2;
  return row
    .map(({ text, isNumber, style }, column) => {
      const size = widths[column] ?? 0;
      const isLast = column === row.length - 1;
      const shown = isLast ? cut(text, left) : text;
      left -= size + 2;
      const padded = isNumber ? shown.padStart(size) : isLast ? shown : shown.padEnd(size);
      return style ? styled(style, padded) : padded;
    })
    .join('  ')
    .trimEnd();
}

function width(): number {
  const { isTTY, columns } = process.stdout;
  return isTTY ? Math.max(columns, LEAST_WIDTH) : Number.POSITIVE_INFINITY;
}

function cut(text: string, size: number): string {
  if (text.length <= size) return text;
  return `${text.slice(0, Math.max(size - 1, 8))}…`;
}
