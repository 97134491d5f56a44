import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { originOf } from './guard.ts';
import { REFERENCE_HEADERS } from './headers.ts';
import { type Audience, documentOf, halfOf, type OpenApiDocument } from './openapi-documents.ts';
import type { Document } from './reference/document.ts';
import { GUIDE_NAMES, guidePage, guideText, llmsText } from './reference/guide.ts';
import type { Presentation } from './reference/layout.ts';
import { referencePage } from './reference/page.ts';
import { STYLE, STYLE_PATH } from './reference/style.ts';
import { StaticText } from './response-cache.ts';
import type { PrepareWith } from './validation.ts';

const HIDDEN = { schema: { hide: true } };
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const CSS_TYPE = 'text/css; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** A placeholder for the origin of requests, in texts made before the first request. */
const ANY_ORIGIN = 'https://origin.invalid';

/** How many pages are cached: a service has one or two origins. */
const MAX_PAGES = 32;

export interface DocsOptions {
  /** The web origin of the service; `''` uses the origin of each request. */
  readonly publicUrl: string;
  /** The branding of the pages; Cardprice's by default. */
  readonly presentation?: Presentation;
  /** Receives the work of building the documents, which takes up to half a second. */
  readonly prepareWith?: PrepareWith;
}

const OURS: Presentation = { name: 'Cardprice', hasColor: false, hasLogo: false };

/**
 * Serves the OpenAPI documents of callers and operators, the pages built from them below `/docs`,
 * the guides for callers, also as Markdown, and `/llms.txt`. Their examples call `publicUrl`, or
 * the host of the request if that is `''`.
 */
export async function docs(
  app: FastifyInstance,
  { publicUrl, presentation = OURS, prepareWith = () => {} }: DocsOptions,
): Promise<void> {
  const pages = new LRUCache<string, StaticText>({ max: MAX_PAGES });

  /** Serves the result of `make` for an origin. Returns a function that makes it in advance. */
  const serve = (path: string, type: string, make: (origin: string) => string, alias?: string) => {
    let template: string | undefined;
    const prepared = () => {
      template ??= make(publicUrl || ANY_ORIGIN);
      return template;
    };
    const answer = (request: FastifyRequest, reply: FastifyReply) => {
      const origin = publicUrl || originOf(request);
      const key = `${origin} ${path}`;
      const text =
        pages.get(key) ?? new StaticText(type, prepared().replaceAll(ANY_ORIGIN, origin));
      pages.set(key, text);
      return text.send(request, reply.headers(REFERENCE_HEADERS));
    };
    for (const one of alias ? [path, alias] : [path]) app.get(one, HIDDEN, answer);
    return prepared;
  };
  const all = () => app.swagger() as unknown as OpenApiDocument;
  const reference = (audience: Audience) => (origin: string) => {
    const document = halfOf(all(), audience) as unknown as Document;
    return referencePage(document, { origin, audience, presentation });
  };
  const document = (audience: Audience) => (origin: string) => {
    return JSON.stringify(documentOf(all(), { origin, audience }));
  };
  prepareWith(serve('/docs', HTML_TYPE, reference('callers'), '/docs/'));
  prepareWith(serve('/openapi.json', JSON_TYPE, document('callers')));
  serve('/docs/operator', HTML_TYPE, reference('operators'));
  serve('/operator/openapi.json', JSON_TYPE, document('operators'));
  for (const name of GUIDE_NAMES) {
    serve(`/docs/${name}`, HTML_TYPE, (origin) => guidePage(name, origin, presentation));
    serve(`/docs/${name}.md`, MARKDOWN_TYPE, (origin) => guideText(name, origin));
  }
  serve('/llms.txt', TEXT_TYPE, llmsText);
  const style = new StaticText(CSS_TYPE, STYLE);
  app.get(STYLE_PATH, HIDDEN, (request, reply) => style.send(request, reply));
}
