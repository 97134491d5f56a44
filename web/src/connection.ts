import { useEffect, useState } from 'preact/hooks';

/** Whether the server can be reached, as far as the calls of the pages have found out. */

/** How often a server that is away is looked for, in milliseconds. */
const LOOK_MS = 1500;

let search: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Takes note of a call that was answered. */
export function noteAnswer(): void {
  if (search === undefined) return;
  clearInterval(search);
  search = undefined;
  tell();
}

/** Takes note of a call that was not: from now on the server is looked for until it answers. */
export function noteSilence(): void {
  if (search !== undefined) return;
  search = setInterval(look, LOOK_MS);
  tell();
}

/** Whether the server is away. */
export function useIsAway(): boolean {
  const [isAway, setAway] = useState(search !== undefined);
  useEffect(() => listen(() => setAway(search !== undefined)), []);
  return isAway;
}

/** Resolves as soon as the server answers, after a first look for it. */
export function untilReachable(): Promise<void> {
  noteSilence();
  return new Promise((resolve) => {
    const stop = listen(() => {
      stop();
      resolve();
    });
  });
}

async function look(): Promise<void> {
  const answer = await fetch('/dashboard/session', { cache: 'no-store' }).catch(() => undefined);
  if (answer && answer.status < 500) noteAnswer();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
