import { fileURLToPath } from 'node:url';
import compress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../http/app.ts';
import { errorHandler } from '../http/errors.ts';
import { PAGE_HEADERS } from '../http/security-headers.ts';
import { PageSender, type SenderOptions } from './page-sender.ts';
import { PAGES, type PageName, PUBLIC_PAGES } from './pages.ts';

/** Not among the assets, whose names contain a hash of their content. */
const ICONS = ['/icon.svg', '/icon-180.png', '/icon-192.png', '/icon-512.png'];
/** The licences of what the pages are bundled with; web/vite.config.ts writes it. */
const NOTICES = '/third-party-notices.txt';
const HIDDEN = { schema: { hide: true } };

/** Pages whose addresses search engines need not list: there is no end to them. */
const UNLISTED: readonly PageName[] = ['search'];

/**
 * Serves the built pages. Those for visitors are rendered here first; the others, and those that
 * cannot be rendered now, are the same app at each path, which browsers render.
 */
export async function servePages(app: FastifyInstance, options: SenderOptions): Promise<void> {
  const { folder, isPublic } = options;
  const root = fileURLToPath(folder);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(PAGE_HEADERS);
    done();
  });
  const answerError = errorHandler('standard');
  app.setErrorHandler((error, request, reply) => {
    return answerError(isRefusal(error) ? notFound(request.url) : error, request, reply);
  });
  await app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false });
  await app.register(fastifyStatic, {
    root: fileURLToPath(new URL('assets/', folder)),
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    // Their names contain a hash of their content.
    immutable: true,
    maxAge: '1y',
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
  app.setNotFoundHandler((request, reply) => {
    if (!isNavigation(request)) throw notFound(request.url);
    return sender.sendApp(request, reply, 404);
  });
}

/** Leads from `/keys/` to `/keys`. The path is one of ours, so that it leads to no other site. */
function withoutSlash({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.redirect(url.replace(/\/(\?|$)/, '$1'), 301);
}

/** Whether the static plugin refused a path before it looked for a file. */
function isRefusal(error: unknown): boolean {
  const { statusCode = 500 } = error as Partial<FastifyError>;
  return statusCode >= 400 && statusCode < 500;
}

/** Whether a browser navigates to a page, rather than a program fetching data. */
function isNavigation({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}
