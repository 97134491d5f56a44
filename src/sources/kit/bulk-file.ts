import { BadRecord, decodeUtf8, parseJson } from '../io/json.ts';
import { readJsonMembers } from '../io/json-stream.ts';

/**
 * Bulk files of cards. Scryfall writes one card per line, with brackets around them (`.json`) or
 * without (`.jsonl`), so a broken card does not affect the others. Other programs write all cards
 * on one line, or a card on many lines.
 */

/** An entry of a bulk file. */
export interface BulkEntry {
  /** Its position in the file: `line 7`, `card 7`. */
  readonly name: string;
  /** The parsed value; a BadRecord if it is not valid JSON. */
  readonly value: unknown;
}

/** A file that is not a bulk file, or is incomplete; the message gives the reason. */
export class MalformedBulkFile extends Error {}

/**
 * Reads the entries of a file, one chunk at a time.
 *
 * @throws MalformedBulkFile if the file is not a list of objects, or is incomplete.
 *
 * @throws MalformedJson for the same fault if entries share lines.
 */
export async function* readBulkEntries(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly BulkEntry[]> {
  const rest = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(rest);
    const all = { [Symbol.asyncIterator]: () => withHead(head.bytes, rest) };
    if (head.layout === 'list') yield* entriesOfList(all);
    else yield* entriesOfLines(all, head.layout);
  } finally {
    await rest.return?.();
  }
}

type Layout = 'lines in brackets' | 'lines' | 'list';

/** The layout shows within this many bytes. */
const MAX_HEAD_BYTES = 4096;

/** Reads as many bytes as are needed to recognise the layout. */
async function readHead(
  chunks: AsyncIterator<Uint8Array>,
): Promise<{ readonly bytes: Buffer; readonly layout: Layout }> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const next = await chunks.next();
    if (!next.done) bytes = Buffer.concat([bytes, next.value]);
    const layout = layoutOf(bytes.toString('latin1', 0, MAX_HEAD_BYTES));
    if (layout !== undefined) return { bytes, layout };
    if (next.done) throw new MalformedBulkFile(bytes.length === 0 ? 'it is empty' : NO_LIST);
    if (bytes.length > MAX_HEAD_BYTES) throw new MalformedBulkFile(NO_LIST);
  }
}

const NO_LIST = 'it is not a list of objects';

/** Returns the layout of a file by its beginning; undefined if more of it is needed. */
function layoutOf(head: string): Layout | undefined {
  const start = head.replace(/^ï»¿/, '').trimStart();
  if (start.startsWith('{')) return 'lines';
  if (start.startsWith('[')) {
    const [, space = '', first = ''] = /^\[(\s*)([\s\S]{0,2})/.exec(start) ?? [];
    if (first.startsWith(']')) return 'list';
    if (first.length < 2) return undefined;
    return space.includes('\n') && first === '{"' ? 'lines in brackets' : 'list';
  }
  if (start !== '') throw new MalformedBulkFile(NO_LIST);
  return undefined;
}

async function* withHead(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* entriesOfList(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BulkEntry[]> {
  for await (const members of readJsonMembers(chunks, () => 'take')) {
    yield members.map(({ path, value }) => ({ name: `card ${Number(path[0]) + 1}`, value }));
  }
}

async function* entriesOfLines(
  chunks: AsyncIterable<Uint8Array>,
  layout: Exclude<Layout, 'list'>,
): AsyncGenerator<readonly BulkEntry[]> {
  const parser = new LineParser(layout === 'lines in brackets');
  for await (const chunk of chunks) {
    const entries = parser.push(chunk);
    if (entries.length > 0) yield entries;
  }
  const last = parser.end();
  if (last.length > 0) yield last;
}

const LINE_FEED = 0x0a;

/** No card's line is longer. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Splits chunks into lines and parses each line. */
class LineParser {
  readonly #hasBrackets: boolean;
  #isOpen = false;
  #isClosed = false;
  #lineNumber = 0;
  /** The parts of a line whose end has not arrived. */
  readonly #pending: Buffer[] = [];
  #pendingBytes = 0;
  #entries: BulkEntry[] = [];

  constructor(hasBrackets: boolean) {
    this.#hasBrackets = hasBrackets;
  }

  /** Returns the entries of the lines that end in this chunk. */
  push(bytes: Uint8Array): readonly BulkEntry[] {
    this.#entries = [];
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
      this.#endLine(chunk, start, at);
      start = at + 1;
    }
    this.#keep(chunk.subarray(start));
    return this.#entries;
  }

  /**
   * Returns the entry of a last line without an end.
   *
   * @throws MalformedBulkFile if the file is incomplete.
   */
  end(): readonly BulkEntry[] {
    this.#entries = [];
    this.#endLine(Buffer.alloc(0), 0, 0);
    const last = this.#entries[0]?.value;
    const isWhole = this.#hasBrackets ? this.#isClosed : !(last instanceof BadRecord);
    if (!isWhole) throw new MalformedBulkFile('it breaks off in the middle');
    return this.#entries;
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > MAX_LINE_BYTES) {
      throw new MalformedBulkFile(
        `line ${this.#lineNumber + 1} is longer than one of a card can be`,
      );
    }
    this.#pending.push(Buffer.from(part));
  }

  /** Parses the line that ends at `end`. */
  #endLine(chunk: Buffer, start: number, end: number): void {
    this.#lineNumber += 1;
    if (this.#pending.length === 0) {
      this.#readLine(decodeUtf8(chunk, start, end));
    } else {
      const whole = Buffer.concat([...this.#pending, chunk.subarray(start, end)]);
      this.#pending.length = 0;
      this.#pendingBytes = 0;
      this.#readLine(decodeUtf8(whole, 0, whole.length));
    }
  }

  #readLine(line: string | BadRecord): void {
    const text = line instanceof BadRecord ? line : withoutComma(line);
    if (text === '') return;
    if (this.#isClosed) throw new MalformedBulkFile('it continues after its end');
    if (this.#hasBrackets && text === ']') this.#isClosed = true;
    else if (this.#hasBrackets && !this.#isOpen) this.#isOpen = true;
    else this.#entries.push({ name: `line ${this.#lineNumber}`, value: this.#parse(text) });
  }

  #parse(text: string | BadRecord): unknown {
    const value = parseJson(text);
    const mayClose = this.#hasBrackets && typeof text === 'string' && text.endsWith('}]');
    if (!mayClose || !(value instanceof BadRecord)) return value;
    const last = parseJson(text.slice(0, -1));
    this.#isClosed = !(last instanceof BadRecord);
    return last;
  }
}

function withoutComma(line: string): string {
  const text = line.trim();
  return text.endsWith(',') ? text.slice(0, -1) : text;
}
