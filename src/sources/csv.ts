import { PassThrough, Readable } from 'node:stream';
import Papa from 'papaparse';
import { decodeText } from './text.ts';

/** A row of a file with a head, by the head's names. */
export type Row = Readonly<Record<string, string>>;

/** Why a row is none; the file goes on after it. */
export class BadRow {
  readonly fault: string;

  constructor(fault: string) {
    this.fault = fault;
  }
}

/**
 * The rows of CSV text (RFC 4180) below its first, which names the columns; empty lines are no
 * rows, and a line break within a cell is `\n`. Reads no faster than the rows are taken.
 *
 * @throws MalformedText when the bytes are not UTF-8.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Row | BadRow> {
  let head: readonly string[] | undefined;
  for await (const { cells, fault } of rawRows(Readable.from(decodeText(bytes)))) {
    if (!head) head = cells.map((name) => name.trim());
    else yield fault === undefined ? named(head, cells) : new BadRow(fault);
  }
}

interface RawRow {
  readonly cells: readonly string[];
  readonly fault: string | undefined;
}

/** How many rows wait to be taken before the reading pauses. */
const ROWS_AHEAD = 1000;

/** Papaparse calls back for every row; here they wait until somebody takes them. */
async function* rawRows(text: Readable): AsyncGenerator<RawRow> {
  const rows = new PassThrough({ objectMode: true, highWaterMark: ROWS_AHEAD });
  Papa.parse<string[]>(text, {
    delimiter: ',',
    newline: '\n',
    skipEmptyLines: true,
    step({ data, errors }, parser) {
      const goesOn = rows.write({ cells: data, fault: errors[0]?.message } satisfies RawRow);
      if (goesOn) return;
      // The parser alone would keep in memory whatever comes while it pauses.
      text.pause();
      parser.pause();
      rows.once('drain', () => {
        text.resume();
        parser.resume();
      });
    },
    complete: () => rows.end(),
    error: (error) => rows.destroy(error),
  });
  try {
    yield* rows;
  } finally {
    text.destroy();
  }
}

function named(head: readonly string[], cells: readonly string[]): Row | BadRow {
  if (cells.length !== head.length) {
    return new BadRow(`${cells.length} cells where the head has ${head.length}`);
  }
  return Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']));
}
