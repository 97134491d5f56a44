import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';

/** How answers are compressed, and which compression a caller accepts. */

/** Shorter texts are sent uncompressed: compression would save less than a packet. */
export const LEAST_COMPRESSED = 1024;

/**
 * The effort of a compression. `kept` shrinks a list to a tenth. `once` is for texts kept for the
 * life of the process: it saves 3 % more in ten times the time.
 */
const LEVELS = {
  kept: { zstd: 9, br: 6, gzip: 6 },
  once: { zstd: 19, br: 9, gzip: 9 },
} as const;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = constants;

/** Shorter texts are compressed in the event loop, because another thread would take longer. */
const LEAST_ELSEWHERE = 8192;

/** A compression inside and outside of the event loop, and its options. */
interface Compression<Options> {
  readonly here: (text: Buffer, options: Options) => Buffer;
  readonly elsewhere: (text: Buffer, options: Options) => Promise<Buffer>;
  readonly options: (level: number, bytes: number) => Options;
}

/** Compresses a text at a level. */
type Compress = (text: Buffer, level: number) => Promise<Buffer>;

/** A compression needs up to 10 MB, so a burst of first requests must not run at once. */
const turn = pLimit(2);

function compressor<Options>({ here, elsewhere, options }: Compression<Options>): Compress {
  return async (text, level) => {
    const chosen = options(level, text.length);
    return text.length < LEAST_ELSEWHERE ? here(text, chosen) : turn(() => elsewhere(text, chosen));
  };
}

/**
 * Compressions by their names in HTTP, fastest first. With the size of the text, zstd takes a
 * quarter of the time and a fifth of the memory.
 */
const COMPRESSIONS = {
  zstd: compressor<ZstdOptions>({
    here: zstdCompressSync,
    elsewhere: promisify(zstdCompress),
    options: (level, bytes) => ({
      params: { [ZSTD_c_compressionLevel]: level },
      pledgedSrcSize: bytes,
    }),
  }),
  br: compressor<BrotliOptions>({
    here: brotliCompressSync,
    elsewhere: promisify(brotliCompress),
    options: (level, bytes) => ({
      params: { [BROTLI_PARAM_QUALITY]: level, [BROTLI_PARAM_SIZE_HINT]: bytes },
    }),
  }),
  gzip: compressor<ZlibOptions>({
    here: gzipSync,
    elsewhere: promisify(gzip),
    options: (level) => ({ level }),
  }),
};

export type Encoding = keyof typeof COMPRESSIONS;

export const ENCODINGS = Object.keys(COMPRESSIONS) as readonly Encoding[];

const CHOICES = [...ENCODINGS, 'identity'];

/** Clients send few different headers. */
const chosen = new LRUCache<string, Encoding | 'identity'>({ max: 100 });

/**
 * Returns the best encoding that `Accept-Encoding` allows; undefined to send a text uncompressed.
 */
export function encodingOf(headers: IncomingHttpHeaders): Encoding | undefined {
  const header = headers['accept-encoding'];
  if (typeof header !== 'string') return undefined;
  let choice = chosen.get(header);
  if (choice === undefined) {
    choice = (negotiate(header.toLowerCase(), CHOICES) ?? 'identity') as Encoding | 'identity';
    chosen.set(header, choice);
  }
  return choice === 'identity' ? undefined : choice;
}

/** Compresses a text. */
export function compress(
  text: string,
  encoding: Encoding,
  effort: keyof typeof LEVELS = 'kept',
): Promise<Buffer> {
  return COMPRESSIONS[encoding](Buffer.from(text), LEVELS[effort][encoding]);
}

/**
 * The tag of a body in an encoding: different bytes need a different strong tag (RFC 9110, 8.8.3).
 */
export function encodedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}.${encoding}"`;
}

const ENCODED_TAG = new RegExp(`\\.(?:${ENCODINGS.join('|')})"$`);

/** The tag of the uncompressed body. Equal bodies are unchanged in any encoding. */
export function plainTag(etag: string): string {
  return etag.replace(ENCODED_TAG, '"');
}
