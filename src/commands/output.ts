import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { formatMoment, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';

/** Prints a value as JSON, for programs. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Prints rows under headings, in columns as wide as their widest cell; `empty` when there are none. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): void {
  if (rows.length === 0) {
    console.log(empty);
    return;
  }
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Prints values as a JSON array, page by page as they are read. */
export async function printJsonPages(pages: AsyncIterable<readonly unknown[]>): Promise<void> {
  let isFirst = true;
  for await (const page of pages) {
    for (const value of page) {
      const text = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
      process.stdout.write(`${isFirst ? '[' : ','}\n  ${text}`);
      isFirst = false;
    }
  }
  console.log(isFirst ? '[]' : '\n]');
}

/** A count as people read it: `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** A moment as people and programs read it; `null` stays null. */
export function formatOptionalMoment(moment: Millis | null): string | null {
  return moment === null ? null : formatMoment(moment);
}

/** Writes cells as a line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Writes text to a file, or to the standard output without one, no faster than it is taken there.
 *
 * @throws OperatorError when the file cannot be written.
 */
export async function writeText(text: AsyncIterable<string>, file?: string): Promise<void> {
  if (file === undefined) return pipeline(text, process.stdout, { end: false });
  try {
    await pipeline(text, createWriteStream(file));
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== 'open' && syscall !== 'write') throw error;
    throw new OperatorError(`${file} cannot be written: ${message}.`, { cause: error });
  }
}
