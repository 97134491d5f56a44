import { useLayoutEffect } from 'preact/hooks';
import { type LocationHook, useLocation } from 'preact-iso';

/** How far each page is scrolled, or was when it was left, in pixels, by its path with the query. */
const positions = new Map<string, number>();

/** Pages of which the position is kept: those that were scrolled last. */
const MAX_POSITIONS = 100;

/**
 * Scrolls the page at `href` to where it was left, when the reader comes back to it and its content
 * `isReady`: browsers restore the position before the content is loaded.
 */
export function useScrollRestoration(href: string, isReady: boolean): void {
  // preact-iso provides `wasPush` without declaring it.
  const { wasPush } = useLocation() as LocationHook & { readonly wasPush?: boolean };
  useLayoutEffect(() => {
    if (!isReady) return;
    if (wasPush) positions.delete(href); // the reader begins anew
    const position = isAt(href) ? positions.get(href) : undefined;
    if (position !== undefined) scrollTo(0, position);
    // Kept while the reader scrolls: when a page is left, the next one has moved it already.
    const keep = () => isAt(href) && keepPosition(href);
    addEventListener('scroll', keep, { passive: true });
    return () => removeEventListener('scroll', keep);
  }, [href, isReady]);
}

function isAt(href: string): boolean {
  return location.pathname + location.search === href;
}

function keepPosition(href: string): void {
  positions.delete(href);
  positions.set(href, scrollY);
  const [oldest] = positions.keys();
  if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest);
}
