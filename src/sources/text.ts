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

/** The lines of text, without their ends; an empty one at the end is none. */
export async function* linesOf(text: Pieces<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const some of text) {
    const lines = (rest + some).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
