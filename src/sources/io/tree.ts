import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../domain/errors.ts';
import { originsNamed, WebClient, type WebRequest } from './web.ts';

/** A tree of files, in a folder or behind a URL. */
export interface Tree {
  /** The folder or the URL, for messages. */
  readonly location: string;
  /** Reads a file. With the `etag` of an earlier read, an unchanged file is not sent again. */
  read(path: string, etag?: string | null): Promise<TreeFile>;
  close(): Promise<void>;
}

export type TreeFile =
  | { readonly kind: 'found'; readonly bytes: Uint8Array; readonly etag: string | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' };

/** No source serves larger files as parts of a tree. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Whether a location is a URL rather than a path on this machine. */
export function isUrl(location: string): boolean {
  return /^https?:\/\//.test(location);
}

/**
 * Opens a folder.
 *
 * @throws OperatorError if it is missing, is a file, or may not be read.
 */
export async function openFolder(location: string): Promise<Tree> {
  const found = await stat(location).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw new OperatorError(folderError(location, found));
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
        throw new OperatorError(folderError(join(location, path), failure), { cause: error });
      }
    },
    close: async () => {},
  };
}

function folderError(location: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `There is no folder ${location}.`;
  if (error.code === 'EACCES') return `${location} may not be read by this user.`;
  return `${location} cannot be read: ${error.message}`;
}

export interface WebOptions {
  /** Identifies the project and its version, as sources request. */
  readonly userAgent: string;
  /** Milliseconds between two requests. */
  readonly pauseMs: number;
  /** The statuses that mean "missing"; 404 by default. */
  readonly missingStatuses?: readonly number[];
  /** Milliseconds before the first retry; doubles with each. */
  readonly initialBackoffMs?: number;
}

/** Opens a tree behind a URL that the operator has named, with its own {@link WebClient}. */
export function openWeb(location: string, options: WebOptions): Tree {
  const { missingStatuses, ...rules } = options;
  const accept = 'application/json, text/plain';
  const client = new WebClient({ ...rules, accept, trustedOrigins: originsNamed(location) });
  return webTree(location, client, missingStatuses ? { missingStatuses } : {});
}

/** The common parts of all requests of a tree. */
type TreeRequest = Pick<WebRequest, 'missingStatuses' | 'secret'>;

/** After this many consecutive failed reads, no further requests are made. */
const MAX_FAILURES = 3;

/**
 * Opens a tree behind a URL with a given client. After {@link MAX_FAILURES} failures in a row,
 * further reads fail with the same message and without a request.
 */
export function webTree(location: string, client: WebClient, request: TreeRequest = {}): Tree {
  const base = location.replace(/\/$/, '');
  let failures = 0;
  let lastFailure = '';
  return {
    location,
    async read(path, etag) {
      if (failures >= MAX_FAILURES) {
        throw new OperatorError(`${location} is no longer asked: ${lastFailure}`);
      }
      try {
        const file = await readWeb(client, new URL(`${base}/${path}`), etag, request);
        failures = 0;
        return file;
      } catch (error) {
        failures += 1;
        lastFailure = error instanceof Error ? error.message : String(error);
        throw error;
      }
    },
    close: () => client.close(),
  };
}

async function readWeb(
  client: WebClient,
  url: URL,
  etag: string | null | undefined,
  given: TreeRequest,
): Promise<TreeFile> {
  const request = { ...given, url, validator: etag ?? null, maxBytes: MAX_FILE_BYTES };
  const response = await client.get(request, readAll);
  if (response.kind !== 'found') return response;
  return { kind: 'found', bytes: response.result, etag: response.validator };
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(body));
}
