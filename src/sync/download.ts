import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Millis } from '../domain/day.ts';
import type { RemoteFile } from '../sources/contract/source.ts';
import type { WebAnswer, WebClient, WebHead, WebRequest } from '../sources/io/web.ts';
import { WebError } from '../sources/io/web.ts';

/** A completely downloaded file in the expected format. */
export interface DownloadedFile {
  readonly path: string;
  /** SHA-256 of its unpacked content, hexadecimal. */
  readonly digest: string;
}

type FileRequest = Omit<WebRequest, 'maxBytes'>;

/**
 * Downloads a file into a folder. A file of its name appears only once the download is complete:
 * its length is the announced one, it unpacks, and it does not end in the middle. Its modification
 * time is the source's `Last-Modified`, otherwise `now`.
 *
 * @throws WebError if the source refuses or fails, or the file is damaged.
 */
export function download(
  client: WebClient,
  request: FileRequest,
  file: RemoteFile,
  folder: string,
  now: Millis,
): Promise<WebAnswer<DownloadedFile>> {
  const headers = { ...request.headers, 'accept-encoding': 'gzip' };
  const { maxBytes } = file;
  return client.get({ ...request, headers, maxBytes }, async (body, head) => {
    const part = join(folder, `${file.saveAs}.part`);
    await writeTo(part, body);
    const packed = await isPacked(part, head);
    const keepPacked = packed && file.gzip === true;
    const path = join(folder, keepPacked ? withSuffix(file.saveAs) : file.saveAs);
    const unpackTo = packed && !keepPacked ? `${part}.unpacked` : null;
    const digest = await inspect(part, { ...head, packed, unpackTo, file });
    await dateFile(unpackTo ?? part, momentIn(head) ?? now);
    await rename(unpackTo ?? part, path);
    await rm(part, { force: true });
    return { path, digest };
  });
}

/**
 * Writes a file. The file is closed when the promise settles, even if it rejects. Otherwise a file
 * that is still being opened could appear in a removed folder.
 */
async function writeTo(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = createWriteStream(path);
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
  await pipeline(content, file).finally(() => closed);
}

/** SHA-256 of a file's bytes on the disk, hexadecimal. */
export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function withSuffix(name: string): string {
  return name.endsWith('.gz') ? name : `${name}.gz`;
}

/** Whether a file is packed with gzip, by the transfer or by the source. */
async function isPacked(path: string, { address, headers }: WebHead): Promise<boolean> {
  const stream = createReadStream(path, { end: 1 });
  const [first] = (await Array.fromAsync(stream)) as Buffer[];
  if (!first) throw new WebError(`${address} is empty.`, { status: 200 });
  const packed = first[0] === 0x1f && first[1] === 0x8b;
  const encoding = headers['content-encoding'];
  const known = encoding === undefined || encoding === 'identity';
  if (known || (encoding === 'gzip' && packed)) return packed;
  throw new WebError(`${address} is damaged: it is not packed as ${encoding}, as it says.`, {
    status: 200,
  });
}

interface Inspected {
  readonly address: string;
  readonly packed: boolean;
  /** The file for the unpacked content; null for none. */
  readonly unpackTo: string | null;
  readonly file: RemoteFile;
}

/** Reads a file to its end, checks it, and returns its digest. */
async function inspect(part: string, { address, packed, unpackTo, file }: Inspected) {
  const inspector = new Inspector(file.maxBytes);
  try {
    const content = inspector.pass(contentOf(part, packed));
    if (unpackTo === null) for await (const _ of content);
    else await writeTo(unpackTo, content);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw new WebError(`${address} is damaged: its packing says "${message}".`, { status: 200 });
  }
  const fault = inspector.fault(file.saveAs);
  if (fault) throw new WebError(`${address} ${fault}.`, { status: 200 });
  return inspector.digest();
}

function contentOf(path: string, packed: boolean): AsyncIterable<Buffer> {
  const reading = createReadStream(path);
  // Errors of the stream surface where it is read.
  return packed ? connect(reading, createGunzip(), () => {}) : reading;
}

const CLOSED_BY: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
/** Bytes kept from the end of a file, to check how it ends. */
const TAIL_BYTES = 64;

/** Checks a file from any source: its size, its beginning and its end. */
class Inspector {
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #first = '';
  #tail = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Passes the chunks on. Stops if the file is too large. */
  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (!this.#note(chunk)) return;
      yield chunk;
    }
  }

  #note(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    this.#first ||= chunk
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart()
      .slice(0, 1);
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    return this.#bytes <= this.#maxBytes;
  }

  /** Returns the file's fault, in words that follow its name; undefined if there is none. */
  fault(name: string): string | undefined {
    if (this.#bytes > this.#maxBytes) return `is larger than ${this.#maxBytes} bytes`;
    if (this.#first === '') return 'is empty';
    // The XML reader recognises a web page for people.
    if (/\.xml$/.test(name)) return undefined;
    if (this.#first === '<') return 'is a page for people, or XML, instead of data';
    if (!/\.json(\.gz)?$/.test(name)) return undefined;
    const closed = CLOSED_BY[this.#first];
    if (closed === undefined) return 'is not JSON';
    const last = this.#tail.toString('latin1').trimEnd().slice(-1);
    return last === closed ? undefined : `ends in the middle, after ${this.#bytes} bytes`;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

function momentIn({ headers }: WebHead): Millis | undefined {
  const moment = Date.parse(String(headers['last-modified']));
  return Number.isNaN(moment) ? undefined : moment;
}

/** Sets a file's modification time, which some readers use as the moment of its prices. */
export function dateFile(path: string, moment: Millis): Promise<void> {
  return utimes(path, new Date(moment), new Date(moment));
}
