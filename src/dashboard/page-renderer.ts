import { readFileSync, statSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest, LightMyRequestResponse } from 'fastify';
import { LRUCache } from 'lru-cache';
import { originOf } from '../http/guard.ts';
import { type Html, html } from '../http/reference/html.ts';
import { BRAND_STYLE, LOGO } from '../http/reference/layout.ts';
import { pathOf } from '../http/request-log.ts';
import { etagOf } from '../http/response-cache.ts';
import type { Brand } from './brand.ts';
import {
  ANSWERS_ID,
  type Answer,
  type Answers,
  type PageBundle,
  type PageHead,
  type RenderedPage,
} from './rendering.ts';
import { structuredCard } from './structured-data.ts';

/** The parts of a page other than the scripts and styles of all pages. */
export interface PageParts {
  readonly head: PageHead;
  /** The path of its own style, in addition to the common style. */
  readonly style: string | undefined;
  /**
   * The address with the origin and without the query; null if the service does not know its
   * origin.
   */
  readonly canonical: URL | null;
  readonly html: string;
  readonly answers: Answers;
  /** Whether it is for a reader with a session. Search engines and previews have none. */
  readonly isPersonal: boolean;
}

/** The part of the built page with its title and metadata, and the place of its content. */
const HEAD = /<!--head-->(.*?)<!--\/head-->/s;
const PAGE = '<!--page-->';
const ICON = /<link rel="(icon|apple-touch-icon)"[^>]*>/g;

/** The page made by the build, into which the server writes what differs between pages. */
export class PageTemplate {
  readonly #file: URL;
  readonly #brand: Brand;
  #read: { readonly modified: number; readonly text: string } | undefined;

  constructor(file: URL, brand: Brand) {
    this.#file = file;
    this.#brand = brand;
  }

  /** Whether the pages are built. The build may finish while the service runs. */
  get isBuilt(): boolean {
    return statSync(this.#file, { throwIfNoEntry: false }) !== undefined;
  }

  /** The page for rendering in browsers. */
  plain(): string {
    return this.#text()
      .replace(HEAD, (_all, head: string) => head.replace(/<title>.*?<\/title>/, this.#title()))
      .replace(PAGE, '');
  }

  /** A rendered page, with the answers from which a browser takes it over. */
  rendered({ head, style, canonical, html: content, answers, isPersonal }: PageParts): string {
    const data = `<script type="application/json" id="${ANSWERS_ID}">${scriptText(answers)}</script>`;
    // At the end of the head, where it overrides the style of all pages.
    const link = style === undefined ? '' : linkTo(style).text;
    // Functions, because a text may contain `$&`.
    return this.#text()
      .replace(HEAD, () => {
        if (isPersonal) return this.#title(head.title);
        return headOf(head, canonical, this.#brand).text + structured(canonical, answers);
      })
      .replace('</head>', () => `${link}</head>`)
      .replace(PAGE, () => content)
      .replace('</body>', () => `${data}</body>`);
  }

  #withLogo(text: string): string {
    if (!this.#brand.logo) return text;
    return text.replaceAll(ICON, (_all, rel) => `<link rel="${rel}" href="${LOGO}" />`);
  }

  #title(title = this.#brand.name): string {
    return html`<title>${title}</title>${styleOf(this.#brand.color !== null)}`.text;
  }

  #text(): string {
    const { mtimeMs: modified } = statSync(this.#file);
    if (this.#read?.modified !== modified) {
      this.#read = { modified, text: this.#withLogo(readFileSync(this.#file, 'utf8')) };
    }
    return this.#read.text;
  }
}

function headOf(head: PageHead, canonical: URL | null, { name, tagline, color }: Brand): Html {
  const { title, description, image } = head;
  return html`<title>${title}</title>
    <meta name="description" content="${description || tagline}" />
    <meta property="og:site_name" content="${name}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description || tagline}" />
    ${canonical ? addressOf(canonical, image) : []}${styleOf(color !== null)}`;
}

/**
 * Only for a service that knows its address, because search engines and previews resolve no paths.
 */
function addressOf({ href, origin }: URL, image: string | null): Html {
  const picture = html`<meta property="og:image" content="${origin}${image ?? ''}" />`;
  return html`<link rel="canonical" href="${href}" />
    <meta property="og:url" content="${href}" />
    ${image === null ? [] : picture}`;
}

function styleOf(hasColor: boolean): Html | readonly [] {
  return hasColor ? linkTo(BRAND_STYLE) : [];
}

function linkTo(style: string): Html {
  return html`<link rel="stylesheet" href="${style}" />`;
}

function structured(canonical: URL | null, answers: Answers): string {
  const card = canonical && structuredCard(answers, canonical.href);
  return card ? `<script type="application/ld+json">${scriptText(card)}</script>` : '';
}

/** JSON that cannot end a script element, and that is valid in every version of JavaScript. */
function scriptText(value: object): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** A page as sent, with its entity tag. */
export interface RenderedAnswer {
  readonly status: number;
  readonly text: string;
  readonly etag: string;
}

/** A page that cannot be rendered now, because of the answer to one of its calls. */
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

/** Characters of cached pages: some hundreds of pages. */
const CAPACITY = 16_000_000;

/** Longer addresses are rendered, but not cached. */
const MAX_KEPT_URL = 500;

/** The most renderings of a page whose answers lead to further calls … */
const MAX_PASSES = 5;
/** … and the most calls that it makes. */
const MAX_CALLS = 20;

/** The headers of a visitor's request that the calls for a page also carry. */
const PASSED_ON = ['host', 'cookie', 'x-forwarded-for', 'x-forwarded-proto'];

/** The call that every page makes. */
const SESSION_PATH = '/dashboard/session';
const HOUR_MS = 3_600_000;

/**
 * Renders pages as the browser does, with the rights of the reader: the calls of a page pass
 * through the application, which checks, limits and charges them like those of browsers. Keeps a
 * page as long as its calls get the same answers, but at most an hour, because it shows the age of
 * prices.
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
   * Returns the page at the address of a request, or the reason why there is none.
   * @throws Error if the page fails.
   */
  async render(request: FastifyRequest): Promise<RenderedAnswer | Refused> {
    const { url, headers } = request;
    const origin = this.#publicUrl || originOf(request);
    const key = origin + url;
    const isPersonal = headers.cookie !== undefined;
    const isKept = !isPersonal && key.length <= MAX_KEPT_URL;
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
      const finished = this.#finish(url, page, { answers: given, isPersonal });
      const made = { ...finished, paths: [...answers.keys()], digest };
      if (isKept) this.#known.set(key, made);
      return made;
    }
    throw new Error(`the page keeps making calls: ${missing.join(', ')}`);
  }

  /** Makes calls on behalf of the reader, and adds their answers. Stops at a refusal. */
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

  /** Calls the app as the visitor would, through the same proxy. */
  #answer(url: string, { headers, socket }: FastifyRequest): Promise<LightMyRequestResponse> {
    const sent = PASSED_ON.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    });
    return this.#app.inject({
      method: 'GET',
      url,
      ...(socket.remoteAddress && { remoteAddress: socket.remoteAddress }),
      headers: Object.fromEntries(sent),
    });
  }

  #finish(
    url: string,
    { html, head, style }: RenderedPage,
    given: Pick<PageParts, 'answers' | 'isPersonal'>,
  ): RenderedAnswer {
    if (!head) throw new Error('the page has no title');
    const canonical = this.#publicUrl === '' ? null : new URL(this.#publicUrl + pathOf(url));
    const text = this.#template.rendered({ head, style, canonical, html, ...given });
    // A weak tag, because compressed and plain bytes share it.
    return { status: head.isNotFound ? 404 : 200, text, etag: `W/${etagOf(text)}` };
  }
}

export interface RendererParts {
  readonly bundle: PageBundle;
  readonly template: PageTemplate;
  /** The web origin of the service; `''` uses the origin of each request. */
  readonly publicUrl: string;
}

/** Whether an answer prevents rendering: the session has ended, or there were too many calls. */
function isRefusal(status: number, { headers }: FastifyRequest): boolean {
  return status >= 500 || status === 429 || (status === 401 && headers.cookie !== undefined);
}

/** Equal for equal answers, ignoring the time in the session. */
function digestOf(answers: CallAnswers): string {
  const timeless = (name: string, value: unknown) => (name === 'now' ? undefined : value);
  return etagOf(JSON.stringify([...answers], timeless));
}
