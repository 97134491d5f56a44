import { useLayoutEffect, useState } from 'preact/hooks';

/** How lists of cards are shown: as rows, or as a grid of pictures. */
export type View = 'rows' | 'grid';

const KEY = 'cardprice-view';

/** What the reader has chosen; undefined until it is read, as on a server. */
let chosen: View | undefined;

/** Returns how lists of cards are shown, and what changes it from now on, for all lists. */
export function useView(): readonly [View, (view: View) => void] {
  const [view, setView] = useState<View>(chosen ?? 'rows');
  useLayoutEffect(() => {
    chosen ??= readView();
    setView(chosen);
  }, []);
  const choose = (next: View) => {
    chosen = next;
    setView(next);
    storeView(next);
  };
  return [view, choose];
}

function readView(): View {
  try {
    return localStorage.getItem(KEY) === 'grid' ? 'grid' : 'rows';
  } catch {
    return 'rows';
  }
}

/** Browsers may refuse to store anything: then the choice lasts until the page is closed. */
function storeView(view: View): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {}
}
