import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import { withCommands } from '../config/command-name.ts';
import { formatMoment, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { escapeControls, escapeControlsInLines } from '../lib/control-characters.ts';

/**
 * Prints the output of commands. Commands must not print in any other way, because names and texts
 * from sources can contain control sequences for the terminal.
 */

/**
 * The exit codes of all commands: 1 for an error and for bad news, such as a stale source; 2 for
 * wrong usage, as in most shells; 3 if an import, a sync or `resolve` left something out; 70 for a
 * bug, as in sysexits.h.
 */
export const EXIT = { success: 0, failure: 1, usage: 2, incomplete: 3, unexpected: 70 } as const;

let isOutputBroken = false;

/**
 * Makes a command end with an error if its output cannot be written, for example on a full disk.
 * The command still finishes its work: an import publishes, and frees its lock. It ends at once and
 * without an error if the reader closes the pipe, as in `cardprice key list | head -1`. If standard
 * error cannot be written, nothing happens.
 */
export function watchOutput(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(EXIT.success);
    if (!isOutputBroken) printError(`The output cannot be written: ${message}.`);
    isOutputBroken = true;
    process.exitCode = EXIT.failure;
  });
  // Often the same file. There is nowhere left to report this, and it must not end a service.
  process.stderr.on('error', () => {});
}

/** A part of a line that stands out on a terminal. */
export interface StyledText {
  readonly style: Style;
  readonly text: string;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/**
 * Prints these parts as one line on the standard output. Control characters, including line breaks,
 * are shown as `\u001b`.
 */
export function printLine(...parts: readonly (string | StyledText)[]): void {
  console.log(parts.map(shownPart).join(''));
}

/** Like {@link printLine}, on the standard error output. */
export function printErrorLine(line: string): void {
  console.error(withCommands(escapeControls(line)));
}

/** Prints on standard error that work waits for its database. */
export function reportOutage(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  printErrorLine(
    `The database was lost: ${reason}. Waiting for it, at most 5 minutes, to start again.`,
  );
}

/** Styles a part if the standard output is a terminal and NO_COLOR is not set. */
function shownPart(part: string | StyledText): string {
  if (typeof part === 'string') return withCommands(escapeControls(part));
  return styleText(part.style, escapeControls(part.text), { stream: process.stdout });
}

/** Prints an error in the one form that all commands share. The message is a sentence. */
export function printError(message: string): void {
  printErrorLine(`cardprice: ${message}`);
}

/** Writes the help of the command line parser, which has several lines. */
export const PARSER_OUTPUT = {
  writeOut: (text: string) => process.stdout.write(withCommands(escapeControlsInLines(text))),
  writeErr: (text: string) => process.stderr.write(withCommands(escapeControlsInLines(text))),
};

/** Prints a value as JSON, for programs. */
export function printJson(value: unknown): void {
  console.log(jsonText(value));
}

/** Returns JSON with all control characters escaped. */
function jsonText(value: unknown): string {
  return escapeControlsInLines(JSON.stringify(value, null, 2));
}

/** Prints rows in aligned columns under headings, or `empty` if there are no rows. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): void {
  if (rows.length === 0) {
    printLine(empty);
    return;
  }
  const lines = [headings, ...rows].map((line) => line.map(escapeControls));
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    printLine(cells.join('  ').trimEnd());
  }
}

/** Prints values as a JSON array, page by page while they are read. */
export async function printJsonPages(pages: AsyncIterable<readonly unknown[]>): Promise<void> {
  let isFirst = true;
  for await (const page of pages) {
    for (const value of page) {
      const text = jsonText(value).replaceAll('\n', '\n  ');
      process.stdout.write(`${isFirst ? '[' : ','}\n  ${text}`);
      isFirst = false;
    }
  }
  console.log(isFirst ? '[]' : '\n]');
}

/** Formats a count for people: `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a moment like {@link formatMoment}; returns null for null. */
export function formatOptionalMoment(moment: Millis | null): string | null {
  return moment === null ? null : formatMoment(moment);
}

/**
 * Writes text to a file, or to the standard output if there is no file, with backpressure. Control
 * characters are escaped only for a terminal.
 *
 * @throws OperatorError if the file cannot be written.
 */
export async function writeText(text: AsyncIterable<string>, file?: string): Promise<void> {
  if (file === undefined) return writeOutput(process.stdout.isTTY ? shownLines(text) : text);
  try {
    await pipeline(text, createWriteStream(file));
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== 'open' && syscall !== 'write') throw error;
    throw new OperatorError(`${file} cannot be written: ${message}.`, { cause: error });
  }
}

async function writeOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false });
  } catch (error) {
    // `watchOutput` has reported it.
    if (!isOutputBroken) throw error;
  }
}

async function* shownLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of text) yield escapeControlsInLines(part);
}
