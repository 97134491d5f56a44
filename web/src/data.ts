import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CallError, call } from './api.ts';

/** What a page has of something that it asked the server for. */
export interface Loaded<Body> {
  /** The newest answer, which stays while the next one is under way. */
  readonly body: Body | undefined;
  /** The path that `body` answers. */
  readonly path: string | undefined;
  readonly error: CallError | undefined;
  /** Whether an answer to another path than that of `body` is under way. */
  readonly isLoading: boolean;
  /** Asks for the same once more. */
  reload(): void;
}

export interface DataOptions {
  /** Asks again so many milliseconds after each answer, as long as the reader can see the page. */
  readonly everyMs?: number;
  /** Asks again when the reader comes back to the tab: another tab may have changed something. */
  readonly whenSeen?: boolean;
}

interface State<Body> {
  readonly body?: Body;
  readonly path?: string;
  readonly error?: CallError | undefined;
}

/** A server that is away is asked again after so many milliseconds. */
const RETRY_MS = 1500;

/**
 * Asks the server for `path`, again whenever it changes; for nothing while it is null. While the
 * server is away the last answer stays and the call is repeated.
 */
export function useData<Body>(path: string | null, options: DataOptions = {}): Loaded<Body> {
  const { everyMs, whenSeen = everyMs !== undefined } = options;
  const [state, setState] = useState<State<Body>>({});
  const stop = useRef(() => {});
  const reload = useCallback(() => {
    stop.current();
    // A tab that nobody sees asks when it is seen again.
    const again = () => (whenSeen && document.hidden ? undefined : reload());
    if (path !== null) stop.current = ask<Body>(path, setState, again, everyMs);
  }, [path, everyMs, whenSeen]);
  // Before the page is painted: the server should be at work meanwhile.
  useLayoutEffect(() => {
    setState(withoutError);
    reload();
    return () => stop.current();
  }, [reload]);
  useEffect(() => (whenSeen ? onSeen(reload) : undefined), [reload, whenSeen]);

  const { body, path: answered, error } = state;
  const isLoading = path !== null && answered !== path && error === undefined;
  return { body, path: answered, error, isLoading, reload };
}

function withoutError<Body>(state: State<Body>): State<Body> {
  if (!state.error) return state;
  const { error, ...rest } = state;
  return rest;
}

type Update<Body> = (change: (before: State<Body>) => State<Body>) => void;

/** Asks once, and `again` a little later if that is due. Returns what calls it off. */
function ask<Body>(
  path: string,
  update: Update<Body>,
  again: () => void,
  everyMs: number | undefined,
): () => void {
  const abort = new AbortController();
  let next: ReturnType<typeof setTimeout> | undefined;
  call<Body>(path, { signal: abort.signal }).then(
    (body) => {
      if (abort.signal.aborted) return;
      update(() => ({ body, path }));
      if (everyMs !== undefined) next = setTimeout(again, everyMs);
    },
    (error: unknown) => {
      if (abort.signal.aborted) return;
      if (!(error instanceof CallError)) throw error;
      update((before) => ({ ...before, error }));
      if (error.isPassing) next = setTimeout(again, RETRY_MS);
    },
  );
  return () => {
    abort.abort();
    clearTimeout(next);
  };
}

/** Calls `listener` whenever the reader comes back to this tab. Returns what ends that. */
function onSeen(listener: () => void): () => void {
  const look = () => {
    if (!document.hidden) listener();
  };
  document.addEventListener('visibilitychange', look);
  return () => document.removeEventListener('visibilitychange', look);
}
