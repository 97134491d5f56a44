import { useEffect, useState } from 'preact/hooks';

/** Whether the server can be reached, as far as the calls of the pages show. */

/** The time between two probes of an unreachable server. */
const PROBE_INTERVAL_MS = 1500;

/** The timer of the probes; it runs exactly while the server is unreachable. */
let probeTimer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Reports that a call was answered. */
export function reportReachable(): void {
  if (probeTimer === undefined) return;
  clearInterval(probeTimer);
  probeTimer = undefined;
  notify();
}

/** Reports that a call was not answered: the server is probed from now on until it answers. */
export function reportUnreachable(): void {
  if (probeTimer !== undefined) return;
  probeTimer = setInterval(probe, PROBE_INTERVAL_MS);
  notify();
}

/** Returns whether the server is unreachable, and renders again when that changes. */
export function useIsUnreachable(): boolean {
  const [isUnreachable, setUnreachable] = useState(probeTimer !== undefined);
  useEffect(() => subscribe(() => setUnreachable(probeTimer !== undefined)), []);
  return isUnreachable;
}

/** Resolves as soon as a probe of the server is answered. */
export function waitUntilReachable(): Promise<void> {
  reportUnreachable();
  return new Promise((resolve) => {
    const unsubscribe = subscribe(() => {
      unsubscribe();
      resolve();
    });
  });
}

async function probe(): Promise<void> {
  const response = await fetch('/dashboard/session', { cache: 'no-store' }).catch(() => undefined);
  if (response && response.status < 500) reportReachable();
}

/** Returns what unsubscribes. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
