import { inflateRawSync } from 'node:zlib';
import { OperatorError } from '../../domain/errors.ts';

/** Reads zip archives with a single file (APPNOTE.TXT of PKWARE, 4.3). */

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER_BYTES = 30;

/** Whether bytes are a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/**
 * Returns the content of the first file of an archive.
 *
 * @param maxBytes The largest plausible size of the unpacked file.
 * @throws OperatorError if the archive is damaged, or the file larger or packed in another way.
 */
export function unzipFirst(name: string, bytes: Uint8Array, maxBytes: number): Buffer {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const entry = archive.readUInt32LE(endOf(archive) + 16);
    if (archive.readUInt32LE(entry) !== ENTRY) throw new RangeError('it has no directory');
    const method = archive.readUInt16LE(entry + 10);
    const size = archive.readUInt32LE(entry + 20);
    const header = archive.readUInt32LE(entry + 42);
    const names = archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    const start = header + LOCAL_HEADER_BYTES + names;
    const packed = archive.subarray(start, start + size);
    if (method === STORED) return packed;
    if (method !== DEFLATED) throw new RangeError(`its method ${method} is not deflate`);
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${name} is not a zip archive that can be read: ${reason}.`);
  }
}

function endOf(archive: Buffer): number {
  for (let at = archive.length - END_BYTES; at >= 0; at -= 1) {
    if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new RangeError('its directory is missing');
}
