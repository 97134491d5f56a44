import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';

/**
 * Runs a function that reads a location, and returns its result.
 *
 * @throws OperatorError that names the location, for any error of the function.
 */
export async function withReadErrors<Result>(
  location: string,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${location} cannot be read: ${reason}.`, { cause: error });
  }
}

/** Finding files on this machine. */

export interface LocalFile {
  readonly name: string;
  readonly path: string;
  /** Bytes on the disk, packed or not. */
  readonly size: number;
  readonly modifiedAt: Millis;
}

/** @throws OperatorError if the file does not exist or is a folder. */
export async function findFile(location: string): Promise<LocalFile> {
  const found = await withReadErrors(location, () => stat(location));
  if (!found.isFile()) throw new OperatorError(`${location} is a folder; a file is expected.`);
  return describeFile(location);
}

/**
 * Returns the file at a location, or the files of a folder whose names are wanted, sorted by name.
 *
 * @throws OperatorError if the location does not exist or may not be read.
 */
export async function findFiles(
  location: string,
  isWanted: (name: string) => boolean,
): Promise<LocalFile[]> {
  const found = await withReadErrors(location, () => stat(location));
  if (!found.isDirectory()) return [await describeFile(location)];
  const names = await withReadErrors(location, () => readdir(location));
  const files = names.filter(isWanted).sort();
  return Promise.all(files.map((name) => describeFile(join(location, name))));
}

async function describeFile(path: string): Promise<LocalFile> {
  const { size, mtimeMs } = await withReadErrors(path, () => stat(path));
  return { name: basename(path), path, size, modifiedAt: Math.floor(mtimeMs) };
}

/** The bytes of files of any size, plain or packed by gzip, read in chunks. */

const CHUNK_BYTES = 256 * 1024;

/** The unpacked bytes of a file. */
export interface ByteChunks extends AsyncIterable<Uint8Array> {
  /** The number of bytes read so far from the file on the disk. */
  readonly bytesRead: number;
}

/** Rounds bytes up to the kilobytes in which progress is reported. */
export function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1024);
}

/**
 * Reads a file, and unpacks it if its first bytes are gzip's, regardless of its name. A chunk is
 * overwritten when the next one is read.
 *
 * @throws OperatorError during reading, if the file is damaged or packed in another format.
 */
export function readChunks({ path }: LocalFile): ByteChunks {
  let bytesRead = 0;
  const count = (bytes: number) => {
    bytesRead += bytes;
  };
  return {
    get bytesRead() {
      return bytesRead;
    },
    async *[Symbol.asyncIterator]() {
      try {
        yield* (await isGzip(path)) ? unzip(path, count) : readRaw(path, count);
      } catch (error) {
        throw readError(path, error);
      }
    },
  };
}

/** The most bytes of a file that is read as a whole, unpacked. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * Returns the content of a small file, unpacked if necessary.
 * @throws OperatorError if it cannot be read, is damaged, or has more than `maxBytes`.
 */
export async function readWholeFile(
  file: LocalFile,
  maxBytes: number = MAX_WHOLE_BYTES,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of readChunks(file)) {
    total += chunk.length;
    if (total > maxBytes) {
      throw new OperatorError(`${file.path} has more than ${maxBytes} bytes, unpacked.`);
    }
    // A chunk is overwritten by the next one.
    chunks.push(chunk.slice());
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the packed bytes of a file on the disk. A chunk is overwritten when the next one is read;
 * `count` is called with the length of each.
 */
export async function* readRaw(
  path: string,
  count: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  const buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const;
  // While the caller works with one buffer, the next chunk is read into the other.
  let next = readAhead(file, buffers[0]);
  try {
    for (let chunks = 0; ; chunks += 1) {
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) return;
      next = readAhead(file, buffers[chunks % 2 === 0 ? 1 : 0]);
      count(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await next.catch(() => {});
    await file.close();
  }
}

function readAhead(file: FileHandle, buffer: Buffer) {
  const reading = file.read(buffer, 0, CHUNK_BYTES);
  // A failure reaches the caller that awaits the read; until then it must not count as unhandled.
  reading.catch(() => {});
  return reading;
}

async function* unzip(path: string, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  packed.on('data', (bytes) => count(bytes.length));
  packed.on('error', (error) => gunzip.destroy(error));
  packed.pipe(gunzip);
  try {
    yield* gunzip;
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
}

/** The first bytes of packed files, by format. */
const SIGNATURES: readonly (readonly [format: string, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['Zstandard', [0x28, 0xb5, 0x2f, 0xfd]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
];

/** @throws OperatorError if the file is packed in another format. */
async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const format = await packedFormat(file);
    if (format === undefined || format === 'gzip') return format === 'gzip';
    throw new OperatorError(
      `${path} is packed by ${format}: unpack it first, or take it packed by gzip.`,
    );
  } finally {
    await file.close();
  }
}

async function packedFormat(file: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8);
  const head = buffer.subarray(0, bytesRead);
  return SIGNATURES.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0];
}

/** zlib's error codes for data that ends too soon and for data that is damaged. */
const FAULTS: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'it breaks off in the middle; get it again',
  Z_DATA_ERROR: 'it is damaged; get it again',
};

/** Names the file in errors of the file system and of zlib. Other errors stay unchanged. */
function readError(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === undefined || error instanceof OperatorError) return error;
  const reason = FAULTS[code] ?? (error as Error).message;
  return new OperatorError(`${path} cannot be read: ${reason}.`, { cause: error });
}
