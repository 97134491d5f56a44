import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Answer, Answers, PageHead } from '../../../src/dashboard/rendering.ts';

/**
 * The rendering of a page on the server, or its hydration in a browser. Both use the same answers,
 * so the browser gets the same page.
 */
export class Rendering {
  #answers: Answers;
  readonly #missing = new Set<string>();
  #isOver = false;
  /** The head that the page has set. */
  head: PageHead | undefined;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** Returns the answer to a call. If there is none, the path is added to `missing`. */
  answerTo(path: string): Answer | undefined {
    const answer = this.#answers[path];
    if (!answer) this.#missing.add(path);
    return answer;
  }

  /** The paths of the calls that were not answered. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the rendering. From now on, the page fetches its data. */
  end(): void {
    this.#isOver = true;
    this.#answers = {};
  }
}

/** Undefined if the server did not render the page. */
export const RenderingContext = createContext<Rendering | undefined>(undefined);

/**
 * Returns the time zone for moments: undefined for the reader's own (as in `Intl`), and UTC while
 * the server renders a page or a browser hydrates it.
 */
export function useTimeZone(): 'UTC' | undefined {
  const rendering = useContext(RenderingContext);
  const [isRendering, setRendering] = useState(rendering !== undefined && !rendering.isOver);
  useEffect(() => setRendering(false), []);
  return isRendering ? 'UTC' : undefined;
}
