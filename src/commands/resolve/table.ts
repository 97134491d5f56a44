import { OperatorError } from '../../domain/errors.ts';
import { BadRow, type CsvCells, type Delimiter, readCsvCells } from '../../sources/io/csv.ts';
import { type ChosenColumns, type Columns, requireColumns, unusedColumns } from './columns.ts';
import { askRow } from './items.ts';
import type { InputRow, InputRows } from './rows.ts';

/** How a table is read. */
export interface TableOptions {
  readonly delimiter: Delimiter;
  /** How many lines come before the header. */
  readonly skip: number;
  readonly chosen: ChosenColumns;
}

/** A row with the number of its first line. */
interface NumberedCells extends CsvCells {
  readonly line: number;
}

/**
 * Reads a table with a header. Rows that cannot be read are given back as they are written.
 *
 * @throws OperatorError when the header cannot be read, or does not say which cards are meant.
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

/** Says why a row cannot be read; undefined when it can. */
function faultOf({ cells }: CsvCells, head: readonly string[]): string | undefined {
  if (cells instanceof BadRow) return `Its quotation marks are wrong: ${cells.reason}.`;
  if (!isTooLong(cells, head)) return undefined;
  return `It has ${cells.length} cells where the header has ${head.length}.`;
}

const EMPTY = { status: 'empty', reason: 'The line is empty.' } as const;

/** Spreadsheets leave out empty cells at the end, or add some. */
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
