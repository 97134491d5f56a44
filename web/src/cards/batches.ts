import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'preact/hooks';
import type { CallError } from '../api/call.ts';
import type { PageBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';

/** The batches of long lists. */

/** The most rows of a page. More rows have their own address, so memory stays bounded. */
export const MAX_ROWS = 600;

/** The number of lists to remember for readers who return. */
const MAX_REMEMBERED = 12;

/** The remembered batches of lists, by the path of the first batch. */
const remembered = new Map<string, readonly unknown[]>();
/** The account that has seen them; empty if nobody was signed in. */
let rememberedFor = '';

/**
 * Returns the path of the batch after `batches`, which start at `path`. Returns undefined after the
 * last batch, and if the page is full.
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

/** Drops the batches that another account has seen. `email` is empty if nobody is signed in. */
export function forgetOthers(email: string): void {
  if (email === rememberedFor) return;
  remembered.clear();
  rememberedFor = email;
}

/** Returns the remembered batches of the list whose first batch is at `path`. */
export function recall<Body>(path: string | undefined): readonly Body[] {
  return path === undefined ? [] : ((remembered.get(path) ?? []) as readonly Body[]);
}

/** Keeps the batches of a list for readers who return to it. */
export function remember(path: string, batches: readonly unknown[]): void {
  remembered.delete(path);
  remembered.set(path, batches);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** A long list that is fetched batch by batch. */
export interface Pages<Body> {
  /** The loaded batches, the first one first. They stay while the list of another path loads. */
  readonly batches: readonly Body[];
  /** The path of the first batch. */
  readonly path: string | undefined;
  readonly error: CallError | undefined;
  /** Whether the list of another path is loading. */
  readonly isLoading: boolean;
  /** Whether the batches are those of the current path. */
  readonly isCurrent: boolean;
  /** Whether {@link loadMore} can load more. */
  readonly hasMore: boolean;
  /** Loads the next batch, unless it is already loading. */
  loadMore(): void;
}

/**
 * Fetches the list whose first batch is at `path`; nothing if it is null. Readers who return to a
 * list find all batches that were loaded.
 */
export function usePages<Body extends PageBody<unknown>>(path: string | null): Pages<Body> {
  const { account } = useSession();
  forgetOthers(account?.email ?? '');
  const first = useData<Body>(path);
  const shownPath = first.path ?? path ?? undefined;
  const [known = first.body, ...later] = recall<Body>(shownPath);
  const head = first.body ?? known;
  const batches = head ? [head, ...later] : [];
  const next = useNextBatch(shownPath, batches);
  useRememberedOnLeave(shownPath, batches);
  const { error = next.error, isLoading } = first;
  const isCurrent = batches.length > 0 && shownPath === path;
  return { ...next, batches, path: shownPath, error, isLoading, isCurrent };
}

/** Loads the batches after those that are loaded. */
function useNextBatch<Body extends PageBody<unknown>>(
  path: string | undefined,
  batches: readonly Body[],
) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [wanted, want] = useState<string>();
  const nextPath = path && nextBatchPath(path, batches);
  const isWanted = wanted !== undefined && wanted === nextPath;
  const { body, path: loadedPath, error } = useData<Body>(isWanted ? wanted : null);
  useLayoutEffect(() => {
    if (!path || !body || loadedPath !== nextPath) return;
    remember(path, [...batches, body]);
    redraw(undefined);
  }, [body]);
  const loadMore = useCallback(() => want(nextPath), [nextPath]);
  return { error, hasMore: nextPath !== undefined, loadMore };
}

/** Keeps the batches for the reader's return from another page. */
function useRememberedOnLeave(path: string | undefined, batches: readonly unknown[]): void {
  const latest = useRef({ path, batches });
  latest.current = { path, batches };
  useEffect(() => {
    return () => {
      const { path: left, batches: loaded } = latest.current;
      if (left && loaded.length > 0) remember(left, loaded);
    };
  }, []);
}
