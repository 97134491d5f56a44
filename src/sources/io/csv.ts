import Papa from 'papaparse';
import { decodeText, MalformedText, splitLines } from './text.ts';

/**
 * CSV tables. Papa Parse reads rows that have quotation marks. This file decides where a row begins
 * and ends, so a misplaced quotation mark spoils only one line, not all that follow.
 * `docs/adr/0014-libraries-kept-and-left.md` compares this with libraries that read whole files.
 */

/** A row, by the column names of the header. */
export type CsvRow = Readonly<Record<string, string>>;

/** A row that cannot be read. Reading continues after it. */
export class BadRow {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Reads CSV text (RFC 4180) with a header. Omits empty lines. A line break within a cell is `\n`.
 * Reads only as fast as the rows are consumed.
 *
 * @throws MalformedText if the bytes are not UTF-8, or the header cannot be read.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  delimiter: Delimiter = ',',
): AsyncGenerator<CsvRow | BadRow> {
  let header: readonly string[] | undefined;
  for await (const { cells } of readCsvCells(splitLines(decodeText(bytes)), delimiter)) {
    if (cells instanceof BadRow) {
      if (!header) throw new MalformedText(`no header: ${cells.reason}`);
      yield cells;
    } else if (cells.length > 0) {
      if (header) yield toRow(header, cells);
      else header = cells.map((name) => name.trim());
    }
  }
}

/** Possible separators between two cells. */
export type Delimiter = ',' | '\t' | ';' | '|';

/** The cells of a row whose column names are not yet known. */
export interface CsvCells {
  /**
   * As written. The lines of a row with several lines are joined by `
   * `.
   */
  readonly text: string;
  /** Empty for an empty line. */
  readonly cells: readonly string[] | BadRow;
}

/**
 * Reads the rows of CSV text (RFC 4180), given line by line without line ends: each row, and an
 * empty line as a row without cells. Reads only as fast as the rows are consumed.
 */
export async function* readCsvCells(
  lines: AsyncIterable<string> | Iterable<string>,
  delimiter: Delimiter,
): AsyncGenerator<CsvCells> {
  const assembler = new RowAssembler(delimiter);
  for await (const line of lines) {
    if (!assembler.isEmpty || line.includes('"')) yield* assembler.add(line);
    else yield { text: line, cells: line === '' ? [] : line.split(delimiter) };
  }
  yield* assembler.end();
}

/** In characters. A longer row has an unclosed quotation mark. */
const MAX_ROW_LENGTH = 1_000_000;

/**
 * Joins lines into rows: a row continues while a quotation mark is open. Lines that do not form a
 * row together are read one by one.
 */
class RowAssembler {
  readonly #delimiter: Delimiter;
  #lines: string[] = [];
  /** The index of the row's first line. */
  #from = 0;
  /** The index after the last line that was examined. */
  #to = 0;
  /** Characters of the row so far. */
  #length = 0;
  #isInQuotes = false;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Adds a line; yields the rows that it completes. */
  *add(line: string): Generator<CsvCells> {
    this.#lines.push(line);
    for (let next = this.#lines[this.#to]; next !== undefined; next = this.#lines[this.#to]) {
      this.#to += 1;
      this.#length += next.length;
      if (hasOddQuotes(next)) this.#isInQuotes = !this.#isInQuotes;
      if (this.#isInQuotes && this.#length <= MAX_ROW_LENGTH) continue;
      yield this.#isInQuotes ? this.#parseFirstLine() : this.#parseLines();
    }
  }

  /** Yields the rows in the remaining lines, after all lines were added. */
  *end(): Generator<CsvCells> {
    while (!this.isEmpty) {
      yield this.#parseFirstLine();
      const rest = this.#lines.slice(this.#from);
      this.#lines = [];
      this.#beginRowAt(0);
      for (const line of rest) yield* this.add(line);
    }
  }

  /** Parses all examined lines as one row, or only the first if they do not form one. */
  #parseLines(): CsvCells {
    const row = this.#parse(this.#lines.slice(this.#from, this.#to).join('\n'));
    if (row.cells instanceof BadRow && this.#to > this.#from + 1) return this.#parseFirstLine();
    this.#beginRowAt(this.#to);
    return row;
  }

  #parseFirstLine(): CsvCells {
    // Only called while there are lines.
    const row = this.#parse(this.#lines[this.#from] as string);
    this.#beginRowAt(this.#from + 1);
    return row;
  }

  #beginRowAt(from: number): void {
    const isDone = from >= this.#lines.length;
    if (isDone) this.#lines = [];
    this.#from = isDone ? 0 : from;
    this.#to = this.#from;
    this.#length = 0;
    this.#isInQuotes = false;
  }

  #parse(text: string): CsvCells {
    return { text, cells: this.#parseCells(text) };
  }

  #parseCells(text: string): readonly string[] | BadRow {
    if (text === '') return [];
    if (!text.includes('"')) return text.split(this.#delimiter);
    const options = { delimiter: this.#delimiter, newline: '\n' } as const;
    const { data, errors } = Papa.parse<string[]>(text, options);
    const [cells, more] = data;
    if (errors[0]) return new BadRow(errors[0].message);
    return cells && !more ? cells : new BadRow('a quote that is not closed');
  }
}

function hasOddQuotes(line: string): boolean {
  let isOdd = false;
  for (let at = line.indexOf('"'); at !== -1; at = line.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

function toRow(header: readonly string[], cells: readonly string[]): CsvRow | BadRow {
  if (cells.length !== header.length) {
    return new BadRow(`${cells.length} cells where the header has ${header.length}`);
  }
  return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
}
