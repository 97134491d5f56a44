import type { Health, SourceHealth } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';

/** The time between two fetches: a sync may be running. */
const POLL_MS = 30_000;

/** Fetches the health of the service. */
export function useHealth() {
  return useData<{ data: Health }>('/dashboard/operator/health', { pollMs: POLL_MS });
}

/** Fetches the health of each source. */
export function useSources() {
  return useData<{ data: SourceHealth[] }>('/dashboard/operator/sources', { pollMs: POLL_MS });
}
