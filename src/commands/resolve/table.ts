import { OperatorError } from '../../domain/errors.ts';
import { BadRow, type CsvCells, type Delimiter, readCsvCells } from '../../sources/io/csv.ts';
import {
  type ChosenColumns,
  type Columns,
  mapColumns,
  requireColumns,
  unusedColumns,
} from './columns.ts';
import { askRow } from './items.ts';
import { askText, type InputRow, type InputRows } from './rows.ts';

/** How to read a table. */
interface TableOptions {
  readonly delimiter: Delimiter;
  /** Lines before the header. */
  readonly skip: number;
  readonly chosen: ChosenColumns;
}

/** A row with the line number of its first line. */
interface NumberedCells extends CsvCells {
  readonly line: number;
}

/**
 * Reads a table with a header. Unreadable rows are returned as they were written.
 *
 * @throws OperatorError if the header cannot be read or does not identify cards.
 */
export async function readTable(
  name: string,
  lines: readonly string[],
  options: TableOptions,
): Promise<InputRows> {
  const rows = numbered(lines.slice(options.skip), options);
  const { value: first } = await rows.next();
  const head = first?.cells ?? [];
  if (head instanceof BadRow) {
    throw new OperatorError(`${name} has no header that can be read: ${head.reason}.`);
  }
  const names = head.map((cell) => cell.trim());
  const columns = requireColumns(names, options.chosen);
  return {
    columns: names,
    rows: readRows(rows, names, columns),
    description: describe(names, columns),
    unused: unusedColumns(names, columns),
  };
}

async function* numbered(
  lines: readonly string[],
  { delimiter, skip }: TableOptions,
): AsyncGenerator<NumberedCells, undefined> {
  let line = skip + 1;
  for await (const row of readCsvCells(lines, delimiter)) {
    yield { ...row, line };
    line += row.text.split('\n').length;
  }
}

async function* readRows(
  rows: AsyncIterable<NumberedCells>,
  head: readonly string[],
  columns: Columns,
): AsyncGenerator<InputRow> {
  for await (const row of rows) {
    const { line, text, cells } = row;
    const fault = faultOf(row, head);
    if (fault !== undefined) {
      const asks = { status: 'unreadable', reason: fault } as const;
      yield { line, cells: [text], members: { text }, asks };
    } else if (!(cells instanceof BadRow)) {
      const all = cells.length === 0 ? [EMPTY] : askRow(cells, columns);
      for (const asks of all) yield { line, cells, asks };
    }
  }
}

/** Returns why a row cannot be read; undefined if it can. */
function faultOf({ cells }: CsvCells, head: readonly string[]): string | undefined {
  if (cells instanceof BadRow) return `Its quotation marks are wrong: ${cells.reason}.`;
  if (!isTooLong(cells, head)) return undefined;
  return `It has ${cells.length} cells where the header has ${head.length}.`;
}

const EMPTY = { status: 'empty', reason: 'The line is empty.' } as const;

/** Whether a row has too many cells. Spreadsheets may add or omit empty cells at the end. */
function isTooLong(cells: readonly string[], head: readonly string[]): boolean {
  return cells.slice(head.length).some((cell) => cell.trim() !== '');
}

/** `a table of ManaBox: name in "Name", setCode in "Set code", …`. */
function describe(head: readonly string[], { app, places, ids, counts }: Columns): string {
  const meanings = [...places, ...ids].map(([meaning, place]) => `${meaning} in "${head[place]}"`);
  const counted = [...counts].map(
    ([place, printing]) => `copies of ${printing} in "${head[place]}"`,
  );
  const origin = app ? `a table of ${app.name}` : 'a table';
  return `${origin}: ${[...meanings, ...counted].join(', ')}`;
}

/**
 * Reads JSON with one object per line. The fields are those of POST /v1/resolve items, or the
 * headers of tables. A line may also be a JSON string.
 */
export function readJsonLines(lines: readonly string[], chosen: ChosenColumns): InputRows {
  const columns = [...columnsOf(lines)];
  return { columns, rows: rowsOf(lines, columns, chosen), description: 'JSON lines' };
}

/** Returns the members of all objects, in the order of their first appearance. */
function columnsOf(lines: readonly string[]): Set<string> {
  const columns = new Set<string>();
  for (const line of lines) {
    const value = parse(line);
    if (isObject(value)) for (const name of Object.keys(value)) columns.add(name);
    else if (line.trim() !== '') columns.add('text');
  }
  return columns;
}

function* rowsOf(
  lines: readonly string[],
  columns: readonly string[],
  chosen: ChosenColumns,
): Generator<InputRow> {
  for (const [index, line] of lines.entries()) {
    yield { line: index + 1, ...readValue(line, parse(line), columns, chosen) };
  }
}

function readValue(
  line: string,
  value: unknown,
  columns: readonly string[],
  chosen: ChosenColumns,
): Omit<InputRow, 'line'> {
  if (isObject(value)) {
    return {
      cells: columns.map((name) => cellOf(value[name])),
      members: value,
      asks: ask(value, chosen),
    };
  }
  const text = typeof value === 'string' ? value : line;
  const cells = columns.map((name) => (name === 'text' ? text : ''));
  const asks = typeof value === 'string' ? askText(text) : refuse(line);
  return { cells, members: { text }, asks };
}

type Members = Readonly<Record<string, unknown>>;

function ask(value: Members, chosen: ChosenColumns): InputRow['asks'] {
  const columns = mapColumns(Object.keys(value), chosen);
  if (!columns) {
    return { status: 'unreadable', reason: 'No field identifies the card.' };
  }
  const cells = Object.values(value).map((member) =>
    typeof member === 'object' ? '' : cellOf(member),
  );
  const [asks] = askRow(cells, { ...columns, counts: new Map() });
  return asks ?? refuse('');
}

function refuse(line: string): InputRow['asks'] {
  if (line.trim() === '') return { status: 'empty', reason: 'The line is empty.' };
  return { status: 'unreadable', reason: 'The line is neither a JSON object nor a JSON string.' };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
