import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Answer, Answers, PageHead } from '../../../src/dashboard/rendering.ts';

/**
 * A page that the server renders once, or that a browser takes over from it: both render it from the
 * same answers, so that the browser finds what it expects.
 */
export class Rendering {
  #answers: Answers;
  readonly #missing = new Set<string>();
  #isOver = false;
  /** What the page has said of itself. */
  head: PageHead | undefined;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** The answer to a call; without one the path is among the missing. */
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

  /** Ends the rendering: what the page shows from now on is fetched. */
  end(): void {
    this.#isOver = true;
    this.#answers = {};
  }
}

/** Undefined where the page is not rendered by a server. */
export const RenderingContext = createContext<Rendering | undefined>(undefined);

/**
 * The time zone in which moments are shown: that of the reader, which is undefined as in `Intl`, and
 * UTC while a page is rendered by the server or taken over from it.
 */
export function useTimeZone(): 'UTC' | undefined {
  const rendering = useContext(RenderingContext);
  const [isRendering, setRendering] = useState(rendering !== undefined && !rendering.isOver);
  useEffect(() => setRendering(false), []);
  return isRendering ? 'UTC' : undefined;
}
