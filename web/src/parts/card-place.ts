import { useLayoutEffect, useRef } from 'preact/hooks';
import { type LocationHook, useLocation } from 'preact-iso';

/** How far down the reader was when a page was left, by its address. */
const places = new Map<string, number>();

/**
 * Takes a reader who comes back to `address` to where he was, as soon as what he saw there is
 * there again: the browser tries that before it is.
 */
export function useKeptPlace(address: string, isReady: boolean): void {
  // The router tells; its types do not.
  const { wasPush } = useLocation() as LocationHook & { readonly wasPush?: boolean };
  const latest = useRef(address);
  latest.current = address;
  useLayoutEffect(() => {
    const isBack = !wasPush && location.pathname + location.search === address;
    const place = isBack && isReady ? places.get(address) : undefined;
    if (place !== undefined) scrollTo(0, place);
  }, [isReady]);
  useLayoutEffect(() => () => void places.set(latest.current, scrollY), []);
}
