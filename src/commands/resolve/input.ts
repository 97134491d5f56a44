import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { OperatorError } from '../../domain/errors.ts';
import { findFile, withReadErrors } from '../../sources/io/files.ts';

/** The content of a file or of the standard input. */
export interface Input {
  /** For messages. */
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * About half a million rows: many times the largest collection, but small compared with a
 * catalogue.
 */
const MAX_MB = 64;
const MAX_BYTES = MAX_MB * 1024 * 1024;

/** The size limit of files, for messages. */
export const MAX_FILE_SIZE = `${MAX_MB} MB`;

/**
 * Reads a whole file, or the standard input if no file is given.
 *
 * @throws OperatorError if it cannot be read, is empty or is larger than {@link MAX_FILE_SIZE}.
 */
export async function readInput(file: string | undefined): Promise<Input> {
  if (file === undefined) return readStandardInput();
  const { size } = await findFile(file);
  if (size > MAX_BYTES) throw tooLong(file);
  return readAll(file, createReadStream(file));
}

function readStandardInput(): Promise<Input> {
  if (process.stdin.isTTY) {
    throw new OperatorError('Name a file, or pipe lines into the standard input.');
  }
  return readAll('The standard input', process.stdin);
}

/** Counts bytes while reading: a file may grow, and the standard input has no size. */
async function readAll(name: string, chunks: AsyncIterable<Buffer>): Promise<Input> {
  const parts: Buffer[] = [];
  let length = 0;
  await withReadErrors(name, async () => {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > MAX_BYTES) break;
      parts.push(chunk);
    }
  });
  if (length > MAX_BYTES) throw tooLong(name);
  if (length === 0) throw new OperatorError(`${name} is empty.`);
  return { name, bytes: Buffer.concat(parts) };
}

function tooLong(name: string): OperatorError {
  return new OperatorError(
    `${name} is larger than ${MAX_FILE_SIZE}, the limit for one file. Split it.`,
  );
}

/** The lines of a file without line endings, and the encoding of its bytes. */
export interface DecodedText {
  readonly lines: readonly string[];
  readonly encoding: 'UTF-8' | 'UTF-16';
  /** The line numbers, from 1, that are not UTF-8 and were read as Windows-1252. */
  readonly windowsLines: readonly number[];
}

/**
 * Decodes text: UTF-8, or UTF-16 with or without a byte order mark. Lines that are not UTF-8 are
 * read as Windows-1252, because files joined from others have both.
 *
 * @throws OperatorError if the bytes are not text. The message names the file type if it is known.
 */
export function decodeInput({ name, bytes }: Input): DecodedText {
  const kind = FILE_KINDS.find(([, magic]) => bytes.subarray(0, magic.length).equals(magic))?.[0];
  if (kind !== undefined) throw new OperatorError(`${name} is ${kind}.`);
  const utf16 = utf16Of(bytes);
  if (utf16)
    return { lines: splitText(decodeUtf16(name, bytes, utf16)), encoding: 'UTF-16', ...NONE };
  if (isBinary(bytes))
    throw new OperatorError(`${name} is not text: it contains control characters.`);
  if (isUtf8(bytes)) return { lines: splitText(bytes.toString()), encoding: 'UTF-8', ...NONE };
  return decodeMixed(bytes);
}

const NONE = { windowsLines: [] } as const;

const TO_UNPACK = 'unpack it first';
const NO_LIST = 'which contains no list of cards';

/** Files that people mistake for tables or lists, by their first bytes. */
const FILE_KINDS: readonly (readonly [kind: string, magic: Buffer])[] = [
  [
    'a zip archive or an Excel workbook (.xlsx): unpack it, or save the sheet as CSV',
    magic('PK\x03\x04'),
  ],
  ['an Excel workbook (.xls): save the sheet as CSV', magic('\xd0\xcf\x11\xe0')],
  [`compressed with gzip: ${TO_UNPACK}`, magic('\x1f\x8b')],
  [`compressed with bzip2: ${TO_UNPACK}`, magic('BZh91AY')],
  [`compressed with xz: ${TO_UNPACK}`, magic('\xfd7zXZ')],
  [`compressed with Zstandard: ${TO_UNPACK}`, magic('\x28\xb5\x2f\xfd')],
  [`a 7z archive: ${TO_UNPACK}`, magic('7z\xbc\xaf')],
  [`a PDF, ${NO_LIST}`, magic('%PDF-')],
  [`a picture (PNG), ${NO_LIST}`, magic('\x89PNG')],
  [`a picture (JPEG), ${NO_LIST}`, magic('\xff\xd8\xff')],
  [`a SQLite database, ${NO_LIST}`, magic('SQLite format 3\x00')],
];

function magic(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

type Utf16 = 'utf-16le' | 'utf-16be';

/** Detects UTF-16 by its byte order mark, or by zero bytes only at odd or only at even offsets. */
function utf16Of(bytes: Buffer): Utf16 | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, HEAD_BYTES);
  let even = 0;
  let odd = 0;
  for (const [at, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const leastZeros = isUtf8(bytes) ? MIN_ZEROS_OF_LATIN : MIN_ZEROS;
  if (Math.min(even, odd) > 0 || even + odd < head.length * leastZeros) return undefined;
  return even === 0 ? 'utf-16le' : 'utf-16be';
}

/** Bytes examined to detect the encoding. */
const HEAD_BYTES = 64 * 1024;
/** A Japanese list has digits, commas and line ends, which have a zero byte each in UTF-16. */
const MIN_ZEROS = 0.05;
/** UTF-16 that is also valid UTF-8 has mostly Latin letters, with a zero byte each. */
const MIN_ZEROS_OF_LATIN = 0.25;

function decodeUtf16(name: string, bytes: Buffer, encoding: Utf16): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new OperatorError(`${name} is not text: it begins like UTF-16 but is not valid UTF-16.`, {
      cause: error,
    });
  }
}

/** Whether more than 1% of the bytes are control characters, which text does not have. */
function isBinary(bytes: Buffer): boolean {
  const head = bytes.subarray(0, HEAD_BYTES);
  let control = 0;
  for (const byte of head) if (byte < 0x20 && !TEXT_CONTROLS.has(byte)) control += 1;
  return control * 100 > head.length;
}

/** Tab, line feed, vertical tab, form feed, carriage return, and the end of file of DOS. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a]);

const WINDOWS_1252 = new TextDecoder('windows-1252');
const LINE_FEED = 0x0a;

function decodeMixed(bytes: Buffer): DecodedText {
  const parts: string[] = [];
  const windowsLines: number[] = [];
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, from);
    const to = found === -1 ? bytes.length : found;
    const line = bytes.subarray(from, to);
    const isForeign = !isUtf8(line);
    if (isForeign) windowsLines.push(parts.length + 1);
    parts.push(isForeign ? WINDOWS_1252.decode(line) : line.toString());
    from = to + 1;
  }
  return { lines: splitText(parts.join('\n')), encoding: 'UTF-8', windowsLines };
}

/** Splits text at the line endings of Windows, Unix and old Macs. */
function splitText(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
