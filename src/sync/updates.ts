import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { knownFiles } from '../ingest/import.ts';
import type { KnownFile, SourceFile } from '../sources/contract/files.ts';
import type {
  Remote,
  RemoteContent,
  RemoteFile,
  RemoteFiles,
  RemoteListing,
  RemotePages,
} from '../sources/contract/source.ts';
import { urlForMessages, type WebClient, type WebRequest } from '../sources/io/web.ts';
import { type DownloadedFile, dateFile, download } from './download.ts';
import type { SyncContext } from './source.ts';

/** Whether a source has an update. */
export type UpdateCheck = Update | NoUpdate;

/** An update on our disk, ready to be read. */
export interface Update extends Checked {
  readonly kind: 'new';
  readonly location: string;
  /** Further files, by their names for the reader. */
  readonly files: Readonly<Record<string, string>>;
  /** When it was observed, if the source's listing gives it. */
  readonly observedAt: Millis | null;
}

export interface NoUpdate extends Checked {
  readonly kind: 'unchanged';
}

interface Checked {
  /** The files to mark as imported. The next check recognises the update by them. */
  readonly remember: readonly SourceFile[];
  /** The source's own name for its present state; null if it was not queried or has none. */
  readonly version: string | null;
}

const NO_UPDATE: NoUpdate = { kind: 'unchanged', remember: [], version: null };

/** The limit of responses without their own limit, in bytes. */
export const MAX_BYTES = 1024 * 1024 * 1024;
/** The size limit of answers read into memory: listings and pages. */
const MAX_BYTES_IN_MEMORY = 64 * 1024 * 1024;

/** Checks whether one source has an update, with as few requests as possible. */
export class UpdateChecker {
  readonly #source: string;
  readonly #remote: Remote;
  readonly #apiKey: string | undefined;
  readonly #client: WebClient;
  readonly #context: SyncContext;
  readonly #base: URL;

  constructor(
    source: string,
    remote: Remote,
    apiKey: string | undefined,
    client: WebClient,
    context: SyncContext,
  ) {
    this.#source = source;
    this.#remote = remote;
    this.#apiKey = apiKey;
    this.#client = client;
    this.#context = context;
    this.#base = new URL(remote.base);
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/';
  }

  /** @throws OperatorError if the source cannot be reached, or refuses. */
  check(content: RemoteContent = this.#remote.content): Promise<UpdateCheck> {
    switch (content.kind) {
      case 'files':
        return this.#checkFiles(content);
      case 'listing':
        return this.#checkListing(content);
      case 'pages':
        return this.#checkPages(content);
    }
  }

  /** All files are new if the main one is. */
  async #checkFiles({ main, further = {} }: RemoteFiles): Promise<UpdateCheck> {
    const path = `sync:${main.saveAs}`;
    const known = await this.#known(path);
    const answer = await this.#download(main, known?.etag ?? null);
    if (answer === 'unchanged') return NO_UPDATE;
    const { location, digest, validator } = answer;
    const remember = [{ path, digest, etag: validator }];
    if (digest === known?.digest) return { ...NO_UPDATE, remember };
    const files: Record<string, string> = {};
    for (const [name, file] of Object.entries(further)) {
      const more = await this.#download(file, null);
      if (more !== 'unchanged') files[name] = more.location;
    }
    return { kind: 'new', location, files, observedAt: null, version: null, remember };
  }

  /** Downloads the files of a listing if the listing has another version. */
  async #checkListing({ path, parse }: RemoteListing): Promise<UpdateCheck> {
    const listingPath = 'sync:listing';
    const known = await this.#known(listingPath);
    const request = { ...this.#request(path), validator: known?.etag ?? null };
    const answer = await this.#client.get(request, readAll);
    if (answer.kind === 'unchanged') return NO_UPDATE;
    if (answer.kind === 'missing') throw missing(request.url);
    const { version, observedAt, ...files } = parse(answer.result);
    const listing = { path: listingPath, digest: version, etag: answer.validator };
    const isKnown = !this.#context.again && version === this.#context.lastCheck.version;
    if (isKnown) return { ...NO_UPDATE, remember: [listing] };
    const update = await this.#checkFiles({ kind: 'files', ...files });
    const remember = [...update.remember, listing];
    if (update.kind === 'unchanged') return { ...update, version, remember };
    return { ...update, version, observedAt, remember };
  }

  async #checkPages(pages: RemotePages): Promise<UpdateCheck> {
    const path = `sync:${pages.saveAs}`;
    const folder = await this.#context.folder();
    const { path: location, digest } = await gatherPages(pages, folder, (page) => this.#page(page));
    await dateFile(location, this.#context.clock());
    const remember = [{ path, digest, etag: null }];
    if (digest === (await this.#known(path))?.digest) return NO_UPDATE;
    return { kind: 'new', location, files: {}, observedAt: null, version: null, remember };
  }

  async #page(path: string): Promise<unknown> {
    const request = this.#request(path);
    const answer = await this.#client.get(request, readAll);
    if (answer.kind !== 'found') throw missing(request.url);
    try {
      return JSON.parse(answer.result.toString()) as unknown;
    } catch (error) {
      const message = `${urlForMessages(request.url)} no longer answers with JSON.`;
      throw new OperatorError(message, { cause: error });
    }
  }

  async #download(file: RemoteFile, validator: string | null) {
    const request = { ...this.#request(file.path), validator };
    const folder = await this.#context.folder();
    const answer = await download(this.#client, request, file, folder, this.#context.clock());
    if (answer.kind === 'unchanged') return answer.kind;
    if (answer.kind === 'missing') throw missing(request.url);
    const { path: location, digest } = answer.result;
    return { location, digest, validator: answer.validator };
  }

  /**
   * A request for an address below the base, or for one named by a listing. The key is sent only to
   * the origin of the base.
   * @throws OperatorError if the address is invalid, or would leave TLS.
   */
  #request(path: string): WebRequest {
    const url = URL.parse(path.replace(/^\/+/, ''), this.#base.href);
    if (!url || !this.#schemes.includes(url.protocol)) throw this.#notEncrypted(url);
    const request = { url, maxBytes: MAX_BYTES_IN_MEMORY };
    const { key } = this.#remote;
    if (!key || this.#apiKey === undefined || url.origin !== this.#base.origin) return request;
    const values = { [key.name]: this.#apiKey };
    return { ...request, secret: key.in === 'header' ? { headers: values } : { query: values } };
  }

  /**
   * The schemes that a listing may lead to. A source queried over TLS may never lead to plain HTTP.
   */
  get #schemes(): readonly string[] {
    return this.#base.protocol === 'https:' ? ['https:'] : ['http:', 'https:'];
  }

  #notEncrypted(url: URL | null): OperatorError {
    const from = urlForMessages(this.#base);
    if (!url || !/^https?:$/.test(url.protocol)) {
      return new OperatorError(`${from} lists something that is not the address of a file.`);
    }
    return new OperatorError(`${from} lists ${urlForMessages(url)}, which is not encrypted.`);
  }

  /** The stored record of a file, unless it is to be imported again. */
  async #known(path: string): Promise<KnownFile | undefined> {
    if (this.#context.again) return undefined;
    return (await knownFiles(this.#context.store, this.#source))(path);
  }
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(body));
}

function missing(url: URL): OperatorError {
  return new OperatorError(`There is no ${urlForMessages(url)} (404). Has the source moved?`);
}

/** A source with more pages than this must be repeating itself. */
const MAX_PAGES = 5000;

/**
 * Requests one page after the other, and collects their items in one file, `{"data":[…]}`.
 * `request` returns the parsed page of a path.
 *
 * @throws OperatorError if a page cannot be fetched or is malformed.
 */
export async function gatherPages(
  pages: RemotePages,
  folder: string,
  request: (path: string) => Promise<unknown>,
): Promise<DownloadedFile> {
  const path = join(folder, pages.saveAs);
  const file = await open(path, 'w');
  const hash = createHash('sha256');
  const write = async (text: string) => {
    hash.update(text);
    await file.write(text);
  };
  try {
    let items = 0;
    let kept: string[] = [];
    const walk = pages.crawl((item) => kept.push(JSON.stringify(item)));
    let step = walk.next();
    for (let count = 1; !step.done; count += 1) {
      if (count > MAX_PAGES) throw new OperatorError(`${pages.saveAs}: the pages do not end.`);
      step = walk.next(await request(step.value));
      for (const item of kept) await write(`${items++ === 0 ? '{"data":[' : ','}\n${item}`);
      kept = [];
    }
    if (items === 0) throw new OperatorError(`${pages.saveAs}: there is nothing on the pages.`);
    await write('\n]}\n');
  } finally {
    await file.close();
  }
  return { path, digest: hash.digest('hex') };
}
