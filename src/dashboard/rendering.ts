/** The contract between the server and the pages for rendering a page on the server. */

/** An answer to a call, used to render a page. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** By the path of the call, including its query. */
export type Answers = Readonly<Record<string, Answer>>;

/** A page's description of itself, for search engines and link previews. */
export interface PageHead {
  readonly title: string;
  /** One or two sentences; `''` for those of the service. */
  readonly description: string;
  /** The path of a picture of the page's subject; null for none. */
  readonly image: string | null;
  /** Whether the address names something that does not exist. */
  readonly isNotFound: boolean;
}

/** The address of a page, and the answers to its calls. */
export interface RenderRequest {
  /** The path with its query, as in the browser. */
  readonly url: string;
  readonly origin: string;
  readonly answers: Answers;
}

export interface RenderedPage {
  /** The content of the element `app`. */
  readonly html: string;
  /** Undefined while the page waits for an answer. */
  readonly head: PageHead | undefined;
  /** The path of a style that the page needs, in addition to the common style. */
  readonly style: string | undefined;
  /** The paths of the calls whose answers are missing. */
  readonly missing: readonly string[];
}

/** The exports of the server build of the pages. */
export interface PageBundle {
  /** Resolves once every page can be rendered. */
  loadPages(): Promise<void>;
  renderPage(request: RenderRequest): RenderedPage;
}

/**
 * The id of the element in which a page contains the answers from which it was rendered, as JSON.
 */
export const ANSWERS_ID = 'answers';
