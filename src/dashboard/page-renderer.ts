import type { FastifyInstance, FastifyRequest, LightMyRequestResponse } from 'fastify';
import { LRUCache } from 'lru-cache';
import { pathOf } from '../http/paths.ts';
import { etagOf } from '../http/response-cache.ts';
import type { PageTemplate } from './page-template.ts';
import type { Answer, Answers, PageBundle, RenderedPage } from './rendering.ts';

/** A page as it is sent, with its entity tag. */
export interface RenderedAnswer {
  readonly status: number;
  readonly text: string;
  readonly etag: string;
}

/** A page that cannot be rendered now, because a call was answered so. */
export interface Refused {
  readonly refusedWith: number;
  readonly retryAfter: string | undefined;
}

interface Known extends RenderedAnswer {
  /** The paths of the calls that the page makes. */
  readonly paths: readonly string[];
  /** Equal for equal answers. */
  readonly digest: string;
}

/** The answers to the calls of a page, by path. */
type CallAnswers = Map<string, Answer>;

/** Characters of pages that are kept: some hundreds. */
const CAPACITY = 16_000_000;

/** Longer addresses are rendered, but not kept. */
const MAX_KEPT_URL = 500;

/** A page whose answers make it ask for more is rendered again so many times at most … */
const MAX_PASSES = 5;
/** … and makes so many calls at most. */
const MAX_CALLS = 20;

/** The call that every page makes. */
const SESSION_PATH = '/dashboard/session';
const HOUR_MS = 3_600_000;

/**
 * Renders pages as the browser does, with the rights of who asks: the calls of a page go through the
 * application, so that they are checked, limited and charged like those of browsers. A page is kept
 * as long as its calls are answered the same, for an hour at most, because it says how old prices are.
 */
export class PageRenderer {
  readonly #app: FastifyInstance;
  readonly #bundle: PageBundle;
  readonly #template: PageTemplate;
  readonly #publicUrl: string;
  readonly #known = new LRUCache<string, Known>({
    maxSize: CAPACITY,
    ttl: HOUR_MS,
    sizeCalculation: ({ text, paths }, url) => url.length + text.length + paths.join().length,
  });

  constructor(app: FastifyInstance, parts: RendererParts) {
    this.#app = app;
    this.#bundle = parts.bundle;
    this.#template = parts.template;
    this.#publicUrl = parts.publicUrl;
  }

  /**
   * The page at the address of a request, or why there is none.
   *
   * @throws Error when the page fails.
   */
  async render(request: FastifyRequest): Promise<RenderedAnswer | Refused> {
    const { originalUrl: url, headers } = request;
    const origin = this.#publicUrl || `${request.protocol}://${headers.host}`;
    const key = origin + url;
    const isKept = headers.cookie === undefined && key.length <= MAX_KEPT_URL;
    const known = isKept ? this.#known.get(key) : undefined;
    const answers: CallAnswers = new Map();
    let missing = known?.paths ?? [SESSION_PATH];
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const refused = await this.#call(missing, answers, request);
      if (refused) return refused;
      const digest = digestOf(answers);
      if (known?.digest === digest) return known;
      const given = Object.fromEntries(answers);
      const page = this.#bundle.renderPage({ url, origin, answers: given });
      missing = page.missing;
      if (missing.length > 0) continue;
      const made = { ...this.#finish(url, page, given), paths: [...answers.keys()], digest };
      if (isKept) this.#known.set(key, made);
      return made;
    }
    throw new Error(`the page goes on making calls: ${missing.join(', ')}`);
  }

  /** Makes calls for who asked for the page, and adds their answers, unless one is a refusal. */
  async #call(
    paths: readonly string[],
    answers: CallAnswers,
    request: FastifyRequest,
  ): Promise<Refused | undefined> {
    if (answers.size + paths.length > MAX_CALLS) throw new Error('the page makes too many calls');
    const called = await Promise.all(paths.map((path) => this.#answer(path, request)));
    for (const [index, { statusCode, headers, body }] of called.entries()) {
      if (isRefusal(statusCode, request)) {
        return { refusedWith: statusCode, retryAfter: headers['retry-after']?.toString() };
      }
      answers.set(paths[index] ?? '', { status: statusCode, body: JSON.parse(body) });
    }
    return undefined;
  }

  #answer(url: string, { ip, headers }: FastifyRequest): Promise<LightMyRequestResponse> {
    const { host, cookie, 'x-forwarded-proto': protocol } = headers;
    return this.#app.inject({
      method: 'GET',
      url,
      remoteAddress: ip,
      headers: {
        ...(host && { host }),
        ...(cookie && { cookie }),
        ...(protocol && { 'x-forwarded-proto': protocol }),
      },
    });
  }

  #finish(url: string, { html, head }: RenderedPage, answers: Answers): RenderedAnswer {
    if (!head) throw new Error('the page has no title');
    const canonical = this.#publicUrl === '' ? null : new URL(this.#publicUrl + pathOf(url));
    const text = this.#template.rendered({ head, canonical, html, answers });
    // Weak, because compressed and plain bytes share it.
    return { status: head.isNotFound ? 404 : 200, text, etag: `W/${etagOf(text)}` };
  }
}

export interface RendererParts {
  readonly bundle: PageBundle;
  readonly template: PageTemplate;
  /** The web origin of the service; `''` for that of each request. */
  readonly publicUrl: string;
}

/** Whether a page cannot be rendered from an answer: the session has ended, or the calls are too many. */
function isRefusal(status: number, { headers }: FastifyRequest): boolean {
  return status >= 500 || status === 429 || (status === 401 && headers.cookie !== undefined);
}

/** Equal for equal answers, whatever time the session tells. */
function digestOf(answers: CallAnswers): string {
  const timeless = (name: string, value: unknown) => (name === 'now' ? undefined : value);
  return etagOf(JSON.stringify([...answers], timeless));
}
