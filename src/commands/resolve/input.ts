import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { OperatorError } from '../../domain/errors.ts';
import { findFile, withReadErrors } from '../../sources/io/files.ts';

/** What a file or the standard input holds. */
export interface Input {
  /** For messages. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** About half a million rows: many times the largest collection, and little beside a catalogue. */
const MAX_MB = 64;
const MAX_BYTES = MAX_MB * 1024 * 1024;

/** The bound of files, for people. */
export const MAX_FILE_SIZE = `${MAX_MB} MB`;

/**
 * Reads all of a file, or of the standard input without one.
 *
 * @throws OperatorError when it cannot be read, is empty or is longer than {@link MAX_FILE_SIZE}.
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

/** A file may grow, and the standard input has no size, so the bytes are counted as they come. */
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
    `${name} is longer than ${MAX_FILE_SIZE}, which is the most that is read at once: split it.`,
  );
}

/** The lines of a file, without their ends, and how its bytes were read. */
export interface DecodedText {
  readonly lines: readonly string[];
  readonly encoding: 'UTF-8' | 'UTF-16';
  /** The numbers of the lines, from 1, that are not UTF-8 and were read as Windows-1252. */
  readonly windowsLines: readonly number[];
}

/**
 * Decodes text: UTF-8, UTF-16 with or without a byte order mark, and Windows-1252 line by line,
 * since files that are put together from others have both.
 *
 * @throws OperatorError when the bytes are not text; the message says what they are, if it is known.
 */
export function decodeInput({ name, bytes }: Input): DecodedText {
  const kind = FILE_KINDS.find(([, magic]) => bytes.subarray(0, magic.length).equals(magic))?.[0];
  if (kind !== undefined) throw new OperatorError(`${name} is ${kind}.`);
  const utf16 = utf16Of(bytes);
  if (utf16)
    return { lines: splitText(decodeUtf16(name, bytes, utf16)), encoding: 'UTF-16', ...NONE };
  if (isBinary(bytes))
    throw new OperatorError(`${name} is not text: it has bytes that no text has.`);
  if (isUtf8(bytes)) return { lines: splitText(bytes.toString()), encoding: 'UTF-8', ...NONE };
  return decodeMixed(bytes);
}

const NONE = { windowsLines: [] } as const;

const TO_UNPACK = 'which has to be unpacked first';
const NO_LIST = 'which has no list of cards to read';

/** What people take for a table or a list, by its first bytes. */
const FILE_KINDS: readonly (readonly [kind: string, magic: Buffer])[] = [
  [
    'a zip archive or an Excel workbook (.xlsx): unpack it, or save the sheet as CSV',
    magic('PK\x03\x04'),
  ],
  ['an Excel workbook (.xls): save the sheet as CSV', magic('\xd0\xcf\x11\xe0')],
  [`packed by gzip, ${TO_UNPACK}`, magic('\x1f\x8b')],
  [`packed by bzip2, ${TO_UNPACK}`, magic('BZh91AY')],
  [`packed by xz, ${TO_UNPACK}`, magic('\xfd7zXZ')],
  [`packed by Zstandard, ${TO_UNPACK}`, magic('\x28\xb5\x2f\xfd')],
  [`a 7z archive, ${TO_UNPACK}`, magic('7z\xbc\xaf')],
  [`a PDF, ${NO_LIST}`, magic('%PDF-')],
  [`a picture (PNG), ${NO_LIST}`, magic('\x89PNG')],
  [`a picture (JPEG), ${NO_LIST}`, magic('\xff\xd8\xff')],
  [`a SQLite database, ${NO_LIST}`, magic('SQLite format 3\x00')],
];

function magic(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

type Utf16 = 'utf-16le' | 'utf-16be';

/** Tells UTF-16 by its byte order mark, or by its zero bytes, which are all at odd or even places. */
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

/** So many bytes tell what a file is. */
const HEAD_BYTES = 64 * 1024;
/** A list in Japanese has digits, commas and line ends, of which every second byte is zero. */
const MIN_ZEROS = 0.05;
/** What is UTF-8 as well has Latin letters alone: of UTF-16 every second byte is zero. */
const MIN_ZEROS_OF_LATIN = 0.25;

function decodeUtf16(name: string, bytes: Buffer, encoding: Utf16): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new OperatorError(`${name} is not text: it begins like UTF-16 and is not.`, {
      cause: error,
    });
  }
}

/** Whether more than one byte in a hundred is a control character, which text has none of. */
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

/** Lines may end as on Windows, on Unix or on old Macs. */
function splitText(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
