import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../../domain/errors.ts';
import { readRaw, withReadErrors } from '../io/files.ts';
import type { WebClient } from '../io/web.ts';
import type { ListedFile } from './list.ts';

/** Access to the verified bytes of listed files. */
export interface FileStore {
  /**
   * Returns the path of a file that has the listed bytes.
   * @throws OperatorError if it is missing, or its bytes differ from the list.
   */
  locate(file: ListedFile): Promise<string>;
}

/** The files in a folder. */
export function filesIn(folder: string): FileStore {
  return {
    async locate(file) {
      const path = join(folder, file.url);
      await withReadErrors(path, () => requireBytes(path, file));
      return path;
    },
  };
}

/**
 * Downloads files into a folder, each under its digest. An interrupted download continues where it
 * stopped, even in a later run.
 */
export class Downloads implements FileStore {
  readonly #base: string;
  readonly #folder: string;
  readonly #client: WebClient;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    base: string,
    folder: string,
    client: WebClient,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#base = base;
    this.#folder = folder;
    this.#client = client;
    this.#headers = headers;
  }

  async locate(file: ListedFile): Promise<string> {
    const path = join(this.#folder, file.sha256);
    if ((await sizeOf(path)) === file.bytes) return path;
    await mkdir(this.#folder, { recursive: true });
    const part = `${path}${PART}`;
    await this.#complete(file, part);
    try {
      await requireBytes(part, file);
    } catch (error) {
      // The next run starts again, because these bytes can never become the listed ones.
      await rm(part, { force: true });
      throw error;
    }
    await rename(part, path);
    return path;
  }

  /** Removes the downloaded files, and the folder if it is then empty. */
  async remove(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) if (OWN.test(name)) await rm(join(this.#folder, name));
    if (names.every((name) => OWN.test(name))) await rmdir(this.#folder).catch(() => undefined);
  }

  async #complete({ url, bytes }: ListedFile, part: string): Promise<void> {
    const from = await sizeOf(part);
    if (from === bytes) return;
    const resumed = from > 0 && from < bytes;
    const request = {
      url: new URL(`${this.#base}/${url}`),
      headers: { 'accept-encoding': 'identity', ...(resumed && { range: `bytes=${from}-` }) },
      secret: { headers: this.#headers },
      maxBytes: bytes,
    };
    const answer = await this.#client.get(request, async (body, { headers }) => {
      // A server may send the whole file; a repeated request sends the same range again.
      const isRest = headers['content-range'] !== undefined;
      const start = isRest ? from : 0;
      await pipeline(body, createWriteStream(part, { flags: isRest ? 'r+' : 'w', start }));
    });
    if (answer.kind === 'found') return;
    throw new OperatorError(`${this.#base} lists ${url}, but does not have it.`);
  }
}

const PART = '.part';
const OWN = /^[0-9a-f]{64}(?:\.part)?$/;

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** @throws Error unless a file has the listed size and digest. */
async function requireBytes(path: string, { bytes, sha256 }: ListedFile): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of readRaw(path)) {
    hash.update(chunk);
    size += chunk.length;
  }
  if (size !== bytes) throw new OperatorError(`it has ${size} bytes, but the list says ${bytes}`);
  if (hash.digest('hex') !== sha256) {
    throw new OperatorError('its digest is not the one in the list');
  }
}
