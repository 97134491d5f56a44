import { extname } from 'node:path';
import { OperatorError } from '../../domain/errors.ts';
import { BadRow, type Delimiter, readCsvCells } from '../../sources/io/csv.ts';
import { type ChosenColumns, mapColumns, shown } from './columns.ts';
import { type DecodedText, decodeInput, type Input } from './input.ts';
import { type InputRows, readLines } from './rows.ts';
import { readJsonLines, readTable } from './table.ts';
import type { OutputFormat } from './write.ts';

/** The operator's options for a file. */
export interface ReadOptions {
  readonly format?: Format;
  readonly chosen: ChosenColumns;
}

/** A file that was opened for reading its lines or rows. */
export interface OpenedList extends InputRows {
  readonly lineCount: number;
  /** The default format of the answers. */
  readonly answersAs: OutputFormat;
  /** Messages about how the file was read. */
  readonly notes: readonly string[];
}

/**
 * Opens a file and detects its format.
 *
 * @throws OperatorError if it is not text or not in a supported format.
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
  return [`Not used: ${shown(unused)}. If one of them identifies the card, see --columns.`];
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

/** The supported formats of lists. */
export const FORMATS = ['csv', 'tsv', 'ndjson', 'lines'] as const;

export type Format = (typeof FORMATS)[number];

/** The detected format of a file. */
type FoundFormat =
  | { readonly format: 'ndjson' | 'lines' }
  | {
      readonly format: 'csv' | 'tsv';
      readonly delimiter: Delimiter;
      /** Lines before the header. */
      readonly skip: number;
    };

/**
 * Detects the format of a file: JSON lines by the first line, a table by a header whose columns
 * identify cards, and anything else by the name of the file.
 *
 * @throws OperatorError for JSON that is not one object per line.
 */
async function findFormat(
  name: string,
  lines: readonly string[],
  chosen: Format | undefined,
): Promise<FoundFormat> {
  if (chosen === 'lines' || chosen === 'ndjson') return { format: chosen };
  const first = lines.find((line) => line.trim() !== '') ?? '';
  if (chosen === undefined && isJsonObject(first)) return { format: 'ndjson' };
  if (chosen === undefined && /^(?:\{|\[|\[\s*[{"].*)$/.test(first.trim())) refuseDocument(name);
  const table = await findTable(lines, chosen);
  if (table) return table;
  const format = chosen ?? formatOfName(name);
  if (format !== 'csv' && format !== 'tsv') return { format };
  const skip = Math.max(lines.indexOf(first), 0);
  return { format, delimiter: format === 'tsv' ? '\t' : likeliest(first), skip };
}

function isJsonObject(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false;
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

function refuseDocument(name: string): never {
  throw new OperatorError(
    `${name} is a single JSON document. Write one object per line, for example with jq -c '.[]'.`,
  );
}

const DELIMITERS: readonly Delimiter[] = [',', '\t', ';', '|'];

/** The first line of some files for Excel declares the delimiter: `sep=;`. */
const DECLARED = /^"?sep=(.)"?[,;\t|]*$/i;

/** Finds a table. It may start with empty lines and, like Dragon Shield's, with the delimiter. */
async function findTable(
  lines: readonly string[],
  chosen: 'csv' | 'tsv' | undefined,
): Promise<FoundFormat | undefined> {
  let skip = lines.findIndex((line) => line.trim() !== '');
  const declared = DECLARED.exec(lines[skip] ?? '')?.[1];
  if (declared !== undefined) skip += 1;
  const known = DELIMITERS.filter((one) => (declared ?? one) === one);
  const candidates = chosen === 'tsv' ? (['\t'] as const) : known;
  for (const delimiter of candidates) {
    const head = await headOf(lines.slice(skip, skip + MAX_HEAD_LINES), delimiter);
    const isTable = head.length > 1 || declared !== undefined || isName(head[0]);
    if (isTable && mapColumns(head)) return { format: formatOf(delimiter), delimiter, skip };
  }
  if (declared === undefined || known[0] === undefined) return undefined;
  return { format: formatOf(known[0]), delimiter: known[0], skip };
}

function formatOf(delimiter: Delimiter): 'csv' | 'tsv' {
  return delimiter === '\t' ? 'tsv' : 'csv';
}

/** Cells of a header may contain line breaks. */
const MAX_HEAD_LINES = 20;

async function headOf(lines: readonly string[], delimiter: Delimiter): Promise<readonly string[]> {
  for await (const { cells } of readCsvCells(lines, delimiter)) {
    return cells instanceof BadRow ? [] : cells;
  }
  return [];
}

/** Whether a single cell is the header of a table with one column, and not a card. */
function isName(cell: string | undefined): boolean {
  return cell !== undefined && /^"?(?:card ?)?name"?$/i.test(cell.trim());
}

function formatOfName(name: string): Format {
  const extension = extname(name).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.tsv' || extension === '.tab') return 'tsv';
  return ['.jsonl', '.ndjson', '.json'].includes(extension) ? 'ndjson' : 'lines';
}

/** Returns the delimiter that occurs most often in a line. */
function likeliest(line: string): Delimiter {
  const count = (delimiter: Delimiter) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}
