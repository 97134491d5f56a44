import { isUtf8 } from 'node:buffer';
import { BadRecord } from '../kit/schema.ts';

/** Where one text of JSON begins and ends, a name or a value, however many pieces it comes in. */

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

/** What bytes mean outside of strings; all others are 0. */
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

/** A text that is longer than this is none that sources send. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A text on its way: its end is looked for in piece after piece. */
export class PartialJson {
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  /** Where in the piece it begins; -1 when it is passed over and not kept. */
  #start: number;
  readonly #isScalar: boolean;
  #depth: number;
  #quoted: boolean;
  /** Whether the byte before was a backslash that the piece ended with. */
  #escaped = false;

  /** It begins at `start` with this byte. */
  constructor(byte: number, start: number, isKept: boolean) {
    const kind = STRUCTURE[byte];
    this.#start = isKept ? start : -1;
    this.#isScalar = kind === 0;
    this.#quoted = kind === QUOTES;
    this.#depth = kind === OPENS ? 1 : 0;
  }

  /** Where it ends, or -1 when that is not in this piece. */
  endIn(piece: Uint8Array, from: number): number {
    return this.#isScalar ? endOfScalar(piece, from) : this.#endOfNested(piece, from);
  }

  #endOfNested(piece: Uint8Array, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    this.#escaped = false;
    while (at < piece.length) {
      at = this.#quoted ? this.#readString(piece, at) : this.#readBetweenStrings(piece, at);
      if (!this.#quoted && this.#depth === 0) return at;
    }
    return -1;
  }

  // These two look at every byte of files of a gigabyte: what they use is in local variables.

  /** Reads to behind the quotation mark that ends a string. */
  #readString(piece: Uint8Array, from: number): number {
    const end = piece.length;
    let at = from;
    while (at < end) {
      const byte = piece[at];
      at += 1;
      if (byte === QUOTE) {
        this.#quoted = false;
        return at;
      }
      if (byte === BACKSLASH) at += 1;
    }
    this.#escaped = at > end;
    return end;
  }

  /** Reads to behind the next quotation mark, or the bracket that ends it all. */
  #readBetweenStrings(piece: Uint8Array, from: number): number {
    const end = piece.length;
    let depth = this.#depth;
    let at = from;
    while (at < end && depth > 0) {
      const kind = STRUCTURE[piece[at] ?? 0];
      at += 1;
      if (kind === 0) continue;
      if (kind === QUOTES) {
        this.#quoted = true;
        break;
      }
      depth += kind === OPENS ? 1 : -1;
    }
    this.#depth = depth;
    return at;
  }

  /** Keeps what there is of it from being overwritten. False when it is too long to be kept. */
  hold(piece: Buffer): boolean {
    if (this.#start === -1) return true;
    const part = Buffer.from(piece.subarray(this.#start));
    this.#start = 0;
    this.#heldBytes += part.length;
    this.#held.push(part);
    return this.#heldBytes <= MAX_BYTES;
  }

  /** What it says, now that its end is known; undefined when it was not kept. */
  value(piece: Buffer, end: number): unknown {
    if (this.#start === -1) return undefined;
    if (this.#held.length === 0) return parseJson(decodeUtf8(piece, this.#start, end));
    const whole = Buffer.concat([...this.#held, piece.subarray(0, end)]);
    return parseJson(decodeUtf8(whole, 0, whole.length));
  }
}

function endOfScalar(piece: Uint8Array, from: number): number {
  for (let at = from; at < piece.length; at += 1) {
    const byte = piece[at] ?? 0;
    if (byte === COMMA || STRUCTURE[byte] !== 0 || isSpace(byte)) return at;
  }
  return -1;
}

/** The text of some bytes, or why they are none. */
export function decodeUtf8(bytes: Buffer, start: number, end: number): string | BadRecord {
  const text = bytes.toString('utf8', start, end);
  // Only text with the sign that stands for what is none can be broken, and it is rare.
  const isText = !text.includes('\ufffd') || isUtf8(bytes.subarray(start, end));
  return isText ? text : new BadRecord('not UTF-8 text');
}

/** What a text of JSON says, or why it says nothing. */
export function parseJson(text: string | BadRecord): unknown {
  if (text instanceof BadRecord) return text;
  try {
    return JSON.parse(text);
  } catch {
    return new BadRecord('not valid JSON');
  }
}
