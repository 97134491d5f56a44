import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { untilReachable } from './connection.ts';

/** A page that is fetched when it is first opened. Until it is there the page before it stays. */
export function lazyPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() => load().catch(() => retry(load)));
}

async function retry<Page>(load: () => Promise<Page>): Promise<Page> {
  await untilReachable();
  return load().catch(startAnew);
}

/** The server is there but has other files by now: a newer version of all the pages. */
function startAnew(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}
