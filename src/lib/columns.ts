/**
 * Encodes columns of whole numbers and of texts as bytes. Numbers are written in their form in
 * memory, texts as JSON. Reading either is about ten times faster than creating objects from rows.
 *
 * A column starts with the number of its items. Its chunks follow: the length of the chunk in
 * bytes, then its bytes, padded to a multiple of four. Chunks keep each step of writing short.
 */

/** The type of each column, by name, in the order in which the columns are written. */
export type Schema = Readonly<Record<string, 'integers' | 'texts'>>;

/** Whole numbers of 32 bits, or texts. */
export type ColumnsOf<S extends Schema> = {
  readonly [Name in keyof S]: S[Name] extends 'integers' ? Int32Array : readonly string[];
};

type Column = Int32Array | readonly string[];

/** Items in a chunk. Encoding a chunk takes less than a millisecond. */
const CHUNK = 4096;

const WORD = 4;

/** Yields the bytes of columns, one chunk at a time. */
export function* encodeColumns<S extends Schema>(
  schema: S,
  columns: ColumnsOf<S>,
): Generator<Uint8Array> {
  for (const name of Object.keys(schema)) {
    const column: Column = columns[name as keyof S];
    yield wordOf(column.length);
    for (let from = 0; from < column.length; from += CHUNK) {
      const bytes = encodeChunk(column.slice(from, from + CHUNK));
      yield wordOf(bytes.length);
      yield bytes;
    }
  }
}

function encodeChunk(items: Column): Uint8Array {
  if (items instanceof Int32Array) return new Uint8Array(items.buffer);
  const text = JSON.stringify(items);
  // JSON allows spaces at its end.
  return Buffer.from(text.padEnd(text.length + padding(Buffer.byteLength(text))));
}

function padding(length: number): number {
  return (WORD - (length % WORD)) % WORD;
}

function wordOf(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

/**
 * Decodes the columns of a schema. Their bytes must begin at an offset that is a multiple of four.
 *
 * @throws Error if the bytes do not encode columns of this schema.
 */
export function decodeColumns<S extends Schema>(schema: S, bytes: Uint8Array): ColumnsOf<S> {
  const reader = new ChunkReader(bytes);
  const columns = Object.entries(schema).map(([name, kind]) => {
    return [name, kind === 'integers' ? reader.integers() : reader.texts()] as const;
  });
  if (!reader.isAtEnd) throw new RangeError('There are bytes after the last column of the schema.');
  return Object.fromEntries(columns) as ColumnsOf<S>;
}

class ChunkReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  integers(): Int32Array {
    const count = this.#count(WORD);
    const items = new Int32Array(count);
    for (let from = 0; from < count; from += CHUNK) {
      const length = Math.min(CHUNK, count - from);
      const { buffer, byteOffset, length: size } = this.#take(this.#word());
      if (size !== length * WORD) throw new RangeError('A chunk of numbers has the wrong size.');
      items.set(new Int32Array(buffer, byteOffset, length), from);
    }
    return items;
  }

  texts(): string[] {
    const count = this.#count(1);
    const chunks: string[][] = [];
    let read = 0;
    while (read < count) {
      const { buffer, byteOffset, length } = this.#take(this.#word());
      const chunk: unknown = JSON.parse(Buffer.from(buffer, byteOffset, length).toString());
      if (!isTexts(chunk)) throw new TypeError('A chunk contains something other than texts.');
      chunks.push(chunk);
      read += chunk.length;
    }
    if (read > count) throw new RangeError('There are more texts than were announced.');
    const none: string[] = [];
    return none.concat(...chunks);
  }

  /** Reads the number of items that follow. Each takes at least `bytesOfItem` bytes. */
  #count(bytesOfItem: number): number {
    const count = this.#word();
    if (count * bytesOfItem > this.#bytes.length - this.#at) {
      throw new RangeError('There are fewer items than were announced.');
    }
    return count;
  }

  #word(): number {
    const { buffer, byteOffset } = this.#take(WORD);
    return new Uint32Array(buffer, byteOffset, 1)[0] ?? 0;
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('The columns are cut off.');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function isTexts(chunk: unknown): chunk is string[] {
  return (
    Array.isArray(chunk) && chunk.length > 0 && chunk.every((text) => typeof text === 'string')
  );
}
