import Papa from 'papaparse';
import { decodeText, MalformedText, splitLines } from './text.ts';

/** A row of a file with a head, by the head's names. */
export type CsvRow = Readonly<Record<string, string>>;

/** Why a row is none; the file goes on after it. */
export class BadRow {
  readonly reason: string;

  constructor(fault: string) {
    this.reason = fault;
  }
}

/**
 * The rows of CSV text (RFC 4180) below its first, which names the columns; empty lines are no
 * rows, and a line break within a cell is `\n`. Reads no faster than the rows are taken. A quote
 * that is never closed spoils the line that it stands in, not what follows.
 *
 * @throws MalformedText when the bytes are not UTF-8, or the head cannot be read.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  delimiter: ',' | '\t' = ',',
): AsyncGenerator<CsvRow | BadRow> {
  let head: readonly string[] | undefined;
  for await (const cells of rawRows(splitLines(decodeText(bytes)), delimiter)) {
    if (head) yield cells instanceof BadRow ? cells : named(head, cells);
    else if (cells instanceof BadRow) throw new MalformedText(`no head: ${cells.reason}`);
    else head = cells.map((name) => name.trim());
  }
}

type Cells = readonly string[];

async function* rawRows(
  lines: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<Cells | BadRow> {
  const open = new RowAssembler(delimiter);
  for await (const line of lines) {
    if (!open.isEmpty || line.includes('"')) yield* open.add(line);
    else if (line !== '') yield line.split(delimiter);
  }
  yield* open.end();
}

/** In characters: no row is this long, so that a quote must have been left open. */
const MAX_ROW = 1_000_000;

/** Lines from a row's first on, until the quotes in them match. */
class RowAssembler {
  readonly #delimiter: string;
  #lines: string[] = [];
  /** Where the row begins in the lines. */
  #from = 0;
  /** Up to where the lines were looked at, and what was seen in them since the row began. */
  #to = 0;
  #length = 0;
  #isQuoted = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** The rows that are whole with this line. */
  *add(line: string): Generator<Cells | BadRow> {
    this.#lines.push(line);
    for (let next = this.#lines[this.#to]; next !== undefined; next = this.#lines[this.#to]) {
      this.#to += 1;
      this.#length += next.length;
      if (hasOddQuotes(next)) this.#isQuoted = !this.#isQuoted;
      if (this.#isQuoted && this.#length <= MAX_ROW) continue;
      const row = this.#isQuoted ? this.#first() : this.#whole();
      if (row !== undefined) yield row;
    }
  }

  /** The rows in what is left when there are no more lines. */
  *end(): Generator<Cells | BadRow> {
    while (!this.isEmpty) {
      const row = this.#first();
      if (row !== undefined) yield row;
      const rest = this.#lines.slice(this.#from);
      this.#lines = [];
      this.#begin(0);
      for (const line of rest) yield* this.add(line);
    }
  }

  /** All lines that were looked at, as one row; only the first when together they are none. */
  #whole(): Cells | BadRow | undefined {
    const row = this.#parse(this.#lines.slice(this.#from, this.#to).join('\n'));
    if (row instanceof BadRow && this.#to > this.#from + 1) return this.#first();
    this.#begin(this.#to);
    return row;
  }

  #first(): Cells | BadRow | undefined {
    const row = this.#parse(this.#lines[this.#from] ?? '');
    this.#begin(this.#from + 1);
    return row;
  }

  #begin(from: number): void {
    const isDone = from >= this.#lines.length;
    if (isDone) this.#lines = [];
    this.#from = isDone ? 0 : from;
    this.#to = this.#from;
    this.#length = 0;
    this.#isQuoted = false;
  }

  #parse(text: string): Cells | BadRow | undefined {
    if (text === '') return undefined;
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

function named(head: readonly string[], cells: readonly string[]): CsvRow | BadRow {
  if (cells.length !== head.length) {
    return new BadRow(`${cells.length} cells where the head has ${head.length}`);
  }
  return Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']));
}
