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
