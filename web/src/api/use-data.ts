import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'preact/hooks';
import type { Answer } from '../../../src/dashboard/rendering.ts';
import { CallError, call, errorOf } from './call.ts';
import { RenderingContext } from './rendering.ts';

/** The state of data that a page fetches from the server. */
export interface Loaded<Body> {
  /** The newest response. It stays while the next one is loading. */
  readonly body: Body | undefined;
  /** The path of the call that returned `body`. */
  readonly path: string | undefined;
  readonly error: CallError | undefined;
  /** Whether a response to a path other than that of `body` is loading. */
  readonly isLoading: boolean;
  /** Fetches the same path again. */
  refetch(): void;
}

export interface DataOptions {
  /** Fetches again this many milliseconds after each response, while the tab is visible. */
  readonly pollMs?: number;
  /** Fetches again when the tab becomes visible, because another tab may have changed the data. */
  readonly refetchOnVisible?: boolean;
}

interface State<Body> {
  readonly body?: Body;
  readonly path?: string;
  readonly error?: CallError | undefined;
}

/** The time until a call that failed with a transient error is repeated. */
const RETRY_MS = 1500;

/**
 * Fetches `path` from the server, and again whenever it changes. Fetches nothing if it is null.
 * After a transient error, the last response stays and the call is repeated. Pages that the server
 * renders have their response from the start.
 */
export function useData<Body>(path: string | null, options: DataOptions = {}): Loaded<Body> {
  const { pollMs, refetchOnVisible = pollMs !== undefined } = options;
  const rendering = useContext(RenderingContext);
  const [state, setState] = useState<State<Body>>(() => {
    return path === null ? {} : stateOf<Body>(rendering?.answerTo(path), path);
  });
  // Data that may have changed since the server rendered it is fetched at once.
  const isFresh = useRef((state.body ?? state.error) !== undefined && !refetchOnVisible);
  const cancel = useRef(() => {});
  const refetch = useCallback(() => {
    cancel.current();
    // A hidden tab fetches again when it becomes visible.
    const fetchLater = () => (refetchOnVisible && document.hidden ? undefined : refetch());
    if (path !== null) cancel.current = fetchOnce<Body>(path, setState, fetchLater, pollMs);
  }, [path, pollMs, refetchOnVisible]);
  // In a layout effect the request leaves before the page is painted.
  useLayoutEffect(() => {
    if (!isFresh.current) {
      setState(withoutError);
      refetch();
    }
    isFresh.current = false;
    return () => cancel.current();
  }, [refetch]);
  useEffect(() => (refetchOnVisible ? onVisible(refetch) : undefined), [refetch, refetchOnVisible]);

  const { body, path: answeredPath, error } = state;
  const isLoading = path !== null && answeredPath !== path && error === undefined;
  return { body, path: answeredPath, error, isLoading, refetch };
}

/** Returns the state for an answer that the server rendered the page with. */
function stateOf<Body>(answer: Answer | undefined, path: string): State<Body> {
  if (!answer) return {};
  const { status, body } = answer;
  return status === 200 ? { body: body as Body, path } : { error: errorOf(status, body) };
}

function withoutError<Body>(state: State<Body>): State<Body> {
  if (!state.error) return state;
  const { error, ...rest } = state;
  return rest;
}

type Update<Body> = (change: (before: State<Body>) => State<Body>) => void;

/**
 * Fetches once, and calls `fetchLater` when the next fetch is due. Returns a function that cancels
 * both.
 */
function fetchOnce<Body>(
  path: string,
  update: Update<Body>,
  fetchLater: () => void,
  pollMs: number | undefined,
): () => void {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  call<Body>(path, { signal: abort.signal }).then(
    (body) => {
      if (abort.signal.aborted) return;
      update(() => ({ body, path }));
      if (pollMs !== undefined) timer = setTimeout(fetchLater, pollMs);
    },
    (error: unknown) => {
      if (abort.signal.aborted) return;
      if (!(error instanceof CallError)) throw error;
      update((before) => ({ ...before, error }));
      if (error.isTransient) timer = setTimeout(fetchLater, RETRY_MS);
    },
  );
  return () => {
    abort.abort();
    clearTimeout(timer);
  };
}

/** Calls `listener` whenever the tab becomes visible. Returns a function that stops this. */
function onVisible(listener: () => void): () => void {
  const check = () => {
    if (!document.hidden) listener();
  };
  document.addEventListener('visibilitychange', check);
  return () => document.removeEventListener('visibilitychange', check);
}
