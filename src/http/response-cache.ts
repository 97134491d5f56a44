import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Day } from '../domain/day.ts';
import type { Needs } from './admission.ts';
import { headerLines } from './prepared-head.ts';

/** The request that a body answers, and the rest of the answer. */
export interface ResponseParts {
  /** The `Link` header of a page. */
  readonly link: string | undefined;
  /** How many days of history the body contains: 0 for none, `Infinity` for all. */
  readonly historyDays: number;
  /** What the request needs from its API key and plan. */
  readonly needs: Needs;
  /** The index of the endpoint under which the request is counted. */
  readonly endpoint: number;
  /** The path of its route, such as `/v1/cards/:id`. */
  readonly route: string;
}

/** A body or a part of one, with its entity tag: different texts have different tags. */
export interface Serialized {
  readonly payload: string;
  readonly etag: string;
}

/** A body as it is sent. */
export interface CachedResponse extends ResponseParts, Serialized {
  /** The headers that differ between bodies, as lines of a head. */
  readonly lines: string;
  /** Node writes ASCII faster as Latin-1. */
  readonly encoding: 'latin1' | 'utf8';
}

/** Characters of URLs and bodies: about ten thousand cards, or a thousand pages of a search. */
const CAPACITY = 10_000_000;

/** What cacheable bodies depend on, in addition to their URL. */
export interface Edition {
  /** The id of the publication: after a failover another one may have the same number. */
  readonly publication: string;
  /** The current day (UTC): prices can become stale at midnight. */
  readonly day: Day;
}

/**
 * Keeps the bodies of cacheable endpoints by URL until the next publication, and until midnight UTC
 * (docs/adr/0008-answers-are-kept-until-the-next-publication.md).
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse>({
    maxSize: CAPACITY,
    sizeCalculation: ({ payload, link = '' }, url) => url.length + payload.length + link.length,
  });
  readonly #fragments = new LRUCache<string, Serialized>({
    maxSize: CAPACITY,
    sizeCalculation: ({ payload }, id) => id.length + payload.length,
  });
  #edition: Edition = { publication: '', day: 0 as Day };

  /** Returns the body of a URL from this edition. A different edition empties the cache. */
  get(url: string, edition: Edition): CachedResponse | undefined {
    this.#turnTo(edition);
    return this.#responses.get(url);
  }

  /** Returns a part of bodies from this edition; makes and keeps it if it is missing. */
  fragment(id: string, edition: Edition, make: () => string): Serialized {
    this.#turnTo(edition);
    const known = this.#fragments.get(id);
    if (known) return known;
    const payload = make();
    const fragment = { payload, etag: etagOf(payload) };
    this.#fragments.set(id, fragment);
    return fragment;
  }

  /**
   * Keeps a response and returns it, unless the URL contains an API key or the edition has changed
   * since {@link get}.
   */
  add(url: string, edition: Edition, parts: ResponseParts & Serialized): CachedResponse {
    const bytes = Buffer.byteLength(parts.payload);
    const encoding = bytes === parts.payload.length ? 'latin1' : 'utf8';
    const { etag, link } = parts;
    const headers = { etag, 'content-length': String(bytes), ...(link !== undefined && { link }) };
    const response = { ...parts, encoding, lines: headerLines(headers) } as const;
    if (this.#isCurrent(edition) && !url.includes('api_key')) this.#responses.set(url, response);
    return response;
  }

  #turnTo(edition: Edition): void {
    if (this.#isCurrent(edition)) return;
    this.#responses.clear();
    this.#fragments.clear();
    this.#edition = edition;
  }

  #isCurrent({ publication, day }: Edition): boolean {
    return publication === this.#edition.publication && day === this.#edition.day;
  }
}

/** The entity tag of a body: equal bodies have equal tags. */
export function etagOf(payload: string): string {
  return `"${hash('sha1', payload, 'base64url')}"`;
}

interface Encoding {
  readonly name: string;
  compress(text: string): Buffer;
}

/** Nearly as small as at the highest quality, in a twentieth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Compressions that callers may accept, the best first. */
const ENCODINGS: readonly Encoding[] = [
  { name: 'br', compress: (text) => brotliCompressSync(text, BROTLI) },
  { name: 'gzip', compress: (text) => gzipSync(text) },
];

/** A text that is the same for every caller. It is compressed once. */
export class StaticText {
  readonly #type: string;
  readonly #text: string;
  readonly #etag: string;
  readonly #compressed = new Map<Encoding, Buffer>();

  constructor(type: string, text: string) {
    this.#type = type;
    this.#text = text;
    // Weak, because compressed and plain bytes share it.
    this.#etag = `W/${etagOf(text)}`;
  }

  /** Sends the text, or a 304 if the caller already has it. */
  send({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.headers({
      'cache-control': 'no-cache',
      etag: this.#etag,
      vary: 'accept-encoding',
    });
    if (headers['if-none-match'] === this.#etag) return reply.code(304).send();
    reply.type(this.#type);
    const accepted = String(headers['accept-encoding']);
    const encoding = ENCODINGS.find(({ name }) => accepts(accepted, name));
    if (!encoding) return reply.send(this.#text);
    return reply.header('content-encoding', encoding.name).send(this.#compress(encoding));
  }

  #compress(encoding: Encoding): Buffer {
    const bytes = this.#compressed.get(encoding) ?? encoding.compress(this.#text);
    this.#compressed.set(encoding, bytes);
    return bytes;
  }
}

/** Whether `Accept-Encoding` names an encoding, and not with a quality of 0. */
function accepts(header: string, encoding: string): boolean {
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(header);
}
