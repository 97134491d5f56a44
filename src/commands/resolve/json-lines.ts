import { type ChosenColumns, mapColumns } from './columns.ts';
import { askRow } from './items.ts';
import { askText } from './lines.ts';
import type { InputRow, InputRows } from './rows.ts';

/**
 * Reads JSON with one object a line, as the items of POST /v1/resolve, or with the names that the
 * columns of tables have. A line may be a text in quotation marks, too.
 */
export function readJsonLines(lines: readonly string[], chosen: ChosenColumns): InputRows {
  const columns = [...columnsOf(lines)];
  return { columns, rows: rowsOf(lines, columns, chosen), description: 'JSON lines' };
}

/** The members of all objects, in the order of their first appearance. */
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
    return { status: 'unreadable', reason: 'No member says which card is meant.' };
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
