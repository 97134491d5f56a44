import { useEffect, useState } from 'preact/hooks';
import { CallError, call } from '../../api/call.ts';
import { dashboardPath } from '../links.ts';
import type { HistoryBody } from '../responses.ts';

interface Histories {
  /** By the path of the API that returns them, once they are loaded. */
  readonly bodies: ReadonlyMap<string, HistoryBody>;
  readonly error: CallError | undefined;
}

/** Fetches several histories, each once. */
export function useHistories(apiPaths: readonly string[]): Histories {
  const [bodies, setBodies] = useState<ReadonlyMap<string, HistoryBody>>(new Map());
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    const { signal, abort } = abortable();
    setError(undefined);
    for (const path of apiPaths.filter((wanted) => !bodies.has(wanted))) {
      call<{ data: HistoryBody }>(dashboardPath(path), { signal }).then(
        ({ data }) => setBodies((before) => new Map(before).set(path, data)),
        (failure: unknown) => failure instanceof CallError && setError(failure),
      );
    }
    return abort;
  }, [apiPaths.join(' ')]);
  return { bodies, error };
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
