/** What the server and the pages agree on when the server renders a page. */

/** An answer to a call, from which a page is rendered. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** By the path of the call, with its query. */
export type Answers = Readonly<Record<string, Answer>>;

/** What a page says of itself to those who list or share it. */
export interface PageHead {
  readonly title: string;
  /** One or two sentences; `''` uses the service's. */
  readonly description: string;
  /** The path of a picture of what the page is about; null for none. */
  readonly image: string | null;
  /** Whether the address is of something that does not exist. */
  readonly isNotFound: boolean;
}

/** Where a page is, and what its calls were answered. */
export interface RenderRequest {
  /** The path with its query, as the browser has it. */
  readonly url: string;
  readonly origin: string;
  readonly answers: Answers;
}

export interface RenderedPage {
  /** The content of the element `app`. */
  readonly html: string;
  /** Undefined as long as the page waits for an answer. */
  readonly head: PageHead | undefined;
  /** The path of a style that the page needs in addition to that of all pages. */
  readonly style: string | undefined;
  /** The paths of the calls whose answers are missing. */
  readonly missing: readonly string[];
}

/** What the build of the pages for the server exports. */
export interface PageBundle {
  /** Resolves once every page can be rendered. */
  loadPages(): Promise<void>;
  renderPage(request: RenderRequest): RenderedPage;
}

/** The id of the element in which a page has the answers from which it was rendered, as JSON. */
export const ANSWERS_ID = 'answers';
