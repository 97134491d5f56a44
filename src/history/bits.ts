/** Numbers as bits, most significant first. `docs/history-format.md` shows the codes by example. */

const WORD = 32;

/** Collects bits into bytes. */
export class BitWriter {
  #bytes = new Uint8Array(512);
  #view = new DataView(this.#bytes.buffer);
  /** Bytes written so far; the newest bits still wait in `#word`, from its top. */
  #length = 0;
  #word = 0;
  #waiting = 0;

  /** Makes the writer as good as new. */
  clear(): void {
    this.#length = 0;
    this.#word = 0;
    this.#waiting = 0;
  }

  /** Writes the low `count` bits of `value`: 0 to 32 of them; the bits above must be 0. */
  bits(value: number, count: number): void {
    const room = WORD - this.#waiting;
    if (count < room) {
      this.#word |= value << (room - count);
      this.#waiting += count;
      return;
    }
    const left = count - room;
    this.#word |= value >>> left;
    this.#flush(4);
    this.#word = left === 0 ? 0 : value << (WORD - left);
    this.#waiting = left;
  }

  /**
   * Writes a whole number from 0 to 2^31 - 2^order - 1 as an Exp-Golomb code: short for small
   * numbers, where numbers below 2^order are the shortest and take order + 1 bits.
   */
  number(value: number, order: number): void {
    const shifted = value + (1 << order);
    const length = WORD - Math.clz32(shifted);
    const zeros = length - 1 - order;
    if (zeros + length <= WORD) {
      this.bits(shifted, zeros + length);
    } else {
      this.bits(0, zeros);
      this.bits(shifted, length);
    }
  }

  /**
   * A copy of the bytes, the last one filled up with zero bits, with `spare` bytes after them for
   * the caller, 4 at most.
   */
  finish(spare: number): Buffer {
    this.#flush(Math.ceil(this.#waiting / 8));
    return Buffer.from(this.#bytes.subarray(0, this.#length + spare));
  }

  #flush(bytes: number): void {
    // Room for this word, and for the spare bytes of a last one.
    if (this.#length + 2 * 4 > this.#bytes.length) this.#grow();
    this.#view.setUint32(this.#length, this.#word);
    this.#length += bytes;
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bytes.length * 2);
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/**
 * Reads what a {@link BitWriter} wrote. At least four bytes must follow the last code, because
 * it always looks at five bytes; past these it throws a RangeError.
 */
export class BitReader {
  readonly #view: DataView;
  #position: number;

  constructor(view: DataView, startByte: number) {
    this.#view = view;
    this.#position = startByte * 8;
  }

  /** The next `count` bits, 1 to 32, as an unsigned number. */
  bits(count: number): number {
    const value = this.#peek() >>> (WORD - count);
    this.#position += count;
    return value;
  }

  /** The next number; `order` is the one it was written with. */
  number(order: number): number {
    const word = this.#peek();
    const zeros = Math.clz32(word);
    const length = zeros + order + 1;
    if (zeros + length <= WORD) {
      this.#position += zeros + length;
      return ((word << zeros) >>> (WORD - length)) - (1 << order);
    }
    this.#position += zeros;
    return this.bits(length) - (1 << order);
  }

  /** The next 32 bits, without moving. */
  #peek(): number {
    const byte = this.#position >>> 3;
    const shift = this.#position & 7;
    return (this.#view.getUint32(byte) << shift) | (this.#view.getUint8(byte + 4) >>> (8 - shift));
  }
}
