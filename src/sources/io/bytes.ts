import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../../domain/errors.ts';
import type { SourceFile } from '../contract/source-file.ts';
import type { LocalFile } from './files.ts';
import { withReadErrors } from './read-errors.ts';

/** Files of any size, read piece by piece. */

const PIECE_BYTES = 256 * 1024;

/** Bytes on their way out of a file. */
export interface ByteChunks extends AsyncIterable<Uint8Array> {
  /** How many bytes of the file are read so far, as they lie on the disk. */
  readonly bytesRead: number;
}

/** In which progress is told. */
export function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1024);
}

/** @throws OperatorError when there is no such file. */
export async function findFile(location: string): Promise<LocalFile> {
  const found = await withReadErrors(location, () => stat(location));
  if (!found.isFile()) throw new OperatorError(`${location} is a folder; a file is expected.`);
  const { size, mtimeMs } = found;
  return { name: basename(location), path: location, size, modifiedAt: Math.floor(mtimeMs) };
}

/**
 * The bytes of a file, unpacked if what it begins with says that it is packed by gzip, whatever it
 * is called. A piece is overwritten when the next one is asked for.
 *
 * @throws OperatorError while it is read, when it cannot be, or is packed otherwise or broken.
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
        yield* (await isGzip(path)) ? unpacked(path, count) : plain(path, count);
      } catch (error) {
        throw unreadable(path, error);
      }
    },
  };
}

/**
 * By what a file is recognised that was read already, together with those that were read besides:
 * their bytes and their reader's version.
 */
export async function recognise(
  version: number,
  file: LocalFile,
  ...besides: readonly LocalFile[]
): Promise<SourceFile> {
  const hash = createHash('sha256').update(`v${version}\n`);
  for (const { path } of [file, ...besides]) {
    await withReadErrors(path, async () => {
      for await (const piece of plain(path, () => {})) hash.update(piece);
    });
  }
  return { path: file.name, digest: hash.digest('hex'), etag: null };
}

async function* plain(path: string, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  const buffers = [Buffer.allocUnsafe(PIECE_BYTES), Buffer.allocUnsafe(PIECE_BYTES)] as const;
  // While a piece is looked at, the next is read into the other buffer.
  let next = readAhead(file, buffers[0]);
  try {
    for (let turn = 0; ; turn += 1) {
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) return;
      next = readAhead(file, buffers[turn % 2 === 0 ? 1 : 0]);
      count(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await next.catch(() => {});
    await file.close();
  }
}

function readAhead(file: FileHandle, buffer: Buffer) {
  const reading = file.read(buffer, 0, PIECE_BYTES);
  // Whoever waits for it is told when it fails; until then nobody need be.
  reading.catch(() => {});
  return reading;
}

async function* unpacked(path: string, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(path, { highWaterMark: PIECE_BYTES });
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
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

const SIGNATURES: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['Zstandard', [0x28, 0xb5, 0x2f, 0xfd]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
];

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const packing = await signatureOf(file);
    if (packing === undefined || packing === 'gzip') return packing === 'gzip';
    throw new OperatorError(
      `${path} is packed by ${packing}: unpack it first, or take it packed by gzip.`,
    );
  } finally {
    await file.close();
  }
}

async function signatureOf(file: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8);
  const head = buffer.subarray(0, bytesRead);
  return SIGNATURES.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0];
}

/** The codes by which zlib says that bytes end too soon, or are not what they were. */
const BREAKS_OFF = 'Z_BUF_ERROR';
const IS_DAMAGED = 'Z_DATA_ERROR';

function unreadable(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === undefined || error instanceof OperatorError) return error;
  const faults: Readonly<Record<string, string>> = {
    [BREAKS_OFF]: 'it breaks off in the middle; get it again',
    [IS_DAMAGED]: 'it is damaged; get it again',
  };
  const reason = faults[code] ?? (error as Error).message;
  return new OperatorError(`${path} cannot be read: ${reason}.`, { cause: error });
}
