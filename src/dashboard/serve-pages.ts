import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../http/app.ts';
import { errorHandler } from '../http/errors.ts';
import { PAGE_HEADERS } from '../http/security-headers.ts';
import { PAGES } from './pages.ts';

const INDEX = 'index.html';
/** Not among the assets, whose names contain a hash of their content. */
const ICON = '/icon.svg';
/** The licences of what the pages are bundled with; web/vite.config.ts writes it. */
const NOTICES = '/third-party-notices.txt';
const HIDDEN = { schema: { hide: true } };

const NOT_BUILT =
  'The pages are not built. `npm run build:web` makes them. The API is served at /v1, its ' +
  'reference at /docs.\n';

/** Serves the built pages: the same app at every path of a page. */
export async function servePages(app: FastifyInstance, { folder }: { folder: URL }): Promise<void> {
  const root = fileURLToPath(folder);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(PAGE_HEADERS);
    done();
  });
  const answerError = errorHandler('standard');
  app.setErrorHandler((error, request, reply) => {
    return answerError(isRefusal(error) ? notFound(request.url) : error, request, reply);
  });
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
  const isBuilt = () => existsSync(new URL(INDEX, folder));
  if (!isBuilt()) app.log.warn('the pages of the dashboard are not built: npm run build:web');

  const sendApp = (reply: FastifyReply, isKnown: boolean): FastifyReply => {
    if (!isBuilt()) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    reply.code(isKnown ? 200 : 404).header('cache-control', 'no-cache');
    // A 404 must not become a 304.
    return reply.sendFile(INDEX, root, {
      cacheControl: false,
      etag: isKnown,
      lastModified: isKnown,
    });
  };
  for (const path of Object.values(PAGES)) {
    app.get(path, HIDDEN, (_request, reply) => sendApp(reply, true));
  }
  for (const file of [ICON, NOTICES]) {
    app.get(file, HIDDEN, (_request, reply) =>
      reply.sendFile(file, root, { immutable: false, maxAge: '1d' }),
    );
  }
  app.setNotFoundHandler((request, reply) => {
    if (!isNavigation(request)) throw notFound(request.url);
    return sendApp(reply, false);
  });
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
