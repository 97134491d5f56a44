import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'preact/hooks';
import { useSession } from '../../account/session.tsx';
import type { CallError } from '../../api/call.ts';
import { useData } from '../../api/use-data.ts';
import type { PageBody } from '../responses.ts';
import { forgetOthers, nextBatchPath, recall, remember } from './batches.ts';

/** A long list that is fetched batch by batch. */
export interface Pages<Body> {
  /** The loaded batches, the first one first. They stay while the list of another path loads. */
  readonly batches: readonly Body[];
  /** The path of the first batch. */
  readonly path: string | undefined;
  readonly error: CallError | undefined;
  /** Whether the list of another path is loading. */
  readonly isLoading: boolean;
  /** Whether there is more that {@link loadMore} loads. */
  readonly hasMore: boolean;
  /** Loads the next batch, unless it is loading already. */
  loadMore(): void;
}

/**
 * Fetches the list whose first batch is at `path`, nothing while it is null. A reader who comes back
 * to a list finds all batches that were loaded.
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
  const { error = next.error } = first;
  return { ...next, batches, path: shownPath, error, isLoading: first.isLoading };
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

/** Keeps the batches for when the reader comes back from another page. */
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
