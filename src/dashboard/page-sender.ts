import { existsSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logFailure } from '../http/failures.ts';
import { etagOf } from '../http/response-cache.ts';
import type { Brand } from './brand.ts';
import { PageRenderer, type RenderedAnswer } from './page-renderer.ts';
import { PageTemplate } from './page-template.ts';
import type { PageBundle } from './rendering.ts';

const INDEX = 'index.html';
/** The build of the pages for the server; web/vite.config.ts writes it. */
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
  /** The web origin of the service; `''` for that of each request. */
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

  /** Loads what renders pages, if it is built. */
  static async open(app: FastifyInstance, options: SenderOptions): Promise<PageSender> {
    const isBuilt = existsSync(new URL(INDEX, options.folder));
    if (!isBuilt) app.log.warn('the pages of the dashboard are not built: npm run build:web');
    return new PageSender(app, options, await loadBundle(new URL(BUNDLE, options.folder)));
  }

  /** Sends the app; it is of no use to keep it where the address is of nothing. */
  sendApp(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
    if (!this.#template.isBuilt) {
      return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    const text = this.#template.plain();
    return sendPage({ status, text, etag: `W/${etagOf(text)}` }, request, reply);
  }

  /** Renders the page of a request for who may read it, and sends the app to others. */
  async sendRendered(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const mayRead = this.#isPublic || request.headers.cookie !== undefined;
    if (!this.#renderer || !mayRead || !this.#template.isBuilt) {
      return this.sendApp(request, reply, 200);
    }
    try {
      const page = await this.#renderer.render(request);
      if ('text' in page) return sendPage(page, request, reply.header('vary', 'cookie'));
      if (page.retryAfter !== undefined) reply.header('retry-after', page.retryAfter);
      // Programs that read pages are told to slow down; the app tells people.
      return this.sendApp(request, reply, page.refusedWith === 429 ? 429 : 200);
    } catch (error) {
      const { id: reqId } = request;
      logFailure(this.#app.log, error, 'a page could not be rendered', { reqId });
      return this.sendApp(request, reply, 200);
    }
  }
}

/** The bundle that renders pages; undefined when it is not built. */
async function loadBundle(file: URL): Promise<PageBundle | undefined> {
  if (!existsSync(file)) return undefined;
  const bundle = (await import(file.href)) as PageBundle;
  await bundle.loadPages();
  return bundle;
}

/** Sends a page, or a 304 to who has it. What is not there or not allowed has no version. */
function sendPage(
  { status, text, etag }: RenderedAnswer,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.code(status).header('cache-control', 'no-cache').type('text/html; charset=utf-8');
  if (status !== 200) return reply.send(text);
  reply.header('etag', etag);
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(text);
}
