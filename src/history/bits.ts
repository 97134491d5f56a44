/**
 * Bit strings, most significant bit first, with numbers as Exp-Golomb codes of an order k (ITU-T
 * H.264, section 9.1). `docs/history-format.md` shows the codes by example.
 */

const WORD_BITS = 32;

/** More than a block that holds every possible day, so a mistake cannot fill the memory. */
const MAX_BYTES = 2 ** 24;

/** Writes bits into a buffer that grows as needed. @throws RangeError beyond 16 MB. */
export class BitWriter {
  #bytes = new Uint8Array(512);
  #view = new DataView(this.#bytes.buffer);
  /** The number of bytes written so far, without the pending bits. */
  #length = 0;
  /** The pending bits, from the most significant bit down. */
  #word = 0;
  #pending = 0;

  /** Discards everything written, but keeps the buffer for the next block. */
  clear(): void {
    this.#length = 0;
    this.#word = 0;
    this.#pending = 0;
  }

  /** Writes the low `count` bits of `value` (0 to 32). All higher bits must be 0. */
  bits(value: number, count: number): void {
    const room = WORD_BITS - this.#pending;
    if (count < room) {
      this.#word |= value << (room - count);
      this.#pending += count;
      return;
    }
    const left = count - room;
    this.#word |= value >>> left;
    this.#flush(4);
    this.#word = left === 0 ? 0 : value << (WORD_BITS - left);
    this.#pending = left;
  }

  /**
   * Writes a whole number from 0 to 2^31 - 2^k - 1 as an Exp-Golomb code of order `k`. Numbers
   * below 2^k have the shortest codes, k + 1 bits.
   */
  expGolomb(value: number, k: number): void {
    const shifted = value + (1 << k);
    const length = WORD_BITS - Math.clz32(shifted);
    const zeros = length - 1 - k;
    if (zeros + length <= WORD_BITS) {
      this.bits(shifted, zeros + length);
    } else {
      this.bits(0, zeros);
      this.bits(shifted, length);
    }
  }

  /**
   * Returns a copy of the bytes, padded with zero bits. `spare` bytes (at most 4) follow, for the
   * caller to fill.
   */
  finish(spare: number): Buffer {
    this.#flush(Math.ceil(this.#pending / 8));
    return Buffer.from(this.#bytes.subarray(0, this.#length + spare));
  }

  #flush(bytes: number): void {
    // Leave room for this word and for the spare bytes.
    if (this.#length + 2 * 4 > this.#bytes.length) this.#grow();
    this.#view.setUint32(this.#length, this.#word);
    this.#length += bytes;
  }

  #grow(): void {
    if (this.#bytes.length === MAX_BYTES) throw new RangeError('More than 16 MB of bits.');
    const grown = new Uint8Array(this.#bytes.length * 2);
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/**
 * Reads the output of a {@link BitWriter}. It always looks at five bytes, so at least four bytes
 * must follow the last code.
 *
 * @throws RangeError if a code is beyond the end.
 */
export class BitReader {
  readonly #view: DataView;
  #position: number;

  constructor(view: DataView, startByte: number) {
    this.#view = view;
    this.#position = startByte * 8;
  }

  /** Reads the next `count` bits, 1 to 32, as an unsigned number. */
  bits(count: number): number {
    const value = this.#peek() >>> (WORD_BITS - count);
    this.#position += count;
    return value;
  }

  /** Reads the next number. `k` must be the order that it was written with. */
  expGolomb(k: number): number {
    const word = this.#peek();
    const zeros = Math.clz32(word);
    const length = zeros + k + 1;
    if (zeros + length <= WORD_BITS) {
      this.#position += zeros + length;
      return ((word << zeros) >>> (WORD_BITS - length)) - (1 << k);
    }
    this.#position += zeros;
    return this.bits(length) - (1 << k);
  }

  /** Returns the next 32 bits without consuming them. */
  #peek(): number {
    const byte = this.#position >>> 3;
    const shift = this.#position & 7;
    return (this.#view.getUint32(byte) << shift) | (this.#view.getUint8(byte + 4) >>> (8 - shift));
  }
}
