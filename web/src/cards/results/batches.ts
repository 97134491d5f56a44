import type { PageBody } from '../responses.ts';

/** The batches of long lists. */

/** The most rows of a page: the next ones have an address of their own, so memory stays bounded. */
export const MAX_ROWS = 600;

/** How many lists are remembered for readers who come back to them. */
const MAX_REMEMBERED = 12;

/** The batches of lists that were left or continued, by the path of the first batch. */
const remembered = new Map<string, readonly unknown[]>();
/** Who has seen them; empty for nobody who is signed in. */
let rememberedFor = '';

/**
 * Returns the path of the batch after `batches`, of which the first one is at `path`; undefined
 * after the last one, and when a page has as many rows as it may have.
 */
export function nextBatchPath(
  path: string,
  batches: readonly PageBody<unknown>[],
): string | undefined {
  const [address = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  const loaded = batches.reduce((sum, { data }) => sum + data.length, 0);
  const offset = Number(parameters.get('offset') ?? 0) + loaded;
  const last = batches.at(-1);
  const isEnd = !last || last.data.length === 0 || offset >= last.total;
  if (isEnd || loaded >= MAX_ROWS) return undefined;
  parameters.set('offset', String(offset));
  return `${address}?${parameters}`;
}

/** Drops the batches that another account has seen. `email` is empty for nobody who is signed in. */
export function forgetOthers(email: string): void {
  if (email === rememberedFor) return;
  remembered.clear();
  rememberedFor = email;
}

/** Returns the batches of the list whose first batch is at `path`, none where they are not remembered. */
export function recall<Body>(path: string | undefined): readonly Body[] {
  return path === undefined ? [] : ((remembered.get(path) ?? []) as readonly Body[]);
}

/** Keeps the batches of a list for readers who come back to it. */
export function remember(path: string, batches: readonly unknown[]): void {
  remembered.delete(path);
  remembered.set(path, batches);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
