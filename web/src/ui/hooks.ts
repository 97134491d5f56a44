import type { ButtonHTMLAttributes, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { type LocationHook, useLocation } from 'preact-iso';

/**
 * Calls `leave` when the reader presses Escape or leaves `area`. Returns a function that stops
 * this.
 */
export function whenLeft(area: HTMLElement | null, leave: () => void): () => void {
  const end = new AbortController();
  const { signal } = end;
  const check = ({ target }: Event) => {
    if (!area?.contains(target as Node)) leave();
  };
  document.addEventListener('pointerdown', check, { signal });
  document.addEventListener('focusin', check, { signal });
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Escape') leave();
    },
    { signal },
  );
  return () => end.abort();
}

/** A menu that a button opens. */
interface Menu {
  /** The area of the button and the menu. The menu closes when the reader leaves this area. */
  readonly area: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  /** The id of the opened element. */
  readonly id: string;
  /** The attributes of the button that opens and closes it. */
  readonly button: ButtonHTMLAttributes;
}

/** Returns a menu that closes when the reader leaves it or the page at `path`. */
export function useMenu(path: string): Menu {
  const id = useId();
  const area = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => (isOpen ? whenLeft(area.current, () => setOpen(false)) : undefined), [isOpen]);
  const button = {
    type: 'button',
    'aria-expanded': isOpen,
    'aria-controls': id,
    onClick: () => setOpen(!isOpen),
  } as const;
  return { area, isOpen, id, button };
}

/** An action that the reader starts, such as a call. */
export interface Action {
  readonly isBusy: boolean;
  /** Why it failed the last time. */
  readonly error: Error | undefined;
  /** Starts it, unless it is running. */
  run(what: () => Promise<void>): Promise<void>;
}

/** Returns an action that runs once at a time. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const run = async (what: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await what();
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}

/** The scroll position of each page in px, by its path with the query. */
const positions = new Map<string, number>();

/** The number of pages whose position is kept, the most recently scrolled ones. */
const MAX_POSITIONS = 100;

/**
 * Scrolls the page at `href` to the position at which the reader left it, once its content
 * `isReady`. Browsers restore the position before the content is loaded.
 */
export function useScrollRestoration(href: string, isReady: boolean): void {
  // preact-iso provides `wasPush` without declaring it.
  const { wasPush } = useLocation() as LocationHook & { readonly wasPush?: boolean };
  useLayoutEffect(() => {
    if (!isReady) return;
    if (wasPush) positions.delete(href); // the reader starts over
    const position = isAt(href) ? positions.get(href) : undefined;
    if (position !== undefined) scrollTo(0, position);
    // Stored on each scroll: when the reader leaves a page, the next page has already scrolled.
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

/** The delay from the last keystroke until the address of the page contains the typed text. */
const DELAY_MS = 250;

/** The text of a box that the address of the page also contains. */
interface TypedText {
  readonly text: string;
  /** Changes the text. */
  type(text: string): void;
  /** Writes the text to the address at once. */
  flush(): void;
}

/**
 * Synchronises the text of a box with the address of the page. `addressText` is the text in the
 * address; `writeAddress` changes it after a delay, because browsers limit how often a page may
 * change its address.
 */
function useTypedText(addressText: string, writeAddress: (text: string) => void): TypedText {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { current } = useRef({ addressText, text: addressText, writeAddress });
  current.writeAddress = writeAddress;
  if (current.addressText !== addressText) {
    // The reader went back or forward, or selected a text outside of the box.
    current.addressText = addressText;
    current.text = addressText;
  }
  const { text } = current;
  const flush = () => {
    if (current.text === current.addressText) return;
    current.addressText = current.text;
    current.writeAddress(current.text);
  };
  useEffect(() => {
    const timer = setTimeout(flush, DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const type = (typed: string) => {
    current.text = typed;
    redraw(undefined);
  };
  return { text, type, flush };
}

/**
 * Returns the query of the address with the text that the reader is typing. The address gets this
 * text after a delay. Another text starts at the first page. `hrefOf` returns the address of a
 * query.
 */
export function useTypedQuery<Query extends { readonly q: string; readonly page: number }>(
  addressed: Query,
  hrefOf: (query: Query) => string,
): { readonly query: Query; readonly typed: TypedText } {
  const { route } = useLocation();
  const queryOf = (q: string) => ({ ...addressed, q, page: 1 });
  const typed = useTypedText(addressed.q, (q) => route(hrefOf(queryOf(q)), true));
  return { query: typed.text === addressed.q ? addressed : queryOf(typed.text), typed };
}
