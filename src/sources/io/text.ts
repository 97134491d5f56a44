import { TextDecoder } from 'node:util';

/** Text that arrives in chunks. */

/** A file that is not text. */
export class MalformedText extends Error {}

type Chunks<Chunk> = AsyncIterable<Chunk> | Iterable<Chunk>;

/**
 * Decodes UTF-8; drops a byte order mark and turns every `\r\n` into `\n`.
 *
 * @throws MalformedText if the bytes are not UTF-8.
 */
export async function* decodeText(bytes: Chunks<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pending = '';
  for await (const chunk of bytes) {
    const text = pending + decode(decoder, chunk);
    pending = text.endsWith('\r') ? '\r' : '';
    const complete = text.slice(0, text.length - pending.length).replaceAll('\r\n', '\n');
    if (complete !== '') yield complete;
  }
  const rest = pending + decode(decoder);
  if (rest !== '') yield rest;
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (error) {
    throw new MalformedText('not UTF-8 text', { cause: error });
  }
}

/** In characters. No source has longer lines. */
const MAX_LINE_LENGTH = 128 * 1024 * 1024;

/**
 * Splits text into lines without their ends. Omits an empty line at the end.
 *
 * @throws MalformedText for a line longer than {@link MAX_LINE_LENGTH}.
 */
export async function* splitLines(text: Chunks<string>): AsyncGenerator<string> {
  // The parts of an unfinished line are joined once, however many chunks it spans.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of text) {
    const [first = '', ...rest] = chunk.split('\n');
    parts.push(first);
    length += first.length;
    if (length > MAX_LINE_LENGTH) {
      throw new MalformedText(`a line of more than ${MAX_LINE_LENGTH} characters`);
    }
    const last = rest.pop();
    if (last === undefined) continue;
    yield parts.join('');
    yield* rest;
    parts = [last];
    length = last.length;
  }
  if (length > 0) yield parts.join('');
}
