import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { knownFiles } from '../ingest/files.ts';
import type {
  Remote,
  RemoteContent,
  RemoteFile,
  RemoteFiles,
  RemoteListing,
  RemotePages,
} from '../sources/contract/remote.ts';
import type { KnownFile, SourceFile } from '../sources/contract/snapshot.ts';
import { shownUrl, type WebClient, type WebRequest } from '../sources/io/web.ts';
import { dateFile, download } from './download.ts';
import { gatherPages } from './pages.ts';
import type { Visit } from './source.ts';

/** Whether a source has something new. */
export type News = Found | Unchanged;

/** Something new, on our disk and ready to be read. */
export interface Found extends Remembered {
  readonly kind: 'new';
  readonly location: string;
  /** Further files, by the names that the reader knows. */
  readonly files: Readonly<Record<string, string>>;
  /** When it was observed, if the source tells that besides. */
  readonly observedAt: Millis | null;
}

export interface Unchanged extends Remembered {
  readonly kind: 'unchanged';
}

/** By what it is known the next time, once it is imported. */
interface Remembered {
  readonly remembered: readonly SourceFile[];
  /** What the source itself calls its present state; null where it was not said anew. */
  readonly version: string | null;
}

const UNCHANGED: Unchanged = { kind: 'unchanged', remembered: [], version: null };

/** Where nothing else is said, an answer of more bytes cannot be right. */
export const MAX_BYTES = 1024 * 1024 * 1024;

/** Asks one source whether it has something new, with as few requests as it takes. */
export class Questioner {
  readonly #source: string;
  readonly #remote: Remote;
  readonly #key: string | undefined;
  readonly #client: WebClient;
  readonly #visit: Visit;
  readonly #base: URL;

  constructor(
    source: string,
    remote: Remote,
    key: string | undefined,
    client: WebClient,
    visit: Visit,
  ) {
    this.#source = source;
    this.#remote = remote;
    this.#key = key;
    this.#client = client;
    this.#visit = visit;
    this.#base = new URL(remote.base);
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/';
  }

  news(content: RemoteContent = this.#remote.content): Promise<News> {
    switch (content.kind) {
      case 'files':
        return this.#askForFiles(content);
      case 'listing':
        return this.#askForListing(content);
      case 'pages':
        return this.#askForPages(content);
    }
  }

  /** Several files are new when the main one is. */
  async #askForFiles({ main, further = {} }: RemoteFiles): Promise<News> {
    const path = `sync:${main.saveAs}`;
    const known = await this.#known(path);
    const answer = await this.#download(main, known?.etag ?? null);
    if (answer === 'unchanged') return UNCHANGED;
    const { location, digest, validator } = answer;
    const remembered = [{ path, digest, etag: validator }];
    if (digest === known?.digest) return { ...UNCHANGED, remembered };
    const files: Record<string, string> = {};
    for (const [name, file] of Object.entries(further)) {
      const more = await this.#download(file, null);
      if (more !== 'unchanged') files[name] = more.location;
    }
    return { kind: 'new', location, files, observedAt: null, version: null, remembered };
  }

  /** The files that a listing tells of are asked for when it calls them something else. */
  async #askForListing({ path, find }: RemoteListing): Promise<News> {
    const listingPath = 'sync:listing';
    const known = await this.#known(listingPath);
    const question = { ...this.#question(path), validator: known?.etag ?? null };
    const answer = await this.#client.get(question, gather);
    if (answer.kind === 'unchanged') return UNCHANGED;
    if (answer.kind === 'missing') throw missing(question.url);
    const { version, observedAt, ...files } = find(answer.result);
    const listing = { path: listingPath, digest: version, etag: answer.validator };
    const isKnown = !this.#visit.again && version === this.#visit.check.version;
    if (isKnown) return { ...UNCHANGED, remembered: [listing] };
    const news = await this.#askForFiles({ kind: 'files', ...files });
    const remembered = [...news.remembered, listing];
    if (news.kind === 'unchanged') return { ...news, version, remembered };
    return { ...news, version, observedAt, remembered };
  }

  async #askForPages(pages: RemotePages): Promise<News> {
    const path = `sync:${pages.saveAs}`;
    const folder = await this.#visit.folder();
    const { path: location, digest } = await gatherPages(pages, folder, (page) => this.#page(page));
    await dateFile(location, this.#visit.clock());
    const remembered = [{ path, digest, etag: null }];
    if (digest === (await this.#known(path))?.digest) return UNCHANGED;
    return { kind: 'new', location, files: {}, observedAt: null, version: null, remembered };
  }

  async #page(path: string): Promise<unknown> {
    const question = this.#question(path);
    const answer = await this.#client.get(question, gather);
    if (answer.kind !== 'found') throw missing(question.url);
    try {
      return JSON.parse(answer.result.toString()) as unknown;
    } catch (error) {
      const words = `${shownUrl(question.url)} does not answer with JSON any more.`;
      throw new OperatorError(words, { cause: error });
    }
  }

  async #download(file: RemoteFile, validator: string | null) {
    const question = { ...this.#question(file.path), validator };
    const folder = await this.#visit.folder();
    const answer = await download(this.#client, question, file, folder, this.#visit.clock());
    if (answer.kind === 'unchanged') return answer.kind;
    if (answer.kind === 'missing') throw missing(question.url);
    const { path: location, digest } = answer.result;
    return { location, digest, validator: answer.validator };
  }

  /** A question for an address below the base; the key goes along, but to nobody else. */
  #question(path: string): WebRequest {
    const url = new URL(path.replace(/^\/+/, ''), this.#base);
    const question = { url, maxBytes: MAX_BYTES };
    const { key } = this.#remote;
    if (!key || this.#key === undefined || url.origin !== this.#base.origin) return question;
    const values = { [key.name]: this.#key };
    return { ...question, secret: key.in === 'header' ? { headers: values } : { query: values } };
  }

  /** What was remembered of a file, unless it is to be imported again. */
  async #known(path: string): Promise<KnownFile | undefined> {
    if (this.#visit.again) return undefined;
    return (await knownFiles(this.#visit.store, this.#source))(path);
  }
}

async function gather(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(body));
}

function missing(url: URL): OperatorError {
  return new OperatorError(`There is no ${shownUrl(url)} (404). Has the source moved?`);
}
