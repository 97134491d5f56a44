import { isUtf8 } from 'node:buffer';

/** A record that does not match its source's format; the message gives the reason. */
export class BadRecord extends Error {}

/**
 * Returns an already parsed value.
 * @throws BadRecord if reading it had failed.
 */
export function requireRecord<Value>(value: Value | BadRecord): Value {
  if (value instanceof BadRecord) throw value;
  return value;
}

/**
 * Decodes UTF-8 bytes from `start` up to `end`. Returns a BadRecord for bytes that are not UTF-8.
 */
export function decodeUtf8(bytes: Buffer, start: number, end: number): string | BadRecord {
  const text = bytes.toString('utf8', start, end);
  // Broken bytes are decoded as U+FFFD; only rare texts that have it need the exact check.
  const isText = !text.includes('\ufffd') || isUtf8(bytes.subarray(start, end));
  return isText ? text : new BadRecord('not UTF-8 text');
}

/** Parses JSON. Returns a BadRecord for invalid JSON, and passes on a given BadRecord. */
export function parseJson(text: string | BadRecord): unknown {
  if (text instanceof BadRecord) return text;
  try {
    return JSON.parse(text);
  } catch {
    return new BadRecord('not valid JSON');
  }
}

/** One name or value of JSON, found in bytes that arrive in chunks. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const BACKSLASH = 0x5c;

const OPENS = 1;
const CLOSES = 2;
const QUOTES = 3;

/** The meaning of a byte outside of strings; 0 for all others. */
const STRUCTURE = new Uint8Array(256);
STRUCTURE[OPEN_ARRAY] = STRUCTURE[OPEN_OBJECT] = OPENS;
STRUCTURE[CLOSE_ARRAY] = STRUCTURE[CLOSE_OBJECT] = CLOSES;
STRUCTURE[QUOTE] = QUOTES;

/** Whether a byte begins an object or an array. */
export function isOpening(byte: number): boolean {
  return STRUCTURE[byte] === OPENS;
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Whether a byte can begin a name or a value. */
export function canBegin(byte: number): boolean {
  return STRUCTURE[byte] !== CLOSES && byte !== COMMA && byte !== COLON;
}

/** No source publishes longer members. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A name or value whose end is sought through several chunks. */
export class PartialJson {
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Its start in the current chunk; -1 if it is skipped and not stored. */
  #start: number;
  readonly #isScalar: boolean;
  #depth: number;
  #isInString: boolean;
  /** Whether the previous chunk ended with a backslash in a string. */
  #isEscaped = false;

  /** Begins at `start` of a chunk with this byte. */
  constructor(byte: number, start: number, isKept: boolean) {
    const kind = STRUCTURE[byte];
    this.#start = isKept ? start : -1;
    this.#isScalar = kind === 0;
    this.#isInString = kind === QUOTES;
    this.#depth = kind === OPENS ? 1 : 0;
  }

  /** Returns the position after its last byte, or -1 if it does not end in this chunk. */
  endIn(chunk: Uint8Array, from: number): number {
    return this.#isScalar ? endOfScalar(chunk, from) : this.#endOfNested(chunk, from);
  }

  #endOfNested(chunk: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    while (at < chunk.length) {
      at = this.#isInString ? this.#readString(chunk, at) : this.#readBetweenStrings(chunk, at);
      if (!this.#isInString && this.#depth === 0) return at;
    }
    return -1;
  }

  // The next two methods look at every byte of files of a gigabyte: they keep state in locals.

  /** Reads past the quotation mark that ends a string. */
  #readString(chunk: Uint8Array, from: number): number {
    const end = chunk.length;
    let at = from;
    while (at < end) {
      const byte = chunk[at];
      at += 1;
      if (byte === QUOTE) {
        this.#isInString = false;
        return at;
      }
      if (byte === BACKSLASH) at += 1;
    }
    this.#isEscaped = at > end;
    return end;
  }

  /** Reads past the next quotation mark, or past the bracket that closes the value. */
  #readBetweenStrings(chunk: Uint8Array, from: number): number {
    const end = chunk.length;
    let depth = this.#depth;
    let at = from;
    while (at < end && depth > 0) {
      const kind = STRUCTURE[chunk[at] ?? 0];
      at += 1;
      if (kind === 0) continue;
      if (kind === QUOTES) {
        this.#isInString = true;
        break;
      }
      depth += kind === OPENS ? 1 : -1;
    }
    this.#depth = depth;
    return at;
  }

  /**
   * Copies its bytes out of a chunk that will be overwritten. Returns false if they are too many.
   */
  keep(chunk: Buffer): boolean {
    if (this.#start === -1) return true;
    const part = Buffer.from(chunk.subarray(this.#start));
    this.#start = 0;
    this.#keptBytes += part.length;
    this.#kept.push(part);
    return this.#keptBytes <= MAX_BYTES;
  }

  /** Parses it, now that its end is known. Returns undefined if it is skipped. */
  parse(chunk: Buffer, end: number): unknown {
    if (this.#start === -1) return undefined;
    if (this.#kept.length === 0) return parseJson(decodeUtf8(chunk, this.#start, end));
    const whole = Buffer.concat([...this.#kept, chunk.subarray(0, end)]);
    return parseJson(decodeUtf8(whole, 0, whole.length));
  }
}

function endOfScalar(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (byte === COMMA || STRUCTURE[byte] !== 0 || isSpace(byte)) return at;
  }
  return -1;
}
