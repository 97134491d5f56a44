import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, interceptors, request } from 'undici';
import { OperatorError } from '../domain/errors.ts';

/** A tree of files, in a folder or behind a URL. */
export interface Tree {
  /** What people are told that this tree is. */
  readonly location: string;
  /** Reads one file; with the `etag` of an earlier read, one that is unchanged comes back empty. */
  read(path: string, etag?: string | null): Promise<TreeFile>;
  close(): Promise<void>;
}

export type TreeFile =
  | { readonly kind: 'found'; readonly bytes: Uint8Array; readonly etag: string | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' };

/** A file larger than this is not what a card price source serves. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Whether a location names something on the web rather than on this machine. */
export function isUrl(location: string): boolean {
  return /^https?:\/\//.test(location);
}

/**
 * Opens a folder.
 *
 * @throws OperatorError when it is missing, is a file, or may not be read.
 */
export async function openFolder(location: string): Promise<Tree> {
  const found = await stat(location).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw new OperatorError(unreadable(location, found));
  if (!found.isDirectory()) {
    throw new OperatorError(`${location} is a file; a folder is expected.`);
  }
  return {
    location,
    async read(path) {
      try {
        return { kind: 'found', bytes: await readFile(join(location, path)), etag: null };
      } catch (error) {
        const failure = error as NodeJS.ErrnoException;
        if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return { kind: 'missing' };
        throw new OperatorError(unreadable(join(location, path), failure), { cause: error });
      }
    },
    close: async () => {},
  };
}

function unreadable(location: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `There is no folder ${location}.`;
  if (error.code === 'EACCES') return `${location} may not be read by this user.`;
  return `${location} cannot be read: ${error.message}`;
}

export interface WebOptions {
  /** Names the project and its version, as sources ask for. */
  readonly userAgent: string;
  /** Milliseconds between two requests. */
  readonly pause: number;
  /** The statuses that mean that there is no such file; 404 unless told. */
  readonly missing?: readonly number[];
  /** Milliseconds before the first retry; doubles with each. */
  readonly retryAfter?: number;
}

/**
 * Opens a web source politely: one request at a time with a pause between, a User-Agent that
 * says who asks, conditional requests, and retries with growing pauses (or what `Retry-After`
 * says) after 429, 5xx and broken connections.
 */
export function openWeb(location: string, options: WebOptions): Tree {
  const retry = interceptors.retry({
    maxRetries: 4,
    minTimeout: options.retryAfter ?? 1000,
    maxTimeout: 60_000,
    throwOnError: false,
  });
  const agent = new Agent({ connections: 1 });
  const dispatcher = agent.compose(retry, interceptors.redirect({ maxRedirections: 3 }));
  let nextAt = 0;
  return {
    location,
    async read(path, etag) {
      await sleep(Math.max(0, nextAt - performance.now()));
      try {
        return await fetchFile(
          dispatcher,
          `${location.replace(/\/$/, '')}/${path}`,
          {
            'user-agent': options.userAgent,
            accept: 'application/json, text/plain',
            ...(etag ? { 'if-none-match': etag } : {}),
          },
          options.missing ?? [404],
        );
      } finally {
        nextAt = performance.now() + options.pause;
      }
    },
    close: () => agent.close(),
  };
}

async function fetchFile(
  dispatcher: Dispatcher,
  url: string,
  headers: Record<string, string>,
  missing: readonly number[],
): Promise<TreeFile> {
  let response: Dispatcher.ResponseData;
  try {
    response = await request(url, { dispatcher, headers });
  } catch (error) {
    throw new OperatorError(`${url} cannot be reached: ${reason(error)}`, { cause: error });
  }
  const { statusCode, body } = response;
  if (statusCode === 200) {
    const bytes = await readBody(url, response);
    const etag = response.headers.etag;
    return { kind: 'found', bytes, etag: typeof etag === 'string' ? etag : null };
  }
  await body.dump();
  if (statusCode === 304) return { kind: 'unchanged' };
  if (missing.includes(statusCode)) return { kind: 'missing' };
  const hint = statusCode === 401 || statusCode === 403 ? ' (the source refuses us)' : '';
  throw new OperatorError(`${url} answered ${statusCode}${hint}.`);
}

async function readBody(url: string, { headers, body }: Dispatcher.ResponseData) {
  if (Number(headers['content-length'] ?? 0) > MAX_FILE_BYTES) {
    body.destroy();
    throw new OperatorError(`${url} is larger than ${MAX_FILE_BYTES} bytes.`);
  }
  try {
    return new Uint8Array(await body.arrayBuffer());
  } catch (error) {
    throw new OperatorError(`${url} broke off: ${reason(error)}`, { cause: error });
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  return error.message || code || error.name;
}
