import { type ChosenColumns, shown } from './columns.ts';
import { type DecodedText, decodeInput } from './encoding.ts';
import { type Format, type FoundFormat, findFormat } from './format.ts';
import type { Input } from './input.ts';
import { readJsonLines } from './json-lines.ts';
import { readLines } from './lines.ts';
import type { InputRows } from './rows.ts';
import { readTable } from './table.ts';
import type { OutputFormat } from './write.ts';

/** What the operator says of a file. */
export interface ReadOptions {
  readonly format?: Format;
  readonly chosen: ChosenColumns;
}

/** A file whose lines or rows can be read. */
export interface OpenedList extends InputRows {
  readonly lineCount: number;
  /** The form of the answers unless the operator wants another. */
  readonly answersAs: OutputFormat;
  /** What the operator should know of how it was read. */
  readonly notes: readonly string[];
}

/**
 * Opens a file by what it is.
 *
 * @throws OperatorError when it is not text, or none of the forms.
 */
export async function openList(input: Input, options: ReadOptions): Promise<OpenedList> {
  const { name } = input;
  const text = decodeInput(input);
  const { lines } = text;
  const found = await findFormat(name, lines, options.format);
  const rows = await readFormat(name, lines, found, options);
  return {
    ...rows,
    lineCount: lines.length,
    answersAs: found.format === 'ndjson' ? 'ndjson' : 'csv',
    notes: [
      `${name} is read as ${rows.description}.`,
      ...unusedNotes(rows),
      ...encodingNotes(name, text),
    ],
  };
}

function readFormat(
  name: string,
  lines: readonly string[],
  found: FoundFormat,
  { chosen }: ReadOptions,
): InputRows | Promise<InputRows> {
  if ('delimiter' in found) return readTable(name, lines, { ...found, chosen });
  return found.format === 'lines' ? readLines(lines) : readJsonLines(lines, chosen);
}

function unusedNotes({ unused = [] }: InputRows): string[] {
  if (unused.length === 0) return [];
  return [`Not used: ${shown(unused)}. If one of them says which card is meant, see --columns.`];
}

function encodingNotes(name: string, { windowsLines }: DecodedText): string[] {
  const [first] = windowsLines;
  if (first === undefined) return [];
  const count = windowsLines.length;
  const what = count === 1 ? `line ${first} is` : `${count} lines are (the first is line ${first})`;
  return [
    `Warning: ${name} is not all UTF-8: ${what} read as Windows-1252. If names look wrong, save it ` +
      'as UTF-8.',
  ];
}
