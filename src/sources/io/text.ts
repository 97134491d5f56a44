import { TextDecoder } from 'node:util';

/** Text that comes in pieces. */

/** A file that is not text. */
export class MalformedText extends Error {}

type Pieces<Piece> = AsyncIterable<Piece> | Iterable<Piece>;

/**
 * UTF-8 text, without a byte order mark and with `\n` for every `\r\n`.
 *
 * @throws MalformedText when the bytes are something else.
 */
export async function* decodeText(bytes: Pieces<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = '';
  for await (const some of bytes) {
    const text = held + decode(decoder, some);
    held = text.endsWith('\r') ? '\r' : '';
    const whole = text.slice(0, text.length - held.length).replaceAll('\r\n', '\n');
    if (whole !== '') yield whole;
  }
  const rest = held + decode(decoder);
  if (rest !== '') yield rest;
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (error) {
    throw new MalformedText('not UTF-8 text', { cause: error });
  }
}

/** In characters: a line that is longer is none of any source. */
const MAX_LINE = 128 * 1024 * 1024;

/**
 * The lines of text, without their ends; an empty one at the end is none.
 *
 * @throws MalformedText for a line that no file has.
 */
export async function* splitLines(text: Pieces<string>): AsyncGenerator<string> {
  // Of the line that is on its way; put together once, however many pieces it comes in.
  let pieces: string[] = [];
  let length = 0;
  for await (const some of text) {
    const [first = '', ...rest] = some.split('\n');
    pieces.push(first);
    length += first.length;
    if (length > MAX_LINE) throw new MalformedText(`a line of more than ${MAX_LINE} characters`);
    const last = rest.pop();
    if (last === undefined) continue;
    yield pieces.join('');
    yield* rest;
    pieces = [last];
    length = last.length;
  }
  if (length > 0) yield pieces.join('');
}
