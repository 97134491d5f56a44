/** An answer with a part of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
}

/** Requests a page: the first, or the one at a path. */
export type PageLoader<Answer> = (
  path?: string,
) => Promise<{ readonly answer: Answer; readonly next?: string | undefined }>;

/**
 * A list that the service answers page by page. `await` it for its first page, with the `total`.
 * `for await` gives every item, and requests pages as they are needed.
 */
export class Pages<Answer extends Page<Item>, Item>
  implements PromiseLike<Answer>, AsyncIterable<Item>
{
  readonly #first: () => Promise<Answer>;
  readonly #load: PageLoader<Answer>;

  constructor(first: () => Promise<Answer>, load: PageLoader<Answer>) {
    this.#first = first;
    this.#load = load;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list is how its first page is requested.
  then<Result = Answer, Failure = never>(
    fulfilled?: ((answer: Answer) => Result | PromiseLike<Result>) | null,
    rejected?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#first().then(fulfilled, rejected);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Returns the answers with the pages, one after the other. */
  async *pages(): AsyncGenerator<Answer> {
    let page = await this.#load();
    yield page.answer;
    while (page.next !== undefined) {
      page = await this.#load(page.next);
      yield page.answer;
    }
  }
}
