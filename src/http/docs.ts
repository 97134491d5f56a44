import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { originOf } from './guard.ts';
import { REFERENCE_HEADERS } from './headers.ts';
import type { Document } from './reference/document.ts';
import { referencePage, STYLE, STYLE_PATH } from './reference/page.ts';
import { StaticText } from './response-cache.ts';

const HIDDEN = { schema: { hide: true } };
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const CSS_TYPE = 'text/css; charset=utf-8';

/** How many origins have a cached page; a service has one or two. */
const MAX_ORIGINS = 8;

/**
 * Serves `/openapi.json` and `/docs`, the page built from it, which needs no internet and no
 * scripts. Its examples call `publicUrl`, or the host of the request if that is `''`.
 */
export async function docs(
  app: FastifyInstance,
  { publicUrl }: { readonly publicUrl: string },
): Promise<void> {
  const style = new StaticText(CSS_TYPE, STYLE);
  const pages = new LRUCache<string, StaticText>({ max: MAX_ORIGINS });
  let document: StaticText | undefined;

  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const origin = publicUrl || originOf(request);
    let page = pages.get(origin);
    if (!page) {
      const html = referencePage(app.swagger() as unknown as Document, origin);
      page = new StaticText(HTML_TYPE, html);
      pages.set(origin, page);
    }
    return page.send(request, reply.headers(REFERENCE_HEADERS));
  };
  for (const path of ['/docs', '/docs/']) app.get(path, HIDDEN, sendPage);
  app.get(STYLE_PATH, HIDDEN, (request, reply) => style.send(request, reply));
  app.get('/openapi.json', HIDDEN, (request, reply) => {
    document ??= new StaticText(JSON_TYPE, JSON.stringify(app.swagger()));
    return document.send(request, reply);
  });
}
