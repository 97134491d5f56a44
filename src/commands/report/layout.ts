import { escapeControls } from '../../lib/control-characters.ts';
import { printLine, type Style, type StyledText } from '../output.ts';

/** Lays sections of a report out for a terminal, and for files without colours or cut lines. */

/** Lines are never cut shorter than this, however narrow the terminal is. */
const LEAST_WIDTH = 40;

/** A cell, which stands at the right of its column if it is a number. */
export interface Cell {
  readonly text: string;
  readonly isNumber?: boolean;
  readonly style?: Style;
}

export function printTitle(title: string): void {
  printLine();
  printLine({ style: 'bold', text: title });
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
  for (const row of cells) printLine('  ', ...lineOf(row, widths));
}

function cellOf(cell: Cell | string): Cell {
  const { text, ...rest } = typeof cell === 'string' ? { text: cell } : cell;
  return { ...rest, text: escapeControls(text) };
}

function lineOf(row: readonly Cell[], widths: readonly number[]): (string | StyledText)[] {
  let left = width() - 2;
  const parts = row.flatMap(({ text, isNumber, style }, column) => {
    const size = widths[column] ?? 0;
    const isLast = column === row.length - 1;
    const shown = isLast ? cut(text, left) : text;
    left -= size + 2;
    const padded = isNumber ? shown.padStart(size) : isLast ? shown : shown.padEnd(size);
    return [column === 0 ? '' : '  ', style ? { style, text: padded } : padded];
  });
  return withoutTrailingSpace(parts);
}

function withoutTrailingSpace(parts: readonly (string | StyledText)[]): (string | StyledText)[] {
  const end = parts.findLastIndex((part) => typeof part !== 'string' || part.trimEnd() !== '');
  return parts.slice(0, end + 1).map((part, index) => {
    return index === end && typeof part === 'string' ? part.trimEnd() : part;
  });
}

function width(): number {
  const { isTTY, columns } = process.stdout;
  return isTTY ? Math.max(columns, LEAST_WIDTH) : Number.POSITIVE_INFINITY;
}

function cut(text: string, size: number): string {
  if (text.length <= size) return text;
  return `${text.slice(0, Math.max(size - 1, 8))}…`;
}
