import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/**
 * Packs texts so that several gzip files (RFC 1952) can contain them. Each packed text ends at a
 * byte boundary and refers to nothing before it, so files can join them in any order. All form one
 * member, because browsers read only the first.
 */

const FULL_FLUSH = { finishFlush: constants.Z_FULL_FLUSH };
const pack = promisify<Buffer, typeof FULL_FLUSH, Buffer>(deflateRaw);

/** A packed text. */
export interface Packed {
  readonly text: Buffer;
  readonly deflated: Buffer;
}

/** Packs a text, in another thread. */
export async function packed(text: Buffer): Promise<Packed> {
  return { text, deflated: await pack(text, FULL_FLUSH) };
}

/** The header of a member without a name or a time, so equal texts give equal files. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** An empty last block of DEFLATE. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** Computes the end of a gzip file from the texts in it. */
export class GzipEnd {
  #crc = 0;
  #length = 0;

  add(text: Buffer): void {
    this.#crc = crc32(text, this.#crc);
    this.#length += text.length;
  }

  /** Returns the bytes after the last packed text. */
  bytes(): Buffer {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#length % 2 ** 32, 4);
    return Buffer.concat([LAST_BLOCK, trailer]);
  }
}
