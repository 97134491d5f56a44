import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../http/app.ts';
import { errorHandler } from '../http/errors.ts';
import { logFailure } from '../http/failures.ts';
import { DATA_HEADERS, PAGE_HEADERS } from '../http/headers.ts';
import { SCRIPT_PATH } from '../http/reference/layout.ts';
import { etagOf } from '../http/response-cache.ts';
import type { Brand } from './brand.ts';
import { PageRenderer, PageTemplate, type RenderedAnswer } from './page-renderer.ts';
import { PAGES, type PageName, PUBLIC_PAGES } from './pages.ts';
import type { PageBundle } from './rendering.ts';

/** The files below it have names that contain a hash of their content. */
const ASSETS = '/assets/';
/** Not among the assets, because their names never change. */
const ICONS = ['/icon.svg', '/icon-180.png', '/icon-192.png', '/icon-512.png'];
/** The script of the reference. */
const REFERENCE_SCRIPT = 'reference.js';
/** The licences of the packages bundled with the pages; web/vite.config.ts writes it. */
const NOTICES = '/third-party-notices.txt';
const HIDDEN = { schema: { hide: true } };

/** Pages that search engines should not list, because their addresses are endless. */
const UNLISTED: readonly PageName[] = ['search'];

/**
 * Serves the built pages. Renders pages for visitors first, if possible. All others are the same
 * app at each path, rendered by the browser.
 */
export async function servePages(app: FastifyInstance, options: SenderOptions): Promise<void> {
  const { folder, isPublic } = options;
  const root = fileURLToPath(folder);
  app.addHook('onRequest', ({ url }, reply, done) => {
    // Scripts, styles and icons are not documents: shorter headers save a kilobyte on a first load.
    reply.headers(isDocument(url) ? PAGE_HEADERS : DATA_HEADERS);
    done();
  });
  const answerError = errorHandler('standard');
  app.setErrorHandler((error, request, reply) => {
    return answerError(isRefusal(error) ? notFound(request.url) : error, request, reply);
  });
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    brotliOptions: BROTLI,
    globalDecompression: false,
  });
  await app.register(fastifyStatic, {
    root: fileURLToPath(new URL('assets/', folder)),
    prefix: ASSETS,
    index: false,
    preCompressed: true,
    // Their names contain a hash of their content, so browsers never request one again.
    immutable: true,
    maxAge: '1y',
    etag: false,
    lastModified: false,
    acceptRanges: false,
    suppressWarning: true,
  });
  const sender = await PageSender.open(app, options);
  for (const [name, path] of Object.entries(PAGES) as [PageName, string][]) {
    const isRendered = PUBLIC_PAGES.includes(name);
    const isListed = isPublic && isRendered && !UNLISTED.includes(name);
    app.get(path, HIDDEN, (request, reply) => {
      if (!isListed) reply.header('x-robots-tag', 'noindex');
      return isRendered ? sender.sendRendered(request, reply) : sender.sendApp(request, reply, 200);
    });
    if (path !== '/') app.get(`${path}/`, HIDDEN, withoutSlash);
  }
  for (const file of [...ICONS, NOTICES]) {
    app.get(file, HIDDEN, (_request, reply) =>
      reply.sendFile(file, root, { immutable: false, maxAge: '1d' }),
    );
  }
  app.get(SCRIPT_PATH, HIDDEN, (_request, reply) =>
    // Its name never changes, so browsers check whether its content has.
    reply.sendFile(REFERENCE_SCRIPT, root, { immutable: false, maxAge: 0, etag: true }),
  );
  app.setNotFoundHandler((request, reply) => {
    if (!isNavigation(request)) throw notFound(request.url);
    return sender.sendApp(request, reply, 404);
  });
}

/** Half a kilobyte less per page than the default of 4, for half a millisecond more. */
export const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

function isDocument(url: string): boolean {
  return !url.startsWith(ASSETS) && ![...ICONS, SCRIPT_PATH].includes(url);
}

/**
 * Redirects `/keys/` to `/keys`. The path is one of our pages, so it cannot lead to another site.
 */
function withoutSlash({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.redirect(url.replace(/\/(\?|$)/, '$1'), 301);
}

/** Whether the static plugin refused a path before looking for a file. */
function isRefusal(error: unknown): boolean {
  const { statusCode = 500 } = error as Partial<FastifyError>;
  return statusCode >= 400 && statusCode < 500;
}

/** Whether a browser navigates to a page, rather than a program fetching data. */
function isNavigation({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}

const INDEX = 'index.html';
/** The server build of the pages; web/vite.config.ts writes it. */
const BUNDLE = 'server/server.js';

const NOT_BUILT =
  'The pages are not built. `npm run build:web` makes them. The API is served at /v1, its ' +
  'reference at /docs.\n';

export interface SenderOptions {
  /** The folder of the built pages. */
  readonly folder: URL;
  readonly brand: Brand;
  /** Whether visitors without an account may read cards. */
  readonly isPublic: boolean;
  /** The web origin of the service; `''` uses the origin of each request. */
  readonly publicUrl: string;
}

/** Sends pages: rendered, or as the app that browsers render. */
export class PageSender {
  readonly #app: FastifyInstance;
  readonly #template: PageTemplate;
  readonly #isPublic: boolean;
  readonly #renderer: PageRenderer | undefined;

  private constructor(app: FastifyInstance, options: SenderOptions, bundle?: PageBundle) {
    this.#app = app;
    this.#template = new PageTemplate(new URL(INDEX, options.folder), options.brand);
    this.#isPublic = options.isPublic;
    const parts = { template: this.#template, publicUrl: options.publicUrl };
    this.#renderer = bundle && new PageRenderer(app, { ...parts, bundle });
  }

  /** Loads the renderer of the pages, if it is built. */
  static async open(app: FastifyInstance, options: SenderOptions): Promise<PageSender> {
    const isBuilt = existsSync(new URL(INDEX, options.folder));
    if (!isBuilt) app.log.warn('the pages of the dashboard are not built: npm run build:web');
    return new PageSender(app, options, await loadBundle(new URL(BUNDLE, options.folder)));
  }

  /** Sends the app without content. Only an answer with status 200 may be cached. */
  sendApp(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
    if (!this.#template.isBuilt) {
      return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    const text = this.#template.plain();
    return sendPage({ status, text, etag: `W/${etagOf(text)}` }, request, reply);
  }

  /** Renders the page of a request for readers who may see it, and sends the app to others. */
  async sendRendered(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const cookies = request.headers.cookie;
    const mayRead = this.#isPublic || cookies !== undefined;
    if (!this.#renderer || !mayRead || !this.#template.isBuilt) {
      return this.sendApp(request, reply, 200);
    }
    try {
      const page = await this.#renderer.render(request);
      if ('text' in page) return sendPage(page, request, reply.header('vary', 'cookie'), cookies);
      if (page.retryAfter !== undefined) reply.header('retry-after', page.retryAfter);
      // Programs that read pages get the 429; people see the app's message.
      return this.sendApp(request, reply, page.refusedWith === 429 ? 429 : 200);
    } catch (error) {
      const { id: reqId } = request;
      logFailure(this.#app.log, error, 'a page could not be rendered', { reqId });
      return this.sendApp(request, reply, 200);
    }
  }
}

/** The bundle that renders pages; undefined if it is not built. */
async function loadBundle(file: URL): Promise<PageBundle | undefined> {
  if (!existsSync(file)) return undefined;
  const bundle = (await import(file.href)) as PageBundle;
  await bundle.loadPages();
  return bundle;
}

/**
 * Sends a page, or a 304 if the caller already has this version. Only a 200 has a version. Pages
 * for `cookies` may name an account, so they are never cached.
 */
function sendPage(
  { status, text, etag }: RenderedAnswer,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  cookies?: string,
): FastifyReply {
  const isKept = cookies === undefined;
  reply.code(status).header('cache-control', isKept ? 'no-cache' : 'no-store');
  reply.type('text/html; charset=utf-8');
  if (status !== 200 || !isKept) return reply.send(text);
  reply.header('etag', etag);
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(text);
}
