import { useEffect, useReducer, useRef } from 'preact/hooks';

/** The time from the last keystroke until the address of the page has the typed text. */
const DELAY_MS = 250;

/** The text of a box whose page has it in its address. */
export interface TypedText {
  readonly text: string;
  /** Changes the text. */
  type(text: string): void;
  /** Writes the text to the address at once. */
  flush(): void;
}

/**
 * Keeps the text of a box in step with the address of the page. `addressText` is the text that the
 * address has; `writeAddress` changes it, after a delay, because browsers limit how often a page
 * may change its address.
 */
export function useTypedText(addressText: string, writeAddress: (text: string) => void): TypedText {
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
