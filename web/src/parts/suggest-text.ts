import { useEffect, useReducer, useRef, useState } from 'preact/hooks';

/** So many milliseconds after the last key the address follows what is typed. */
const PAUSE_MS = 250;

/** A text that is being typed. */
export interface TypedText {
  readonly text: string;
  type(text: string): void;
  /** Brings the address up to date at once, before the reader goes elsewhere. */
  settle(): void;
}

/**
 * A text that stands in the address, too, which follows after a pause: browsers refuse pages that
 * write a new address with every key. `write` is given the text that the address should say.
 */
export function useTypedText(said: string, write: (text: string) => void): TypedText {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { current } = useRef({ said, text: said, write });
  current.write = write;
  if (current.said !== said) {
    // The reader went back or forward, or chose a text elsewhere.
    current.said = said;
    current.text = said;
  }
  const { text } = current;
  const settle = () => {
    if (current.text === current.said) return;
    current.said = current.text;
    current.write(current.text);
  };
  useEffect(() => {
    const timer = setTimeout(settle, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const type = (typed: string) => {
    current.text = typed;
    redraw(undefined);
  };
  return { text, type, settle };
}

/** What `value` was `ms` ago, once it has stopped changing for so long. */
export function useLater<Value>(value: Value, ms: number): Value {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}
