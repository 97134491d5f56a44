import { decodeUtf8, parseJson, readJsonMembers } from '../io/json-stream.ts';
import { BadRecord } from '../kit/schema.ts';

/**
 * The cards of a bulk file. Scryfall writes one a line, between brackets (`.json`) or without
 * (`.jsonl`), so that a broken one spoils no other; other programs write them all in one line, or
 * each in many.
 */

/** What is in a file, by its place in it. */
export interface BulkEntry {
  readonly name: string;
  /** What was parsed of it; a BadRecord where that could not be done. */
  readonly value: unknown;
}

/** Bytes that are no such file; the message says why. */
export class MalformedBulkFile extends Error {}

/**
 * The entries of a file, as many at a time as a piece of it holds.
 *
 * @throws MalformedBulk when it is no list of objects, or breaks off.
 * @throws MalformedJson when it does so where entries are not in lines of their own.
 */
export async function* readBulkEntries(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly BulkEntry[]> {
  const rest = pieces[Symbol.asyncIterator]();
  try {
    const head = await readHead(rest);
    const all = { [Symbol.asyncIterator]: () => following(head.bytes, rest) };
    if (head.layout === 'list') yield* entriesOfList(all);
    else yield* entriesOfLines(all, head.layout);
  } finally {
    await rest.return?.();
  }
}

type Layout = 'lines in brackets' | 'lines' | 'list';

/** More than this in front of the first entry is not what anybody writes. */
const MAX_HEAD_BYTES = 4096;

/** The first bytes, as many as it takes to see how the file is laid out. */
async function readHead(
  pieces: AsyncIterator<Uint8Array>,
): Promise<{ readonly bytes: Buffer; readonly layout: Layout }> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const next = await pieces.next();
    if (!next.done) bytes = Buffer.concat([bytes, next.value]);
    const layout = layoutOf(bytes.toString('latin1', 0, MAX_HEAD_BYTES));
    if (layout !== undefined) return { bytes, layout };
    if (next.done) throw new MalformedBulkFile(bytes.length === 0 ? 'it is empty' : NO_LIST);
    if (bytes.length > MAX_HEAD_BYTES) throw new MalformedBulkFile(NO_LIST);
  }
}

const NO_LIST = 'it is no list of objects';

/** How a file is laid out that begins like this; undefined when more of it has to be seen. */
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

async function* following(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* entriesOfList(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<BulkEntry[]> {
  for await (const members of readJsonMembers(pieces, () => 'take')) {
    yield members.map(({ path, value }) => ({ name: `card ${Number(path[0]) + 1}`, value }));
  }
}

async function* entriesOfLines(
  pieces: AsyncIterable<Uint8Array>,
  layout: Exclude<Layout, 'list'>,
): AsyncGenerator<readonly BulkEntry[]> {
  const lines = new Lines(layout === 'lines in brackets');
  for await (const piece of pieces) {
    const entries = lines.push(piece);
    if (entries.length > 0) yield entries;
  }
  const last = lines.end();
  if (last.length > 0) yield last;
}

const LINE_FEED = 0x0a;

/** No line of a card is this long. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Cuts pieces into lines and parses them. */
class Lines {
  readonly #hasBrackets: boolean;
  #isOpen = false;
  #isClosed = false;
  #number = 0;
  /** Of a line that the pieces so far did not end. */
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #entries: BulkEntry[] = [];

  constructor(hasBrackets: boolean) {
    this.#hasBrackets = hasBrackets;
  }

  push(bytes: Uint8Array): readonly BulkEntry[] {
    this.#entries = [];
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, start)) {
      this.#end(piece, start, at);
      start = at + 1;
    }
    this.#hold(piece.subarray(start));
    return this.#entries;
  }

  /** What the last line holds, if it had no end. */
  end(): readonly BulkEntry[] {
    this.#entries = [];
    this.#end(Buffer.alloc(0), 0, 0);
    const last = this.#entries[0]?.value;
    const isWhole = this.#hasBrackets ? this.#isClosed : !(last instanceof BadRecord);
    if (!isWhole) throw new MalformedBulkFile('it breaks off in the middle');
    return this.#entries;
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return;
    this.#heldBytes += part.length;
    if (this.#heldBytes > MAX_LINE_BYTES) {
      throw new MalformedBulkFile(`line ${this.#number + 1} is longer than one of a card can be`);
    }
    this.#held.push(Buffer.from(part));
  }

  /** A line ends here. */
  #end(piece: Buffer, start: number, end: number): void {
    this.#number += 1;
    if (this.#held.length === 0) {
      this.#read(decodeUtf8(piece, start, end));
    } else {
      const whole = Buffer.concat([...this.#held, piece.subarray(start, end)]);
      this.#held.length = 0;
      this.#heldBytes = 0;
      this.#read(decodeUtf8(whole, 0, whole.length));
    }
  }

  #read(line: string | BadRecord): void {
    const text = line instanceof BadRecord ? line : withoutComma(line);
    if (text === '') return;
    if (this.#isClosed) throw new MalformedBulkFile('it goes on after its end');
    if (this.#hasBrackets && text === ']') this.#isClosed = true;
    else if (this.#hasBrackets && !this.#isOpen) this.#isOpen = true;
    else this.#entries.push({ name: `line ${this.#number}`, value: this.#parse(text) });
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
